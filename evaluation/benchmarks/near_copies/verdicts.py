"""Verdicts on near copies with their article as evidence, and what each finder changes in them."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.progress import Progress, ProgressEvent, Stage
from core.types import Article, QueryKind, Verdict
from evaluation.benchmarks.near_copies.finders import ALL, RememberedReader
from evaluation.benchmarks.near_copies.read import NearCopy
from indexing.documents import article_documents
from pipelines.contracts.evidence import CheckedAnswer, Evidence
from pipelines.contracts.verifier import Judgement, Verifier
from pipelines.entailment.evidence_verifier import settle
from pipelines.evidence.sentence_selector import SentenceSelector
from pipelines.evidence.verdict import VerdictWriter
from pipelines.reading.slot_questions import find_conflicts
from pipelines.reading.span_reader import EvidenceReader
from pipelines.resources import Resources

_SLOTS, _TEXTS, _PIECES = 3, 2, 4
"""As `EvidenceVerifier` has them."""
Outcomes = Counter[tuple[str, Verdict]]
"""Truth and verdict, how often."""


@dataclass
class VerdictFigures:
    """Verdicts on near copies."""

    outcomes: Outcomes = field(default_factory=Counter)
    """With all finders."""
    by_kind: dict[str, Outcomes] = field(default_factory=lambda: defaultdict(Counter))
    without: dict[str, Outcomes] = field(default_factory=lambda: {name: Counter() for name in ALL})
    """With one finder switched off."""


class RememberedVerifier:
    """A verifier that judges no pair twice."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self._known: dict[tuple[str, str], Judgement] = {}
        self.identity, self.method, self.thresholds = verifier.identity, verifier.method, verifier.thresholds

    def reads_whole(self, statement: str) -> bool:
        """Say whether a statement is judged whole."""
        return self._verifier.reads_whole(statement)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge pairs; those that are known cost nothing."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        self._known |= dict(zip(new, self._verifier.judge(new), strict=True)) if new else {}
        return [self._known[pair] for pair in pairs]


def measure_verdicts(
    resources: Resources, near: Sequence[NearCopy], *, articles: dict[str, Article], progress: Progress
) -> VerdictFigures:
    """
    Judge near copies, each with the passages of its own article as what was found.

    :returns: How often which verdict was given; with all finders, by kind of change, and with each finder left out.
    """
    figures = VerdictFigures()
    for number, copy in enumerate(near, start=1):
        progress(ProgressEvent(stage=Stage.EVALUATE, done=number, total=len(near)))
        evidence = _found(resources, copy.statement, articles[copy.article_id])
        model = RememberedReader(resources.evidence_model())
        verifier = RememberedVerifier(resources.verifier())
        verdict, finders = _verdict(resources, model, verifier, copy.statement, evidence)
        figures.outcomes[copy.truth, verdict] += 1
        figures.by_kind[copy.kind][copy.truth, verdict] += 1
        for name in ALL:
            other = verdict
            if finders:
                other, _ = _verdict(resources, model, verifier, copy.statement, evidence, without=name)
            figures.without[name][copy.truth, other] += 1
    return figures


def _found(resources: Resources, statement: str, article: Article) -> list[Evidence]:
    documents = article_documents(article)
    reader = EvidenceReader(reader=resources.evidence_model(), calibration=resources.calibration())
    findings = reader.run(statement, documents, {document.id: article for document in documents})["findings"]
    return SentenceSelector().run(statement, QueryKind.STATEMENT, findings)["evidence"]


def _verdict(
    resources: Resources,
    model: RememberedReader,
    verifier: RememberedVerifier,
    statement: str,
    evidence: Sequence[Evidence],
    *,
    without: str = "",
) -> tuple[Verdict, bool]:
    """Return the verdict, and whether any finder found anything."""
    left_out = frozenset({without})
    items = find_conflicts(model, statement, evidence, max_slots=_SLOTS, max_texts=_TEXTS, without=left_out)
    settled, _ = settle(verifier, statement, items, max_pieces=_PIECES)
    writer = VerdictWriter(verifier=resources.verifier())
    ruling = writer.run(QueryKind.STATEMENT, CheckedAnswer(text="", evidence=tuple(settled)))["ruling"]
    return ruling.verdict, any(item.conflicts for item in items)
