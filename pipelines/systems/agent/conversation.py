"""The two roles of an investigation: the main model sees no documents, the researcher never sees the claim."""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from pydantic import Field

from core.settings import Settings
from core.types import Model, Notice
from pipelines.attribution.citations import read_citations
from pipelines.attribution.support import Fate, Judge, check_sentence
from pipelines.contracts.evidence import ShownArticle
from pipelines.contracts.generator import Generator
from pipelines.generation.ask_model import room_for_evidence
from pipelines.generation.evidence_prompt import fit, render_references
from pipelines.generation.prompts import Prompt, load_prompt
from pipelines.generation.replies import Form, Replied, ask_for_object
from pipelines.injection.sanitise import as_data, looks_like_instruction
from pipelines.systems.agent.types import Opinion, Round

MAX_QUERY_CHARS = 300
NOTHING = "Nothing that can be relied on was found."
UNREAD = "What was found could not be reported on: the chat model's reply had no form."


class _Next(Model):
    search: Annotated[str, Field(pattern=r"\w", max_length=MAX_QUERY_CHARS)] | None
    """Without a word it would find nothing, which is not a finding."""


class _Report(Model):
    report: Annotated[str, Field(max_length=4000)]


class _Conclusion(Model):
    analysis: Annotated[str, Field(max_length=4000)]
    verdict: Literal["supported", "refuted", "unclear"]


class _Certainty(Model):
    certainty: Annotated[int, Field(ge=0, le=100, strict=True)]


class Conversation:
    """
    Ask both roles; both are the same generator with other prompts.

    :param claim: As it was typed.
    """

    def __init__(self, claim: str, generator: Generator, settings: Settings) -> None:
        self.generator = generator
        self.notices: list[Notice] = []
        self._claim = claim
        self._settings = settings

    def next_search(self, rounds: Sequence[Round], *, left: int) -> tuple[bool, str | None]:
        """
        Ask the main model for the next search.

        :returns: Whether it gave a usable reply; and the query, None to end.
        """
        prompt = load_prompt("agent_search")
        values = self._with_history(prompt, {"claim": as_data(self._claim), "left": str(left)}, rounds)
        replied = self._take(ask_for_object(self.generator, prompt, values, _Next, settings=self._settings))
        return replied is not None, replied.search if replied else None

    def report(self, query: str, shown: tuple[ShownArticle, ...], *, judge: Judge) -> str:
        """
        Let the researcher sum up one search.

        :returns: The sentences that the results support, cited; `NOTHING` without any.
        """
        prompt = load_prompt("agent_report")
        values = {"query": as_data(query), "results": ""}
        room = room_for_evidence(self.generator, prompt, values, settings=self._settings)
        fitted = fit(shown, room=room, count=self.generator.count_tokens, render=render_references)
        values["results"] = render_references(fitted.articles) or "(none)"
        replied = self._take(ask_for_object(self.generator, prompt, values, _Report, settings=self._settings))
        return supported_sentences(replied.report, shown, judge=judge) if replied else UNREAD

    def conclude(self, rounds: Sequence[Round]) -> tuple[str, Opinion] | None:
        """Ask for analysis and verdict, then for the certainty; None where no analysis came."""
        prompt = load_prompt("agent_verdict")
        values = self._with_history(prompt, {"claim": as_data(self._claim)}, rounds)
        concluded = self._take(ask_for_object(self.generator, prompt, values, _Conclusion, settings=self._settings))
        if concluded is None:
            return None
        values = {"claim": values["claim"], "analysis": as_data(concluded.analysis), "verdict": concluded.verdict}
        prompt = load_prompt("agent_certainty")
        certain = self._take(ask_for_object(self.generator, prompt, values, _Certainty, settings=self._settings))
        return concluded.analysis, Opinion(verdict=concluded.verdict, certainty=certain.certainty if certain else None)

    def _with_history(self, prompt: Prompt, values: dict[str, str], rounds: Sequence[Round]) -> dict[str, str]:
        """Add the searches and reports to a prompt's values: the latest ones, as many as its context has room for."""
        room = room_for_evidence(self.generator, prompt, values | {"history": ""}, settings=self._settings)
        first = 0
        while first < len(rounds) and self.generator.count_tokens(history_of(rounds, first=first)) > room:
            first += 1
        return values | {"history": history_of(rounds, first=first)}

    def _take(self, replied: Replied[Form]) -> Form | None:
        self.notices += replied.notices
        return replied.value


def history_of(rounds: Sequence[Round], *, first: int = 0) -> str:
    """
    Write the searches and reports so far, as the main model sees them.

    :param first: Place of the first that is written; those before it are left out.
    """
    lines = []
    for number, one in enumerate(rounds[first:], start=first + 1):
        report = "The search failed." if one.failure else one.report or NOTHING
        lines.append(f"{number}. Searched for: {as_data(one.query)}\n   Report: {report}")
    return "\n".join(lines) or "(none yet)"


def supported_sentences(text: str, shown: tuple[ShownArticle, ...], *, judge: Callable[..., Sequence[float]]) -> str:
    """Keep of a report the sentences that the articles support and that talk to no machine, with their citations."""
    cited = read_citations(text, given={article.number for article in shown})
    checks = [check_sentence(sentence, shown, judge=judge) for sentence in cited.sentences]
    kept = [
        check.sentence.model_copy(update={"numbers": check.numbers}).marked()
        for check in checks
        if check.fate is Fate.SUPPORTED and not looks_like_instruction(check.sentence.text)
    ]
    return " ".join(kept) or NOTHING
