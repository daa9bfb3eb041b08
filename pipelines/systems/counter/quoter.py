"""Gather what a reply to a refuted claim may be made of."""

from collections.abc import Sequence

from haystack import Document, component

from core.types import Article, QueryKind, Relation, Verdict
from models.reranker import Reranker
from pipelines.contracts.evidence import Ruling
from pipelines.contracts.verifier import Verifier
from pipelines.systems.counter.quotes import choose_quotes
from pipelines.systems.counter.reranker import open_reranker, rerank, reranker_identity
from pipelines.systems.counter.types import Material

_WHY_NOT = {
    Verdict.VERIFIED: "the articles support it",
    Verdict.CONFLICTING: "the articles disagree about it",
    Verdict.UNVERIFIED: "the articles do not settle it",
}


@component
class CounterQuoter:
    """
    Choose quotes where a claim is refuted; say why there is to be no reply where it is not.

    :param verifier: Judges which quotes say the same.
    :param threads: Threads of reranker and embedder; 0: one per core.
    :param passages: Best passages, by the reranker, to look for further quotes in.
    """

    def __init__(self, *, verifier: Verifier, threads: int = 0, passages: int = 5) -> None:
        self.verifier = verifier
        self.threads = threads
        self.passages = passages
        self._reranker: Reranker | None = None
        self._identity: str | None = None

    def warm_up(self) -> None:
        """Load reranker and embedder."""
        self._ready().scores("warm up", ["warm up"], [1.0])

    @property
    def identity(self) -> str:
        """Name the reranker and the embedder that it was trained for, for the run record."""
        if self._identity is None:
            self._identity = reranker_identity(threads=self.threads)
        return self._identity

    @component.output_types(material=Material)
    def run(
        self, query: str, kind: QueryKind, ruling: Ruling, *, documents: list[Document], articles: dict[str, Article]
    ) -> dict[str, Material]:
        """
        Gather.

        :param documents: Passages as the retriever ranked them.
        :param articles: Passage id to article.
        :returns: `material`.
        """
        why_not = _why_not(kind, ruling)
        if why_not:
            return {"material": Material(quotes=(), why_not=why_not)}
        refuting = [item for item in ruling.evidence if item.relation is Relation.REFUTES]
        ranked = rerank(query, documents, articles, self._ready())
        quotes = choose_quotes(query, refuting, ranked[: self.passages], judge=self._supports)
        return {"material": Material(quotes=quotes)}

    def _supports(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [judgement.supports for judgement in self.verifier.judge(list(pairs))]

    def _ready(self) -> Reranker:
        if self._reranker is None:
            self._reranker = open_reranker(threads=self.threads)
        return self._reranker


def _why_not(kind: QueryKind, ruling: Ruling) -> str:
    if kind is QueryKind.QUESTION:
        return "This is a question; a reply answers a claim."
    if ruling.verdict is not Verdict.REFUTED:
        reason = _WHY_NOT[ruling.verdict] if ruling.has_evidence else "nothing in the archive bears on it"
        return f"A reply is written only to a claim that checked quotes refute, and {reason}."
    if not any(item.relation is Relation.REFUTES for item in ruling.evidence):
        return "No quote that refutes the claim is left after checking."
    return ""
