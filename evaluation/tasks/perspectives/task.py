"""Perspectives: does the system find the articles that bear on a question, their sides, and who says the same?"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from core.requests import parse_request
from core.types import Model, Probability, QueryKind, Status
from core.urls import article_id
from evaluation.data.formats.perspectives import KnownPerspective, read_perspectives
from evaluation.data.formats.stance_pairs import PairLabel, is_pair, read_stance_pairs, rows_of
from evaluation.measures.stats.bootstrap import mean_with_interval
from evaluation.measures.stats.clustered import clustered_mean, clustered_statistic
from evaluation.measures.verdict import confusion
from evaluation.optional_import import require
from evaluation.reports.models import Definition, DetailLine, ItemDetail, Mark, Scores
from evaluation.runs.models import Item, Output, Prediction
from evaluation.runs.predictions import Answered
from evaluation.tasks.perspectives.pairs import PairOutput, predict_pair, score_pairs
from evaluation.tasks.system_task import SystemTask
from pipelines.engine import Engine
from pipelines.systems.perspectives.system import SYSTEM
from pipelines.systems.perspectives.types import Grouping, Stance

HEADLINE = ("found", "evidence_precision", "stance_accuracy", "stance_macro_f1", "sides_named", "ari", "v_measure")
DEFINITIONS = tuple(
    Definition(name=name, definition=definition, source=source)
    for name, definition, source in (
        ("found", "Share of a question's known articles that the system shows.", "Own."),
        ("evidence_precision", "Share of the articles shown that are known to bear on the question.", "Own."),
        (
            "stance_accuracy",
            "Of the known articles shown: the likelier side is the right one; mixed ones left out.",
            "",
        ),
        ("stance_macro_f1", "Mean F1 of yes and no, over the same.", "As scikit-learn's f1_score."),
        ("sides_named", "Share of them for which a side is named at all.", "Own."),
        ("named_accuracy", "Of those for which a side is named: it is right.", "Own."),
        ("ari", "Adjusted Rand index of the sides against the known clusters, a question.", "Hubert and Arabie, 1985."),
        ("v_measure", "Harmonic mean of homogeneity and completeness, a question.", "Rosenberg and Hirschberg, 2007."),
    )
)
_SIDES = (Stance.YES, Stance.NO)


class PerspectivesItem(Item):
    """A question with what its articles are known to say, or with one text and its stance."""

    known: tuple[KnownPerspective, ...] = ()
    passage: str = ""
    label: PairLabel | None = None
    """Of `passage`; None: the articles are searched for."""


class Shown(Model):
    """One article as the system shows it."""

    url: str
    stance: Stance
    yes: Probability
    cluster: int
    """Number of the side; articles on their own have numbers of their own."""


class PerspectivesOutput(Output):
    """All articles that the system shows, or what it says to the text that is given."""

    shown: tuple[Shown, ...] = ()
    pair: PairOutput | None = None


def read(path: Path, split: str | None) -> list[PerspectivesItem]:
    """Read questions with their articles, or texts with their stance: the first row tells."""
    first = next((row for _, row in rows_of(path)), {})
    if is_pair(first):
        pairs = read_stance_pairs(path, split)
        return [PerspectivesItem(id=one.id, text=one.query, passage=one.text, label=one.label) for one in pairs]
    return [
        PerspectivesItem(id=row.id, text=row.text, known=row.perspectives) for row in read_perspectives(path, split)
    ]


def predictor(engine: Engine, options: Mapping[str, str]) -> Callable[[PerspectivesItem], Answered]:
    """Ask the pipeline, whose outputs tell the stance of each article."""

    def predict(item: PerspectivesItem) -> Answered:
        if item.label is not None:
            pair = predict_pair(engine, item.text, item.passage)
            return Answered(output=PerspectivesOutput(pair=pair))
        request = parse_request({"text": item.text, "options": dict(options)})
        inputs = SYSTEM.inputs(request, kind=QueryKind.QUESTION, top_k=engine.settings.top_k)
        outputs = engine.run_pipeline(SYSTEM.pipeline, inputs, options=SYSTEM.check_options(request))
        return Answered(output=PerspectivesOutput(shown=_shown(outputs["sides"]["grouping"])))

    return predict


def _shown(grouping: Grouping) -> tuple[Shown, ...]:
    groups = [side.theses for side in grouping.sides] + [(thesis,) for thesis in grouping.alone]
    return tuple(
        Shown(url=thesis.article.url, stance=thesis.stance, yes=thesis.yes, cluster=number)
        for number, theses in enumerate(groups)
        for thesis in theses
    )


def score(items: Sequence[PerspectivesItem], predictions: Sequence[Prediction[PerspectivesOutput]]) -> Scores:
    """Score what was shown, or what was said to the texts given."""
    if gold := {item.id: item.label for item in items if item.label is not None}:
        judged = [
            Prediction[PairOutput](**one.model_dump(exclude={"output"}), output=one.output and one.output.pair)
            for one in predictions
        ]
        return score_pairs([item for item in items if item.id in gold], gold, judged)
    by_id = {item.id: item for item in items}
    answered = [(by_id[one.id], one.output) for one in predictions if one.status is Status.OK and one.output]
    per_item = {item.id: _values(item, output) for item, output in answered}
    sided = [pair for item, output in answered for pair in _sided(item, output)]
    asked = [item.id for item, output in answered for _ in _sided(item, output)]
    likely = [float(_likelier(shown) is known.stance) for known, shown in sided]
    is_named = [float(shown.stance is not Stance.MIXED) for _, shown in sided]
    named = [
        (float(one.stance is known.stance), at)
        for (known, one), at in zip(sided, asked, strict=True)
        if one.stance is not Stance.MIXED
    ]
    names = ("found", "evidence_precision", "ari", "v_measure")
    means = {name: mean_with_interval([own[name] for own in per_item.values() if name in own]) for name in names}
    return Scores(
        measures=means
        | {
            "stance_accuracy": clustered_mean(likely, asked),
            "stance_macro_f1": clustered_statistic(asked, lambda rows: _macro_f1([sided[at] for at in rows])),
            "sides_named": clustered_mean(is_named, asked),
            "named_accuracy": clustered_mean([hit for hit, _ in named], [at for _, at in named]),
        },
        per_item=per_item,
        headline=HEADLINE,
        definitions=DEFINITIONS,
        details=_details(items, predictions),
    )


def _values(item: PerspectivesItem, output: PerspectivesOutput) -> dict[str, float]:
    """Return one question's values; clusters only where two known articles with clusters are shown."""
    hits = _hits(item, output)
    values = {"found": len(hits) / len(_known(item))}
    if output.shown:
        values["evidence_precision"] = len(hits) / len(output.shown)
    clustered = [(known.cluster, one.cluster) for known, one in hits if known.cluster]
    if len(clustered) > 1:
        metrics = require("sklearn.metrics", extra="evaluation", need="scoring clusters")
        gold, found = zip(*clustered, strict=True)
        values["ari"] = float(metrics.adjusted_rand_score(gold, found))
        values["v_measure"] = float(metrics.v_measure_score(gold, found))
    return values


