"""
Replies that must have a form: JSON objects, read strictly. What a model writes is hostile until it is checked.

A reply that cannot be read is asked for once more: with another seed and some warmth, since the likeliest words would
come again, and with more room where it was cut off. Then it counts as a failure.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import ValidationError

from core.settings import Settings
from core.types import Model, Notice
from pipelines.contracts.generator import Generator
from pipelines.generation.ask_model import ask
from pipelines.generation.prompts import Prompt

Form = TypeVar("Form", bound=Model)
TRIES = 2
SECOND_WARMTH = 0.4
"""Sampling temperature of the second try, at least."""
LONGER = 3
"""Times as long as usual may be the reply after one that was cut off."""
_FENCED = re.compile(r"^```(?:json)?\s*\n(.*)\n```$", re.DOTALL)


@dataclass(frozen=True)
class Replied(Generic[Form]):
    """What came of asking for an object."""

    value: Form | None
    """None: the model gave none that can be read."""
    notices: tuple[Notice, ...] = ()


def read_object(text: str, form: type[Form]) -> Form | None:
    """
    Read a reply that must be one JSON object and nothing else; a code fence around it is allowed.

    :param form: The fields that it must have; others are refused.
    :returns: None if it is anything else.
    """
    stripped = text.strip()
    fenced = _FENCED.match(stripped)
    try:
        return form.model_validate_json(fenced.group(1) if fenced else stripped)
    except ValidationError:
        return None


def ask_for_object(
    generator: Generator, prompt: Prompt, values: Mapping[str, str], form: type[Form], *, settings: Settings
) -> Replied[Form]:
    """
    Ask for an object; the call is named in the run record after its prompt.

    :param values: One for each of the prompt's variables.
    :param form: What the reply must be.
    """
    seeded, longer = settings, 1
    for attempt in range(TRIES):
        asked = ask(generator, prompt, values, purpose=prompt.name, settings=seeded, longer=longer)
        if asked.error is not None:
            message = f"The chat model gave no reply ({asked.error.message})."
            return Replied(None, (Notice(code="generator_failed", message=message),))
        value = read_object(asked.text, form)
        if value is not None:
            notice = Notice(
                code="reply_repeated", message="The chat model was asked twice: its first reply had no form."
            )
            return Replied(value, (notice,) if attempt else ())
        warmth = max(settings.generator_temperature, SECOND_WARMTH)
        again = {"generator_seed": settings.generator_seed + 1, "generator_temperature": warmth}
        seeded = settings.model_copy(update=again)
        longer = LONGER if asked.reply is not None and asked.reply.cut_off else 1
    message = (
        f"The chat model's replies to the prompt {prompt.name} had not the form that was asked for, {TRIES} times."
    )
    return Replied(None, (Notice(code="reply_unparsable", message=message),))


def written_by(generator: str | None) -> Notice:
    """
    Say which path wrote a result.

    :param generator: Name of the chat model; None: plain code.
    """
    if generator is None:
        message = "Written by plain code out of the articles' own sentences; no chat model had a part in it."
    else:
        message = f"Written by {generator}, and checked against the articles."
    return Notice(code="written_by", message=message)
