"""What each finder of conflicts says of statements whose truth is known: hits and false alarms."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.progress import Progress, ProgressEvent, Stage
from core.types import Article
from evaluation.benchmarks.near_copies.read import FarStatement, NearCopy
from models.evidence import EvidenceReading
from pipelines.conflicts.comparison import FINDERS, NEGATION, OPPOSITES, wording_conflicts
from pipelines.contracts.evidence import Evidence
from pipelines.contracts.span_reader import SpanReader
from pipelines.reading.slot_questions import CLOZE, find_conflicts, surroundings

ALL = (CLOZE, NEGATION, OPPOSITES, *FINDERS)
"""Every finder."""


@dataclass
class FinderFigures:
    """Counts of statements by truth that a finder objects to."""

    near: Counter[str] = field(default_factory=Counter)
    """Of the near copies."""
    far: Counter[str] = field(default_factory=Counter)
    """Of the statements in words of their own."""


class RememberedReader:
    """A span reader that reads no pair twice."""

    def __init__(self, model: SpanReader) -> None:
        self._model = model
        self._known: dict[tuple[str, str], EvidenceReading] = {}

    def load(self) -> None:
        """Load the model."""
        self._model.load()

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[EvidenceReading]:
        """Read pairs; those that are known cost nothing."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        self._known |= dict(zip(new, self._model.read(new), strict=True)) if new else {}
        return [self._known[pair] for pair in pairs]


def objecting(model: SpanReader | None, statement: str, item: Evidence) -> set[str]:
    """
    Return the finders that find a conflict between a statement and a sentence, each asked by itself.

    :param model: Asked for numbers and names; None: nothing is asked back.
    """
    near = surroundings(item)
    found = {
        name
        for name in ALL
        if name != CLOZE and wording_conflicts(statement, item.text, near=near, without=frozenset(ALL) - {name})
    }
    if model is None:
        return found
    asked = find_conflicts(model, statement, [item], max_slots=3, max_texts=1, without=frozenset(ALL) - {CLOZE})
    return found | {CLOZE} if any(one.conflicts for one in asked) else found


def measure_finders(
    model: SpanReader | None,
    near: Sequence[NearCopy],
    far: Sequence[FarStatement],
    *,
    asked: int,
    articles: dict[str, Article],
    progress: Progress,
) -> tuple[dict[str, FinderFigures], dict[str, Counter[str]]]:
    """
    Count what each finder objects to.

    :param asked: Statements of each kind of wording, from the front, that are asked back: the model takes its time.
    :returns: The figures by finder; and by kind of change, how many true, false and open ones any finder objects to.
    """
    figures: dict[str, FinderFigures] = defaultdict(FinderFigures)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for number, copy in enumerate(near, start=1):
        progress(ProgressEvent(stage=Stage.EVALUATE, done=number, total=len(near)))
        found = objecting(
            model if number <= asked else None,
            copy.statement,
            sentence_evidence(articles[copy.article_id], copy.start, copy.end),
        )
        kinds[copy.kind][copy.truth] += bool(found)
        for name in found:
            figures[name].near[copy.truth] += 1
    for number, other in enumerate(far, start=1):
        progress(ProgressEvent(stage=Stage.EVALUATE, done=number, total=len(far)))
        article = next(iter(articles.values())).model_copy(update={"headline": "-", "body": other.sentence})
        for name in objecting(
            model if number <= asked else None, other.statement, sentence_evidence(article, 0, len(other.sentence))
        ):
            figures[name].far[other.truth] += 1
    return {name: figures[name] for name in ALL}, kinds


def sentence_evidence(article: Article, start: int, end: int) -> Evidence:
    """Return a sentence as evidence whose piece is the sentence itself."""
    text = article.body[start:end]
    return Evidence(
        article=article, start=start, end=end, text=text, context=text, context_start=start, relevance=1.0, score=1.0
    )
