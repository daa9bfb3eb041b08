"""
One batch for what several threads ask a model at the same time.

Threads that judge one text together are members of a `JointBatches`. A member that asks waits until every other member
has asked as well or is done; then all of it is read at once, each pair once, in the order of the members. So the model
gets full batches, and the same members always get the same readings: an 8-bit model's readings depend on their company.
What one has read is known to all: the next who asks for the same pair is not read again.
"""

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

Pair = tuple[str, str]
Reading = TypeVar("Reading")
P = ParamSpec("P")


class JointBatches:
    """
    Let a fixed number of threads read together.

    :param members: How many threads take part; each enters `member` once.
    """

    def __init__(self, members: int) -> None:
        self._condition = threading.Condition()
        self._active = members
        self._waiting: dict[int, tuple[Any, tuple[Pair, ...], Callable[[list[Pair]], list[Any]]]] = {}
        self._answers: dict[int, list[Any] | BaseException] = {}
        self._known: dict[tuple[int, Pair], Any] = {}

    @contextmanager
    def member(self, number: int) -> Iterator[None]:
        """
        Take part with this thread.

        :param number: Of this member, from 0; it decides the order of what is read.
        """
        token = _current.set((self, number))
        try:
            yield
        finally:
            _current.reset(token)
            with self._condition:
                self._active -= 1
                self._read_if_all_wait()

    def read(self, number: int, model: object, pairs: Sequence[Pair], read: Callable[[list[Pair]], list[Any]]) -> Any:
        """Wait for the others, and return this member's readings."""
        with self._condition:
            self._waiting[number] = (model, tuple(pairs), read)
            self._read_if_all_wait()
            self._condition.wait_for(lambda: number in self._answers)
            answer = self._answers.pop(number)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _read_if_all_wait(self) -> None:
        if not self._waiting or len(self._waiting) < self._active:
            return
        asked = sorted(self._waiting.items())
        self._waiting = {}
        for model in dict.fromkeys(id(one[1][0]) for one in asked):
            group = [(number, pairs, read) for number, (owner, pairs, read) in asked if id(owner) == model]
            asked_for = dict.fromkeys((model, pair) for _, pairs, _ in group for pair in pairs)
            new = [key for key in asked_for if key not in self._known]
            try:
                readings = group[0][2]([pair for _, pair in new]) if new else []
                self._known |= zip(new, readings, strict=True)
            except BaseException as error:
                self._answers |= {number: error for number, _, _ in group}
            else:
                self._answers |= {number: [self._known[model, pair] for pair in pairs] for number, pairs, _ in group}
        self._condition.notify_all()


_current: ContextVar[tuple[JointBatches, int] | None] = ContextVar("joint_batches", default=None)


def read_jointly(
    read: Callable[[Any, Sequence[Pair]], list[Reading]],
) -> Callable[[Any, Sequence[Pair]], list[Reading]]:
    """Make a model's method that reads (query, text) pairs read those of all members of a `JointBatches` at once."""

    @functools.wraps(read)
    def joint(model: Any, pairs: Sequence[Pair]) -> list[Reading]:
        found = _current.get()
        if found is None or not pairs:
            return read(model, pairs)
        group, number = found
        return group.read(number, model, pairs, lambda unique: read(model, unique))  # type: ignore[no-any-return]

    return joint
