"""Extraction as a task: the values of each page, saved as its prediction, so that runs can be compared."""

from collections.abc import Sequence

from core.types import Status
from evaluation.measures.stats.bootstrap import mean_with_interval
from evaluation.reports.measure_bars import measure_bars
from evaluation.reports.models import DetailLine, ItemDetail, Mark, Scores, Table
from evaluation.runs.models import Item, Output, Prediction
from evaluation.runs.session import Task

ENGLISH = "english/"
HEADLINE = ("body_f1", "headline_exact", "day", "authors_f1", "accepted")


class PageItem(Item):
    """One saved page; its text is the headline that it should give."""

    english: bool


class PageOutput(Output):
    """What the page's measures are (`evaluation.tasks.extraction.measures`)."""

    values: dict[str, float]
    refusal: str = ""
    """Why it gave no article; empty: it did."""


def score_extraction(items: Sequence[PageItem], predictions: Sequence[Prediction[PageOutput]]) -> Scores:
    """Average each measure over the pages whose gold states it; again over the English pages."""
    found = {one.id: one.output for one in predictions if one.status is Status.OK and one.output is not None}
    per_item = {item.id: found[item.id].values for item in items if item.id in found}
    english = {item.id for item in items if item.english}
    names = list(dict.fromkeys(name for values in per_item.values() for name in values))
    measures = {
        prefix + name: mean_with_interval(
            [values[name] for page, values in per_item.items() if name in values and (not prefix or page in english)]
        )
        for prefix in ("", ENGLISH)
        for name in names
    }
    return Scores(
        measures=measures,
        per_item=per_item,
        headline=HEADLINE,
        tables=_refusals(found),
        figures=measure_bars(measures, HEADLINE),
        details=tuple(_detail(item, found.get(item.id)) for item in items),
    )


def _refusals(found: dict[str, PageOutput]) -> tuple[Table, ...]:
    rows = tuple((page, output.refusal) for page, output in found.items() if output.refusal)
    return (Table(title="Refused pages", columns=("page", "why"), rows=rows),) if rows else ()


def _detail(item: PageItem, output: PageOutput | None) -> ItemDetail:
    lines = []
    if output is not None:
        if output.refusal:
            lines.append(DetailLine(label="refused", text=output.refusal, mark=Mark.WRONG))
        lines += [DetailLine(label=name, text=f"{value:.3f}") for name, value in output.values.items()]
    return ItemDetail(id=item.id, text=item.text, lines=tuple(lines), failed=output is None)


TASK = Task(name="extraction", item_type=PageItem, output_type=PageOutput, score=score_extraction)
