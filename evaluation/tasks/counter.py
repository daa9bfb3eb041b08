"""Counter: how many refuted claims get a reply, and the five scores of the replies."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from core.paths import SAMPLE
from core.requests import parse_request
from core.types import QueryKind, Result, Status, Verdict
from evaluation.asking import answered, ask_system
from evaluation.formats.claims import read_claims
from evaluation.formats.labels import Label
from evaluation.reports.models import Definition, DetailLine, ItemDetail, Mark, Scores
from evaluation.runs.execute import Answered
from evaluation.runs.models import Item, Output, Prediction
from evaluation.stats.bootstrap import mean_with_interval
from evaluation.system_task import SystemTask
from pipelines.engine import Engine

SCORES = ("refutation", "factuality", "politeness", "relevance to claim", "relevance to evidence")
HEADLINE = ("replied", "replied_to_false", "replied_to_true", *(name.replace(" ", "_") for name in SCORES), "words")
DEFINITIONS = tuple(
    Definition(name=name, definition=definition, source="Own.")
    for name, definition in (
        ("replied", "Share of claims that got a reply."),
        ("replied_to_false", "Share of the claims with label refuted that got a reply."),
        ("replied_to_true", "Share of the other claims that got one: each is a mistake."),
        ("refutation", "How sure the verifier is that a sentence of the reply refutes the claim."),
        ("factuality", "Share of a candidate's sentences that its quotes support."),
        ("politeness", "1 without insult, accusation or shouting."),
        ("relevance_to_claim", "How likely the reply, or a quote in it, bears on the claim, by the reader."),
        ("relevance_to_evidence", "Share of the words of the best quote that the reply has."),
        ("words", "Words of a reply, its links among them."),
    )
)


class CounterItem(Item):
    """A claim with its label."""

    label: Label


class CounterOutput(Output):
    """What came back."""

    verdict: Verdict
    reply: str = ""
    """Empty: none was written."""
    scores: dict[str, float] = {}  # noqa: RUF012 - a frozen model copies it


def read(path: Path, split: str | None) -> list[CounterItem]:
    """Read the claims."""
    claims = read_claims(path)
    return [CounterItem(id=one.id, text=one.text, label=one.label) for one in claims if split in {None, one.split}]


def predictor(engine: Engine, options: Mapping[str, str]) -> Callable[[CounterItem], Answered]:
    """Ask for a reply."""

    def predict(item: CounterItem) -> Answered:
        fields = {"text": item.text, "kind": QueryKind.STATEMENT, "options": dict(options)}
        result = ask_system(engine, "counter", parse_request(fields))
        return answered(result, output_of(result))

    return predict


def output_of(result: Result) -> CounterOutput:
    """Keep of a result what is scored."""
    scores = {name: value for one in result.sections if one.kind == "score" for name, value in one.scores.items()}
    return CounterOutput(
        verdict=result.verdict or Verdict.UNVERIFIED, reply=result.answer if scores else "", scores=scores
    )


def score(items: Sequence[CounterItem], predictions: Sequence[Prediction[CounterOutput]]) -> Scores:
    """Average over the claims, and over the replies."""
    labels = {item.id: item.label for item in items}
    done = [(labels[one.id], one.output, one.id) for one in predictions if one.status is Status.OK and one.output]
    replies = [output for _, output, _ in done if output.reply]

    def replied(kept: Callable[[Label], bool]) -> list[float]:
        return [float(bool(output.reply)) for label, output, _ in done if kept(label)]

    measures = {
        "replied": mean_with_interval(replied(lambda _: True)),
        "replied_to_false": mean_with_interval(replied(lambda label: label is Label.REFUTES)),
        "replied_to_true": mean_with_interval(replied(lambda label: label is not Label.REFUTES)),
        "words": mean_with_interval([float(len(output.reply.split())) for output in replies]),
    }
    for name in SCORES:
        measures[name.replace(" ", "_")] = mean_with_interval([output.scores[name] for output in replies])
    return Scores(
        measures=measures,
        per_item={name: {"replied": float(bool(output.reply))} | _scores(output) for _, output, name in done},
        headline=HEADLINE,
        definitions=DEFINITIONS,
        details=tuple(_detail(item, predictions) for item in items),
    )


def _scores(output: CounterOutput) -> dict[str, float]:
    return {name.replace(" ", "_"): value for name, value in output.scores.items()}


def _detail(item: CounterItem, predictions: Sequence[Prediction[CounterOutput]]) -> ItemDetail:
    lines = []
    for one in predictions:
        if one.id == item.id and one.output is not None:
            wanted = item.label is Label.REFUTES
            mark = Mark.RIGHT if wanted == bool(one.output.reply) else Mark.WRONG
            label = f"gold {item.label.value}, {one.output.verdict.value}"
            lines.append(DetailLine(label=label, text=one.output.reply or "No reply.", mark=mark))
    return ItemDetail(id=item.id, text=item.text, lines=tuple(lines), failed=not lines)


TASK = SystemTask(
    name="counter",
    item_type=CounterItem,
    output_type=CounterOutput,
    score=score,
    system="counter",
    summary="Reply to claims (JSON lines: claim, label) and average the scores of the replies.",
    read=read,
    predictor=predictor,
    sample=SAMPLE / "queries.jsonl",
)
