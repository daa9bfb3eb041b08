"""What a chat model is taught with: prompts, good replies, and a judge of replies."""

import hashlib
from collections.abc import Callable, Sequence

from core.types import Model, Probability


class Lesson(Model):
    """One prompt as the system asks it."""

    name: str
    """Unique among the lessons."""
    group: str
    """Lessons that share it are all learned from or all held out."""
    messages: tuple[dict[str, str], ...]
    """`role` and `content`; the last is the user's."""
    reply: str | None = None
    """What the model should write; None: the lesson only samples and is scored."""


class Judged(Model):
    """What a reply is worth."""

    value: Probability
    """All that counts in preferring it."""
    scores: dict[str, float]
    """By name, each 0 to 1; empty: it could not be read."""
    fault: str = ""
    """Why the system would not return it; empty: it would."""


Judge = Callable[[Lesson, Sequence[str]], list[Judged]]
"""A lesson and replies to it, to one judgement a reply."""
Say = Callable[[str], None]


def be_silent(line: str) -> None:
    """Say nothing."""


def hold_out(lessons: Sequence[Lesson], *, share: float, seed: int) -> tuple[list[Lesson], list[Lesson]]:
    """
    Part the lessons into those to learn from and those to measure on, whole groups at a time.

    :param share: Of the groups, 0 to 1, to measure on; at least one where it is above 0 and there are two groups.
    :returns: To learn from, to measure on; both in the order given.
    """
    groups = sorted({one.group for one in lessons}, key=lambda group: _place(group, seed))
    count = min(len(groups) - 1, max(1, round(share * len(groups)))) if share and groups else 0
    held = set(groups[:count])
    return [one for one in lessons if one.group not in held], [one for one in lessons if one.group in held]


def _place(group: str, seed: int) -> str:
    return hashlib.sha256(f"{seed} {group}".encode()).hexdigest()
