"""Retrieval: which articles come back for a query, and in which order."""

from collections.abc import Sequence

from core.types import Model, Status
from evaluation.measures.retrieval import ALL
from evaluation.measures.retrieval.score import score_rankings
from evaluation.measures.stats.bootstrap import mean_with_interval
from evaluation.measures.values import ItemValues, MeasureValue
from evaluation.reports.measure_bars import measure_bars
from evaluation.reports.models import (
    Definition,
    DetailLine,
    ItemDetail,
    Line,
    LineFigure,
    Mark,
    Scores,
)
from evaluation.runs.models import Item, Output, Prediction
from evaluation.runs.session import Task

HEADLINE = ("MRR", "MAP", "MAP@5", "mean_precision@10", "nDCG@10", "R@10", "success@1")
_SHOWN_RANKS = 10


class RetrievalItem(Item):
    """A query with its judgements."""

    judgements: dict[str, int]
    """Document id to grade; 1 or better is relevant."""


class Ranked(Model):
    """One article of a ranking."""

    id: str
    score: float | None = None
    headline: str = ""


class RetrievalOutput(Output):
    """A ranking, best first."""

    ranked: tuple[Ranked, ...]


def score_retrieval(items: Sequence[RetrievalItem], predictions: Sequence[Prediction[RetrievalOutput]]) -> Scores:
    """
    Score rankings. Their order is what counts: it is handed on as falling scores, so that ties cannot change it.

    A query whose search failed is left out; one whose search found nothing scores each measure's default.
    """
    ranked = {one.id: one.output for one in predictions if one.status is Status.OK and one.output is not None}
    judgements = {item.id: item.judgements for item in items if item.id in ranked}
    rankings = (
        (name, {entry.id: float(len(output.ranked) - rank) for rank, entry in enumerate(output.ranked)})
        for name, output in ranked.items()
    )
    values = dict(score_rankings(judgements, rankings))
    per_item = {name: values[name] for name in judgements}
    return retrieval_scores(per_item, details=tuple(_detail(item, ranked.get(item.id)) for item in items))


def retrieval_scores(per_item: ItemValues, *, details: tuple[ItemDetail, ...] = ()) -> Scores:
    """Average per-query values, with figures and definitions."""
    measures = {
        measure.name: mean_with_interval([values[measure.name] for values in per_item.values()]) for measure in ALL
    }
    return Scores(
        measures=measures,
        per_item=per_item,
        headline=HEADLINE,
        definitions=tuple(Definition(name=one.name, definition=one.definition, source=one.source) for one in ALL),
        figures=(*measure_bars(measures, HEADLINE), _precision(measures)) if per_item else (),
        details=details,
        notes=(
            "A query without results scores 0. Articles without a judgement count as not relevant. Grade 1 or better "
            "is relevant; nDCG uses the grades.",
        ),
    )


def _precision(measures: dict[str, MeasureValue]) -> LineFigure:
    lines = [_line_at_k(f"{name}@k", f"{name}@", measures) for name in ("P", "R", "nDCG")]
    cut_offs = sorted({x for line in lines for x, _ in line.points})
    return LineFigure(
        title="Precision, recall and nDCG at k",
        x="k",
        y="mean over queries",
        x_range=(min(cut_offs), max(cut_offs)),
        x_ticks=tuple(cut_offs),
        lines=tuple(lines),
        note="Bands: 95 % intervals.",
    )


def _line_at_k(label: str, prefix: str, measures: dict[str, MeasureValue]) -> Line:
    found = [(int(name.removeprefix(prefix)), one) for name, one in measures.items() if name.startswith(prefix)]
    shown = [(k, one) for k, one in sorted(found, key=lambda entry: entry[0]) if k <= _SHOWN_RANKS]
    points = [(float(k), one.value) for k, one in shown if one.value is not None]
    spread = [(one.low, one.high) for _, one in shown if one.low is not None and one.high is not None]
    return Line(label=label, points=tuple(points), spread=tuple(spread) if len(spread) == len(points) else ())


def _detail(item: RetrievalItem, output: RetrievalOutput | None) -> ItemDetail:
    ranked = output.ranked if output else ()
    ranks = {entry.id: rank for rank, entry in enumerate(ranked, 1)}
    lines = [
        _gold_line(name, grade, ranks) for name, grade in sorted(item.judgements.items(), key=_best_first) if grade
    ]
    for rank, entry in enumerate(ranked[:_SHOWN_RANKS], 1):
        grade = item.judgements.get(entry.id, 0)
        lines.append(
            DetailLine(
                label=str(rank),
                text=f"{entry.headline or entry.id}" + (f" · grade {grade}" if grade else ""),
                mark=Mark.RIGHT if grade else Mark.NEUTRAL,
            )
        )
    return ItemDetail(id=item.id, text=item.text or item.id, lines=tuple(lines), failed=output is None)


def _best_first(entry: tuple[str, int]) -> tuple[int, str]:
    return -entry[1], entry[0]


def _gold_line(name: str, grade: int, ranks: dict[str, int]) -> DetailLine:
    rank = ranks.get(name)
    where = f"rank {rank}" if rank else "not found"
    mark = Mark.WRONG if rank is None else Mark.NEUTRAL
    return DetailLine(label="gold", text=f"{name} · grade {grade} · {where}", mark=mark)


TASK = Task(name="retrieval", item_type=RetrievalItem, output_type=RetrievalOutput, score=score_retrieval)
