"""Write several replies to a refuted claim: by plain code, and by a chat model where there is one."""

from haystack import component

from core.settings import Settings
from core.types import Notice
from pipelines.contracts.generator import Generator
from pipelines.generation.prompts import load_prompt
from pipelines.generation.replies import ask_for_object
from pipelines.systems.counter.compose import Length, Tone, compose
from pipelines.systems.counter.reply_prompt import PROMPT, ReplyForm, fitted_values
from pipelines.systems.counter.types import Candidate, Material

WARMTH = 0.7
"""Sampling temperature of all replies but the first, so that they differ."""


@component
class CounterWriter:
    """
    Write candidates. Those by plain code are always among them, so that there is one to fall back on.

    :param generator: The chat model; None: there is none.
    :param settings: How it is asked; None: the defaults.
    """

    def __init__(self, *, generator: Generator | None = None, settings: Settings | None = None) -> None:
        self.generator = generator
        self.settings = settings or Settings()

    @component.output_types(candidates=list[Candidate], warnings=list[Notice])
    def run(self, query: str, material: Material, tone: str, length: str, candidates: int) -> dict[str, object]:
        """
        Write.

        :param tone: A `Tone`.
        :param length: A `Length`.
        :param candidates: Replies to ask a chat model for, >= 1.
        :returns: `candidates`, none where there is to be no reply; `warnings`.
        """
        if material.why_not:
            return {"candidates": [], "warnings": []}
        written = compose(material.quotes, tone=Tone(tone), length=Length(length))
        generator = self.generator
        if generator is None:
            return {"candidates": written, "warnings": []}
        asked, warnings = self._ask(generator, query, material, tone=tone, length=length, count=candidates)
        return {"candidates": asked + written, "warnings": warnings}

    def _ask(
        self, generator: Generator, query: str, material: Material, *, tone: str, length: str, count: int
    ) -> tuple[list[Candidate], list[Notice]]:
        settings = self.settings
        values = fitted_values(
            generator, query, material.quotes, tone=Tone(tone), length=Length(length), settings=settings
        )
        found: list[Candidate] = []
        notices: dict[str, Notice] = {}
        for number in range(count):
            warmer = {"generator_temperature": WARMTH, "generator_seed": settings.generator_seed + 100 * number}
            seeded = settings.model_copy(update=warmer) if number else settings
            replied = ask_for_object(generator, load_prompt(PROMPT), values, ReplyForm, settings=seeded)
            notices |= {notice.code: notice for notice in replied.notices}
            if replied.value is not None:
                found.append(Candidate(text=replied.value.reply, generator=generator.name))
            if "generator_failed" in notices:
                break
        return found, list(notices.values())
