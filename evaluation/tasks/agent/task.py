"""Agent: verdicts and certainties of investigations, what they cost, and where the evidence comes from."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from core.paths import SAMPLE
from core.requests import parse_request
from core.types import Probability, QueryKind, Result, Status, Verdict
from core.urls import hostname
from evaluation.data.formats.claims import read_claims
from evaluation.data.formats.labels import Label
from evaluation.data.formats.lines import plain_or_gzip
from evaluation.measures.stats.bootstrap import mean_with_interval, statistic_with_interval
from evaluation.measures.verdict.brier import brier_right
from evaluation.measures.verdict.calibration import expected_calibration_error
from evaluation.reports.models import Definition, DetailLine, ItemDetail, Mark, Scores
from evaluation.runs.ask_system import answered, ask_system
from evaluation.runs.models import Item, Output, Prediction
from evaluation.runs.predictions import Answered
from evaluation.tasks.agent.figures import Judged, Source, macro_f1, split_tables
from evaluation.tasks.system_task import SystemTask
from pipelines.engine import Engine
from pipelines.systems.agent.sources import KIND as SOURCES
from pipelines.systems.agent.system import SHARE_BLOCKED

UNPARSABLE = frozenset({"reply_unparsable", "generator_failed"})
HEADLINE = ("macro_f1", "accuracy", "parsable", "searches", "ece", "brier")
_LABELS = tuple(Label)
_OF = {
    Verdict.VERIFIED: Label.SUPPORTS,
    Verdict.REFUTED: Label.REFUTES,
    Verdict.CONFLICTING: Label.CONFLICTING,
    Verdict.UNVERIFIED: Label.NEITHER,
}
_PERCENT = 100
DEFINITIONS = tuple(
    Definition(name=name, definition=definition, source=source)
    for name, definition, source in (
        ("macro_f1", "Mean F1 of the labels that occur.", "As scikit-learn's f1_score."),
        ("accuracy", "Share of claims with the right label; unverified counts as neither.", ""),
        ("parsable", "Share of claims for which every reply of the model could be used; 1 without a model.", "Own."),
        ("searches", "Searches a claim.", "Own."),
        ("ece", "Expected calibration error of the certainty.", "Guo et al., ICML 2017."),
        ("brier", "Mean squared difference of the certainty and whether the label is right.", "Brier, 1950."),
    )
)


class AgentItem(Item):
    """A claim with its label."""

    label: Label
    date: str | None = None


class AgentOutput(Output):
    """What an investigation came to."""

    verdict: Verdict
    certainty: Probability
    searches: int
    parsable: bool
    sources: tuple[Source, ...] = ()
    """That the result cites."""
    has_grades: bool = False
    """Whether the newsroom has a list of grades."""
    blocked: bool = False
    """Whether the block list or the allow list dropped an article."""


def read(path: Path, split: str | None) -> list[AgentItem]:
    """Read the claims; the sample is a folder."""
    file = plain_or_gzip(path / "queries.jsonl") if path.is_dir() else path
    return [
        AgentItem(id=claim.id, text=claim.text, label=claim.label, date=claim.date)
        for claim in read_claims(file)
        if split in {None, claim.split}
    ]


def predictor(engine: Engine, options: Mapping[str, str]) -> Callable[[AgentItem], Answered]:
    """Let the agent investigate."""

    def predict(item: AgentItem) -> Answered:
        fields = {"text": item.text, "kind": QueryKind.STATEMENT, "as_of": item.date, "options": dict(options)}
        result = ask_system(engine, "agent", parse_request(fields))
        return answered(result, output_of(result))

    return predict


def output_of(result: Result) -> AgentOutput:
    """Keep of a result what is scored."""
    certainty = next((one for one in result.sections if one.kind == "certainty"), None)
    value = next(iter(certainty.scores.values()), 0.0) if certainty else 0.0
    hosts = Counter(hostname(reference.url) for reference in result.references)
    graded = next((one for one in result.sections if one.kind == SOURCES), None)
    rounds = [section for section in result.sections if section.kind == "round"]
    return AgentOutput(
        verdict=result.verdict or Verdict.UNVERIFIED,
        certainty=value / _PERCENT,
        searches=len(rounds),
        parsable=not any(notice.code in UNPARSABLE for notice in result.warnings),
        sources=tuple(
            Source(host=host, articles=count, grade=graded.scores.get(host) if graded else None)
            for host, count in sorted(hosts.items())
        ),
        has_grades=graded is not None,
        blocked=any(SHARE_BLOCKED in section.scores for section in rounds),
    )


def label_of(output: AgentOutput) -> Label:
    """Return the label that a verdict stands for."""
    return _OF[output.verdict]


def score(items: Sequence[AgentItem], predictions: Sequence[Prediction[AgentOutput]]) -> Scores:
    """Score the verdicts."""
    gold_of = {item.id: item.label for item in items}
    pairs = [(gold_of[one.id], one.output, one.id) for one in predictions if one.status is Status.OK and one.output]
    gold = np.array([_LABELS.index(label) for label, _, _ in pairs], dtype=np.int64)
    found = np.array([_LABELS.index(label_of(output)) for _, output, _ in pairs], dtype=np.int64)
    certainty = np.array([output.certainty for _, output, _ in pairs])
    right = gold == found
    measures = {
        "macro_f1": macro_f1(gold, found, labels=len(_LABELS)),
        "accuracy": mean_with_interval(right.astype(float)),
        "parsable": mean_with_interval([float(output.parsable) for _, output, _ in pairs]),
        "searches": mean_with_interval([float(output.searches) for _, output, _ in pairs]),
        "ece": statistic_with_interval(
            len(pairs), lambda picks: expected_calibration_error(certainty[picks], right[picks]), basic=True
        ),
        "brier": mean_with_interval(brier_right(certainty, right)),
    }
    per_item = {
        name: {"accuracy": float(right[at]), "searches": float(output.searches)}
        for at, (_, output, name) in enumerate(pairs)
    }
    return Scores(
        measures=measures,
        per_item=per_item,
        headline=HEADLINE,
        definitions=DEFINITIONS,
        tables=split_tables(
            [_judged(int(gold[at]), int(found[at]), output) for at, (_, output, _) in enumerate(pairs)],
            labels=len(_LABELS),
        ),
        details=tuple(_detail(item, predictions) for item in items),
    )


def _judged(gold: int, found: int, output: AgentOutput) -> Judged:
    return Judged(gold=gold, found=found, sources=output.sources, has_grades=output.has_grades, blocked=output.blocked)


def _detail(item: AgentItem, predictions: Sequence[Prediction[AgentOutput]]) -> ItemDetail:
    lines = []
    for one in predictions:
        if one.id == item.id and one.output is not None:
            mark = Mark.RIGHT if label_of(one.output) is item.label else Mark.WRONG
            said = f"{one.output.verdict.value}, certainty {one.output.certainty:.2f}, {one.output.searches} searches"
            lines.append(DetailLine(label=f"gold {item.label.value}", text=said, mark=mark))
    return ItemDetail(id=item.id, text=item.text, lines=tuple(lines), failed=not lines)


TASK = SystemTask(
    name="agent",
    item_type=AgentItem,
    output_type=AgentOutput,
    score=score,
    system="agent",
    summary="Investigate claims (JSON lines: claim, label) and score verdicts, certainties and searches.",
    read=read,
    predictor=predictor,
    sample=SAMPLE / "queries.jsonl",
)
