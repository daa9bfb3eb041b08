"""The recorded calls of a run, given out again in place of asking a model."""

from collections.abc import Sequence

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