def _sided(item: PerspectivesItem, output: PerspectivesOutput) -> list[tuple[KnownPerspective, Shown]]:
    return [(known, one) for known, one in _hits(item, output) if known.stance is not Stance.MIXED]


def _hits(item: PerspectivesItem, output: PerspectivesOutput) -> list[tuple[KnownPerspective, Shown]]:
    known = _known(item)
    return [(known[name], one) for one in output.shown if (name := article_id(one.url)) in known]


def _known(item: PerspectivesItem) -> dict[str, KnownPerspective]:
    """Return article id to what is known of it: one address may be written in several ways."""
    return {article_id(one.url): one for one in item.known}


def _likelier(shown: Shown) -> Stance:
    return Stance.YES if shown.yes > 1 - shown.yes else Stance.NO


def _macro_f1(pairs: Sequence[tuple[KnownPerspective, Shown]]) -> float | None:
    gold = np.array([_SIDES.index(known.stance) for known, _ in pairs], dtype=np.int64)
    found = np.array([_SIDES.index(_likelier(shown)) for _, shown in pairs], dtype=np.int64)
    return confusion.macro_f1(confusion.count(gold, found, labels=len(_SIDES)))


def _details(
    items: Sequence[PerspectivesItem], predictions: Sequence[Prediction[PerspectivesOutput]]
) -> tuple[ItemDetail, ...]:
    found = {one.id: one.output for one in predictions}
    return tuple(_detail(item, found.get(item.id)) for item in items)


def _detail(item: PerspectivesItem, output: PerspectivesOutput | None) -> ItemDetail:
    known = _known(item)
    lines = []
    for one in output.shown if output else ():
        gold = known.get(article_id(one.url))
        said = f"{one.url}: {one.stance.value} ({one.yes:.2f})" + (
            f", gold {gold.stance.value}" if gold else ", not known"
        )
        right = gold is not None and one.stance in {gold.stance, Stance.MIXED}
        lines.append(DetailLine(label=f"side {one.cluster + 1}", text=said, mark=Mark.RIGHT if right else Mark.WRONG))
    return ItemDetail(id=item.id, text=item.text, lines=tuple(lines), failed=output is None)


TASK = SystemTask(
    name="perspectives",
    item_type=PerspectivesItem,
    output_type=PerspectivesOutput,
    score=score,
    system="perspectives",
    summary="Stance of texts (JSON lines: id, query, text, label), or sides of questions whose articles are known "
    "(id, text, perspectives).",
    read=read,
    predictor=predictor,
    searches=lambda items: any(item.label is None for item in items),
)
