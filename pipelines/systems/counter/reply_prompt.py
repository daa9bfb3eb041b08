"""How a chat model is asked for a reply, and the form that its reply must have: at run time and in training alike."""

import json
from collections.abc import Sequence

from pydantic import Field

from core.settings import Settings
from core.types import Model
from pipelines.contracts.evidence import Evidence
from pipelines.contracts.generator import Generator
from pipelines.generation.ask_model import room_for_evidence
from pipelines.generation.evidence_prompt import choose_sentences, render_references
from pipelines.generation.prompts import load_prompt
from pipelines.injection.sanitise import as_data
from pipelines.systems.counter.compose import WORDS, Length, Tone

PROMPT = "counter"


class ReplyForm(Model):
    """What a chat model must write: this object as JSON, and nothing else."""

    reply: str = Field(min_length=1, max_length=4000)

    def written(self) -> str:
        """Return the object as the prompt shows it."""
        return json.dumps(self.model_dump(), ensure_ascii=False)


def fitted_values(
    generator: Generator, claim: str, quotes: Sequence[Evidence], *, tone: Tone, length: Length, settings: Settings
) -> dict[str, str]:
    """Return the values of the prompt's variables, with as many of the first quotes as the context has room for."""
    empty = prompt_values(claim, (), tone=tone, length=length)
    room = room_for_evidence(generator, load_prompt(PROMPT), empty, settings=settings)
    count = len(quotes)
    values = prompt_values(claim, quotes, tone=tone, length=length)
    while count > 1 and generator.count_tokens(values["evidence"]) > room:
        count -= 1
        values = prompt_values(claim, quotes[:count], tone=tone, length=length)
    return values


def prompt_values(claim: str, quotes: Sequence[Evidence], *, tone: Tone, length: Length) -> dict[str, str]:
    """
    Return the values of the prompt's variables.

    :param claim: As it was typed.
    :param quotes: Those that refute first; shown with the sentences beside them.
    """
    return {
        "claim": as_data(claim),
        "evidence": render_references(choose_sentences(quotes, neighbours=1)),
        "tone": tone.value,
        "words": str(WORDS[length]),
    }
