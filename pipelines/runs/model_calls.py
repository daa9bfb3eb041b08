"""The calls of a run: kept as they are made, and given out again in place of asking a model."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from core.errors import GeneratorError
from core.types import Failure, ModelCall

NOT_RECORDED = "not_recorded"


class RecordedReplies:
    """
    Gives out recorded calls, each once.

    :param calls: Of a run record.
    """

    def __init__(self, calls: Sequence[ModelCall]) -> None:
        self._left = list(calls)

    def take(self, purpose: str, generator: str, messages: tuple[dict[str, str], ...]) -> ModelCall:
        """Return the first unused call with this purpose, generator and messages; a failed one if there is none."""
        for index, call in enumerate(self._left):
            if (call.purpose, call.generator, call.messages) == (purpose, generator, messages):
                return self._left.pop(index)
        message = "the model was asked something else then, so there is no recorded reply"
        return ModelCall(
            purpose=purpose,
            generator=generator,
            messages=messages,
            reply=None,
            failure=Failure(code=f"generator_failed.{NOT_RECORDED}", message=message, hint="Replay with --fresh."),
            duration_ms=0.0,
        )


_current: ContextVar[RecordedReplies | None] = ContextVar("recorded_replies", default=None)


@contextmanager
def recorded_replies(calls: Sequence[ModelCall]) -> Iterator[None]:
    """Answer from recorded calls inside this context, in this thread; no model is asked."""
    token = _current.set(RecordedReplies(calls))
    try:
        yield
    finally:
        _current.reset(token)


def current_replies() -> RecordedReplies | None:
    """Return the recorded replies to answer from; None: ask the model."""
    return _current.get()


_log: ContextVar[list[ModelCall] | None] = ContextVar("call_log", default=None)
_silent: ContextVar[dict[int, GeneratorError] | None] = ContextVar("silent_generators", default=None)


@contextmanager
def call_log() -> Iterator[list[ModelCall]]:
    """Collect every call that is made inside this context, in this thread, in order."""
    calls: list[ModelCall] = []
    token, silent = _log.set(calls), _silent.set({})
    try:
        yield calls
    finally:
        _log.reset(token)
        _silent.reset(silent)


def note_silence(generator: object, error: GeneratorError) -> None:
    """Remember, inside a `call_log`, that a generator let its time run out."""
    silent = _silent.get()
    if silent is not None:
        silent.setdefault(id(generator), error)  # by identity: two servers may serve one model


def silence_of(generator: object) -> GeneratorError | None:
    """Return what a generator's time ran out with in this run; None: it has not."""
    return (_silent.get() or {}).get(id(generator))


def spent_tokens() -> int:
    """Return the tokens of all calls so far, as the servers count them; 0 outside a `call_log`."""
    return sum((call.tokens_in or 0) + (call.tokens_out or 0) for call in _log.get() or ())


def log_call(call: ModelCall) -> None:
    """Add a call to the log, if one is kept."""
    calls = _log.get()
    if calls is not None:
        calls.append(call)
