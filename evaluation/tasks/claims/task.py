"""Claims: which sentences of a text are taken as claims, whether they stand alone, and what is said of each."""

from collections.abc import Sequence
from datetime import date

from core.types import Probability, Status, Verdict
from evaluation.data.formats.labels import Label
from evaluation.data.formats.marked_texts import Mark, MarkedSentence
from evaluation.measures.values import ItemValues, MeasureValue
from evaluation.reports.measure_bars import measure_bars
from evaluation.reports.models import DetailLine, ItemDetail, Scores
from evaluation.reports.models import Mark as ReportMark
from evaluation.reports.stage_times import stage_figure, stage_shares
from evaluation.runs.models import Item, Output, Prediction
from evaluation.runs.session import Task
from evaluation.tasks.claims.measures import DEFINITIONS, HEADLINE, Sentence, claim_measures, verdict_table

_MINUTE_MS = 60_000


class ClaimsItem(Item):
    """A text with its marked sentences."""

    written_on: date | None = None
    sentences: tuple[MarkedSentence, ...]


class FoundClaim(Output):
    """A claim that was found."""

    start: int
    end: int
    standalone: str
    worth: Probability
    unclear: bool
    verdict: Verdict | None = None
    """None: it was not judged."""


class ClaimsOutput(Output):
    """What was found in a text."""

    claims: tuple[FoundClaim, ...]
    stage_ms: dict[str, float] = {}


def score_claims(items: Sequence[ClaimsItem], predictions: Sequence[Prediction[ClaimsOutput]]) -> Scores:
    """Score the sentences of the texts that were read; texts are resampled for the intervals."""
    found = {one.id: one.output for one in predictions if one.status is Status.OK and one.output}
    done = [(item, found[item.id]) for item in items if item.id in found]
    sentences = [one for item, output in done for one in sentences_of(item, output)]
    measures = claim_measures(sentences) | speed_measures([output for _, output in done])
    return Scores(
        measures=measures,
        per_item=_per_item(done),
        headline=tuple(name for name in HEADLINE if name in measures),
        definitions=tuple(one for one in DEFINITIONS if one.name in measures or one.name == "share_*"),
        tables=verdict_table(sentences),
        figures=(
            *measure_bars(measures, HEADLINE),
            *stage_figure([output.stage_ms for _, output in done if output.stage_ms]),
        ),
        details=tuple(_detail(item, found.get(item.id)) for item in items),
    )


def speed_measures(outputs: Sequence[ClaimsOutput]) -> dict[str, MeasureValue]:
    """Say how many claims were judged in a minute, and which share of the time each stage took; empty: none was."""
    total = sum(output.stage_ms.get("total", 0.0) for output in outputs)
    judged = sum(claim.verdict is not None for output in outputs for claim in output.claims)
    if not total or not judged:
        return {}
    shares = {f"share_{name}": value for name, value in stage_shares([one.stage_ms for one in outputs]).items()}
    values = {"claims_per_minute": judged * _MINUTE_MS / total} | shares
    return {name: MeasureValue(value=value, n=judged) for name, value in values.items()}


def sentences_of(item: ClaimsItem, output: ClaimsOutput) -> list[Sentence]:
    """Put beside each marked sentence what was found in it."""
    shares = len(item.text.split()) / len(item.sentences)
    return [_sentence(item, one, output.claims, words=shares) for one in item.sentences]


def _sentence(item: ClaimsItem, one: MarkedSentence, claims: Sequence[FoundClaim], *, words: float) -> Sentence:
    here = [claim for claim in claims if claim.start < one.end and one.start < claim.end]
    told = " ".join(claim.standalone for claim in here)
    verdicts = [claim.verdict for claim in here]
    return Sentence(
        text_id=item.id,
        words=words,
        mark=one.mark,
        gold=one.verdict,
        taken=bool(here),
        worth=max((claim.worth for claim in here), default=0.0),
        claims=len(here),
        unclear=sum(claim.unclear for claim in here),
        named=all(name in told for name in one.names) if one.names and here else None,
        flagged=any(verdict in {Verdict.REFUTED, Verdict.CONFLICTING} for verdict in verdicts),
        verified=bool(verdicts) and all(verdict is Verdict.VERIFIED for verdict in verdicts),
    )


def _per_item(done: Sequence[tuple[ClaimsItem, ClaimsOutput]]) -> ItemValues:
    return {
        item.id: {
            name: value.value
            for name, value in claim_measures(sentences_of(item, output), intervals=False).items()
            if value.value is not None
        }
        for item, output in done
    }


def _detail(item: ClaimsItem, output: ClaimsOutput | None) -> ItemDetail:
    sentences = sentences_of(item, output) if output else []
    lines = [
        DetailLine(
            label=f"{marked.mark.value}{f', {marked.verdict.value}' if marked.verdict else ''}: {_said(one)}",
            text=item.text[marked.start : marked.end],
            mark=ReportMark.RIGHT if _is_right(one) else ReportMark.WRONG,
        )
        for marked, one in zip(item.sentences, sentences, strict=bool(output))
    ]
    title = " ".join(item.text[:120].split())
    return ItemDetail(id=item.id, text=title, lines=tuple(lines), failed=output is None)


def _said(one: Sentence) -> str:
    if not one.taken:
        return "left"
    return "flagged" if one.flagged else "verified" if one.verified else "taken"


def _is_right(one: Sentence) -> bool:
    if one.mark is Mark.UNIMPORTANT or one.taken != (one.mark is Mark.CLAIM):
        return one.mark is Mark.UNIMPORTANT
    if one.gold is Label.REFUTES:
        return one.flagged
    return not one.flagged and (one.gold is not Label.SUPPORTS or one.verified)


TASK = Task(name="claims", item_type=ClaimsItem, output_type=ClaimsOutput, score=score_claims)
