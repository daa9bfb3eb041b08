"""Stopping in time, so that the same command goes on."""

from time import monotonic

from transformers import TrainerCallback

from core.errors import CancelledError
from training.chat.kinds import Event
from training.chat.lesson import Say


class Deadline:
    """
    When to stop.

    :param minutes: From now; 0: never.
    """

    def __init__(self, minutes: float) -> None:
        self._end = monotonic() + 60 * minutes if minutes else None

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return self._end is not None and monotonic() >= self._end

    def check(self, where: str) -> None:
        """
        Stop if the time is over.

        :param where: How far it has come.
        :raises CancelledError: If it is.
        """
        if self.is_over:
            raise CancelledError(f"the time is over: {where}", hint="The same command goes on from there.")


class StopAndSay(TrainerCallback):
    """End training with a checkpoint when the time is over, and say how it goes."""

    def __init__(self, stage: str, deadline: Deadline, say: Say) -> None:
        self._stage, self._deadline, self._say = stage, deadline, say

    def on_step_end(self, args: Event, state: Event, control: Event, **more: Event) -> None:
        """Look at the clock."""
        if self._deadline.is_over:
            control.should_training_stop = control.should_save = True

    def on_log(
        self, args: Event, state: Event, control: Event, logs: dict[str, float] | None = None, **more: Event
    ) -> None:
        """Say the loss."""
        if logs and "loss" in logs:
            self._say(f"{self._stage} {state.global_step} of {state.max_steps}: loss {float(logs['loss']):.4f}")
