"""Counter: how many refuted claims get a reply, the five scores of the replies, and rankers over a pool of texts."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from core.paths import SAMPLE
from core.requests import parse_request
from core.types import QueryKind, Result, Status, Verdict
from evaluation.data.formats.claim_pool import read_claim_pool
from evaluation.data.formats.claims import read_claims
from evaluation.data.formats.labels import Label
from evaluation.measures.stats.bootstrap import mean_with_interval
from evaluation.measures.values import MeasureValue
from evaluation.reports.models import Definition, DetailLine, ItemDetail, Mark, Scores
from evaluation.runs.ask_system import answered, ask_system
from evaluation.runs.models import Item, Output, Prediction
from evaluation.runs.predictions import Answered
from evaluation.tasks.counter import figures as counter_pool
from evaluation.tasks.counter.figures import PoolRanker, Ranks, claim_values, pool_measures, pool_tables
from evaluation.tasks.system_task import Pool, SystemTask
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
    """A claim to reply to, or one of the pool."""

    label: Label | None
    """None: of the pool."""


class CounterOutput(Output):
    """What came back."""

    verdict: Verdict | None
    """None: the claim is of the pool."""
    reply: str = ""
    """Empty: none was written."""
    scores: dict[str, float] = {}
    ranks: Ranks = {}
    """Of a claim of the pool; else empty."""


def read(path: Path, split: str | None) -> list[CounterItem]:
    """Read the claims."""
    claims = read_claims(path)
    return [CounterItem(id=one.id, text=one.text, label=one.label) for one in claims if split in {None, one.split}]


def read_pool(path: Path, split: str | None) -> Pool[CounterItem]:
    """Read the claims and texts that rankers are compared on."""
    pool = read_claim_pool(path, split=split)
    ranker = PoolRanker(pool)
    items = {f"pool:{claim.id}": claim for claim in pool.claims}

    def predict(item: CounterItem) -> Answered:
        output = CounterOutput(verdict=None, ranks=ranker.ranks(items[item.id].id))
        return Answered(output=output, duration_ms=0.0)

    return Pool(
        items=[CounterItem(id=name, text=claim.text, label=None) for name, claim in items.items()],
        predict=predict,
        files=pool.files,
        note=pool.note,
    )


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
    """Average over the claims, over the replies, and over the claims of the pool."""
    labels = {item.id: item.label for item in items}
    done = [(labels[one.id], one.output, one.id) for one in predictions if one.status is Status.OK and one.output]
    asked = [(label, output, name) for label, output, name in done if label is not None]
    ranked = {name: output.ranks for label, output, name in done if label is None}
    return Scores(
        measures=_reply_measures([(label, output) for label, output, _ in asked]) | pool_measures([*ranked.values()]),
        per_item={name: {"replied": float(bool(output.reply))} | _scores(output) for _, output, name in asked}
        | {name: claim_values(ranks) for name, ranks in ranked.items()},
        headline=HEADLINE,
        definitions=DEFINITIONS + (counter_pool.DEFINITIONS if ranked else ()),
        tables=pool_tables([*ranked.values()]),
        details=tuple(_detail(item, predictions) for item in items),
    )


def _reply_measures(asked: Sequence[tuple[Label, CounterOutput]]) -> dict[str, MeasureValue]:
    replies = [output for _, output in asked if output.reply]

    def replied(kept: Callable[[Label], bool]) -> list[float]:
        return [float(bool(output.reply)) for label, output in asked if kept(label)]

    measures = {
        "replied": mean_with_interval(replied(lambda _: True)),
        "replied_to_false": mean_with_interval(replied(lambda label: label is Label.REFUTES)),
        "replied_to_true": mean_with_interval(replied(lambda label: label is not Label.REFUTES)),
        "words": mean_with_interval([float(len(output.reply.split())) for output in replies]),
    }
    for name in SCORES:
        measures[name.replace(" ", "_")] = mean_with_interval([output.scores[name] for output in replies])
    return measures


def _scores(output: CounterOutput) -> dict[str, float]:
    return {name.replace(" ", "_"): value for name, value in output.scores.items()}


def _detail(item: CounterItem, predictions: Sequence[Prediction[CounterOutput]]) -> ItemDetail:
    lines = [
        line
        for one in predictions
        if one.id == item.id and one.output is not None
        for line in (_rank_lines(one.output) if item.label is None else [_reply_line(item.label, one.output)])
    ]
    return ItemDetail(id=item.id, text=item.text, lines=tuple(lines), failed=not lines)


def _reply_line(label: Label, output: CounterOutput) -> DetailLine:
    mark = Mark.RIGHT if (label is Label.REFUTES) == bool(output.reply) else Mark.WRONG
    verdict = output.verdict.value if output.verdict else "no verdict"
    return DetailLine(label=f"gold {label.value}, {verdict}", text=output.reply or "No reply.", mark=mark)


def _rank_lines(output: CounterOutput) -> list[DetailLine]:
    return [
        DetailLine(label=ranker, text=f"right texts at rank {', '.join(map(str, ranks))}")
        for ranker, ranks in output.ranks.items()
    ]


TASK = SystemTask(
    name="counter",
    item_type=CounterItem,
    output_type=CounterOutput,
    score=score,
    system="counter",
    summary="Reply to claims (JSON lines: claim, label) and average their scores; with --pool, compare rankers.",
    read=read,
    predictor=predictor,
    sample=SAMPLE / "queries.jsonl",
    read_pool=read_pool,
)
