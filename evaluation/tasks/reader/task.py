"""Reading: the span of a paragraph that answers a question, or that there is none."""

from collections.abc import Sequence

from core.types import Status
from evaluation.measures.stats.bootstrap import mean_with_interval
from evaluation.measures.text.no_answer_threshold import best_threshold
from evaluation.measures.text.squad import exact_match, token_f1
from evaluation.measures.values import MeasureValue
from evaluation.reports.measure_bars import measure_bars
from evaluation.reports.models import Definition, DetailLine, ItemDetail, Mark, Scores
from evaluation.runs.models import Item, Output, Prediction
from evaluation.runs.session import Task

HEADLINE = (
    "exact_match", "f1", "has_answer_exact_match", "has_answer_f1", "no_answer_accuracy", "best_exact_match", "best_f1",
)  # fmt: skip

DEFINITIONS = (
    Definition(
        name="exact_match, f1",
        definition="Best over the accepted answers after normalisation; mean over questions, as a share.",
        source="Official SQuAD 2.0 script (there times 100).",
    ),
    Definition(
        name="has_answer_*, no_answer_accuracy",
        definition="The same over the questions that can, and cannot, be answered.",
        source="HasAns and NoAns of the official script.",
    ),
    Definition(
        name="best_exact_match, best_f1",
        definition="With the no-answer threshold that is best on this very data: an upper bound.",
        source="best_exact and best_f1 of the official script.",
    ),
)


class ReaderItem(Item):
    """A question with its accepted answers."""

    answers: tuple[str, ...]
    """Empty: it cannot be answered."""
    context: str


class ReaderOutput(Output):
    """What was read."""

    answer: str
    """The answer given; empty: declined."""
    best_span: str
    """What would have been given had there to be an answer."""
    no_answer: float | None
    """Score for "no answer here" against the best span; None: not known."""


def score_reader(items: Sequence[ReaderItem], predictions: Sequence[Prediction[ReaderOutput]]) -> Scores:
    """Score answers as the official script does."""
    found = {one.id: one.output for one in predictions if one.status is Status.OK and one.output is not None}
    rows = [(item, found[item.id]) for item in items if item.id in found]
    per_item = {
        item.id: {"exact_match": exact_match(item.answers, out.answer), "f1": token_f1(item.answers, out.answer)}
        for item, out in rows
    }
    measures = {
        name: mean_with_interval([values[name] for values in per_item.values()]) for name in ("exact_match", "f1")
    }
    answerable = [per_item[item.id] for item, _ in rows if item.answers]
    impossible = [per_item[item.id] for item, _ in rows if not item.answers]
    if impossible and answerable:
        measures["has_answer_exact_match"] = mean_with_interval([values["exact_match"] for values in answerable])
        measures["has_answer_f1"] = mean_with_interval([values["f1"] for values in answerable])
        measures["no_answer_accuracy"] = mean_with_interval([values["exact_match"] for values in impossible])
    measures |= _best(rows) if impossible else {}
    return Scores(
        measures=measures,
        per_item=per_item,
        headline=HEADLINE,
        definitions=DEFINITIONS,
        figures=measure_bars(measures, HEADLINE),
        details=tuple(_detail(item, found.get(item.id)) for item in items),
    )


def _best(rows: Sequence[tuple[ReaderItem, ReaderOutput]]) -> dict[str, MeasureValue]:
    no_answer = [output.no_answer for _, output in rows if output.no_answer is not None]
    if len(no_answer) < len(rows):
        return {}
    has_answer = [bool(item.answers) for item, _ in rows]
    answered = [bool(output.best_span) for _, output in rows]
    found = {}
    for name, measure in (("exact_match", exact_match), ("f1", token_f1)):
        scores = [measure(item.answers, output.best_span) for item, output in rows]
        best = best_threshold(no_answer, scores, has_answer=has_answer, answered=answered)
        found[f"best_{name}"] = MeasureValue(value=best.score, n=len(rows))
        found[f"best_{name}_threshold"] = MeasureValue(value=best.threshold, n=len(rows))
    return found


def _detail(item: ReaderItem, output: ReaderOutput | None) -> ItemDetail:
    lines = [DetailLine(label="gold", text=" / ".join(dict.fromkeys(item.answers)) or "(no answer)")]
    if output is not None:
        mark = Mark.RIGHT if exact_match(item.answers, output.answer) else Mark.WRONG
        lines.append(DetailLine(label="answer", text=output.answer or "(declined)", mark=mark))
        if output.best_span != output.answer:
            lines.append(DetailLine(label="best span", text=output.best_span))
        if output.no_answer is not None:
            lines.append(DetailLine(label="no-answer score", text=f"{output.no_answer:.2f}"))
    return ItemDetail(id=item.id, text=item.text, lines=tuple(lines), failed=output is None)


TASK = Task(name="reader", item_type=ReaderItem, output_type=ReaderOutput, score=score_reader)
