"""Which lessons are learned from, and which are measured on."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError
from training.chat.lesson import Lesson, hold_out
from training.chat.sampling import prompt_tokens
from training.chat.setting import Setting

_MEASURED = 200
"""Lessons measured on at most."""


@dataclass(frozen=True)
class Chosen:
    """The lessons of a build."""

    learned: list[Lesson]
    measured: list[Lesson]
    measured_on: str
    """For the card."""
    notes: list[str]
    """What was left out, and why."""


def choose(setting: Setting, lessons: Sequence[Lesson]) -> Chosen:
    """
    Leave out what is too long, and hold some out to measure on.

    :raises InputError: If no lesson with a reply is left to learn from.
    """
    recipe, notes = setting.recipe, []
    fitting = [
        one
        for one in lessons
        if prompt_tokens(setting.tokenizer, one, reply_tokens=recipe.reply_tokens) <= recipe.max_tokens
    ]
    too_long = len(lessons) - len(fitting)
    if too_long:
        notes.append(f"{too_long} claims were left out: longer than {recipe.max_tokens} tokens with their reply.")
        setting.say(notes[0])
    learned, held = hold_out(fitting, share=recipe.held_out, seed=recipe.seed)
    if not any(one.reply for one in learned):
        raise InputError(
            f"none of {len(lessons)} claims is left with a reply to learn from ({too_long} are too long)",
            field="data",
            hint="Give claims a `reply` that their quotes support, give more claims, or shorten their evidence.",
        )
    where = "on claims held out of training" if held else "on claims that it learned from, since none was held out"
    return Chosen(learned=learned, measured=(held or learned)[:_MEASURED], measured_on=where, notes=notes)
