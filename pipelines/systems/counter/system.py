"""Counter: a polite reply to a claim that checked quotes refute."""

import re
from typing import Any

from pydantic import Field

from core.types import Confidence, Model, QueryKind, Relation, Request, Result, Section, Status
from pipelines.attribution.references import count_relation, make_references
from pipelines.contracts.evidence import Ruling
from pipelines.contracts.system import RunFacts, SystemInfo, read_options
from pipelines.generation.replies import written_by
from pipelines.injection.sanitise import shown_headline
from pipelines.systems.counter.compose import WORDS, Length, Tone
from pipelines.systems.counter.types import ChosenReply, JudgedReply, Material
from pipelines.systems.verify.system import SYSTEM as VERIFY
from pipelines.systems.verify.system import within_bounds

_NO_QUOTES = re.compile(r"[“”\"]")
"""Quotation marks of a headline would make it look like a quote."""
_CLOSES = ("below.", "helps.")


class CounterOptions(Model):
    """Options of `counter`."""

    tone: Tone = Tone.PLAIN
    """plain or empathetic."""
    length: Length = Length.NORMAL
    """short: 60 words at most; normal: 115."""
    candidates: int = Field(default=3, ge=1, le=8)
    """Replies that a chat model is asked for; the best is returned."""


class CounterSystem:
    """Verify; where that refutes, gather quotes, write replies, choose the best."""

    info = SystemInfo(
        name="counter",
        title="Reply to a false claim",
        summary="Writes a polite, factual reply to a claim that the archive refutes, out of its articles' own quotes.",
        options=CounterOptions.model_json_schema(),
    )
    pipeline = "counter"

    def check_options(self, request: Request) -> dict[str, Any]:
        """Return the options, checked."""
        return _options(request).model_dump(mode="json")

    def inputs(self, request: Request, *, kind: QueryKind, top_k: int) -> dict[str, Any]:
        """Return the pipeline's inputs: those of verify, and what the reply should be like."""
        options = _options(request)
        plain = request.model_copy(update={"options": {}})
        return VERIFY.inputs(plain, kind=kind, top_k=top_k) | {
            "quoter": {"query": request.text, "kind": kind},
            "writer": {
                "query": request.text,
                "tone": options.tone.value,
                "length": options.length.value,
                "candidates": options.candidates,
            },
            "chooser": {"query": request.text, "length": options.length.value},
        }

    def result(self, outputs: dict[str, Any], facts: RunFacts) -> Result:
        """Make the result."""
        ruling: Ruling = outputs["verdict"]["ruling"]
        material: Material = outputs["quoter"]["material"]
        chosen: ChosenReply = outputs["chooser"]["chosen"]
        references = make_references(material.quotes or ruling.evidence)
        supporting = count_relation(references, Relation.SUPPORTS)
        refuting = count_relation(references, Relation.REFUTES)
        reply = chosen.reply
        components = ("loader", "guard", "verifier", "writer")
        warnings = [notice for name in components for notice in outputs[name]["warnings"]]
        if reply is not None:
            warnings.append(written_by(reply.candidate.generator))
        return Result(
            system=self.info.name,
            request=facts.request,
            kind=facts.kind,
            status=Status.OK if ruling.has_evidence else Status.NO_EVIDENCE,
            verdict=ruling.verdict,
            answer=_with_titles(reply, material, _options(facts.request).length)
            if reply
            else f"No reply was written. {chosen.why_not}",
            sections=_sections(chosen),
            confidence=Confidence(value=ruling.confidence, method=ruling.method),
            references=references,
            articles_supporting=supporting[0],
            origins_supporting=supporting[1],
            articles_refuting=refuting[0],
            origins_refuting=refuting[1],
            missing=within_bounds(ruling.missing, facts.request),
            searched=facts.searched,
            warnings=tuple(warnings),
            timings=facts.timings,
            run_id=facts.run_id,
            run=facts.run,
        )


def _options(request: Request) -> CounterOptions:
    return read_options(CounterOptions, request, system="counter")


def _with_titles(reply: JudgedReply, material: Material, length: Length) -> str:
    """Say behind a reply what to read: the titles of its articles, as many as there is room for."""
    text = reply.candidate.text
    headlines = {item.article.article_id: shown_headline(item.article) for item in material.quotes}
    cited = [one for one in make_references(material.quotes) if f"Doc[{one.number}]" in text]
    titles = [f"{_NO_QUOTES.sub('', headlines[one.article_id])} Doc[{one.number}]" for one in cited]
    lead = f"{text.removesuffix('.')}:" if text.endswith(_CLOSES) else f"{text} More in:"
    while titles and len(f"{lead} {'; '.join(titles)}".split()) > WORDS[length]:
        titles.pop()
    return f"{lead} {'; '.join(titles)}" if titles else text


def _sections(chosen: ChosenReply) -> tuple[Section, ...]:
    """Explain the scores of the reply, and list the replies that were not chosen."""
    scores = [
        Section(kind="score", title=score.name.capitalize(), text=score.why, scores={score.name: score.value})
        for score in (chosen.reply.scores if chosen.reply else ())
    ]
    return (*scores, *[_other(number, one) for number, one in enumerate(chosen.others, start=1)])


def _other(number: int, judged: JudgedReply) -> Section:
    return Section(
        kind="candidate",
        title=f"Reply {number} that was not chosen",
        label="refused" if judged.fault else "scored lower",
        text=judged.candidate.text,
        lines=(judged.fault,) if judged.fault else (),
        scores={"total": judged.total} | {score.name: score.value for score in judged.scores},
    )


SYSTEM = CounterSystem()
