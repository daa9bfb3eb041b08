"""Gather what a reply to a refuted claim may be made of."""

from collections.abc import Sequence

from haystack import Document, component

from core.types import Article, QueryKind, Relation, Verdict
from models.reranker import Reranker
from pipelines.attribution.grounding import word_share
from pipelines.conflicts import analyse
from pipelines.conflicts.names import mentions
from pipelines.contracts.evidence import Evidence, Ruling
from pipelines.contracts.verifier import Verifier
from pipelines.systems.counter.quotes import choose_quotes
from pipelines.systems.counter.reranker import open_reranker, rerank, reranker_identity
from pipelines.systems.counter.types import Material

_WHY_NOT = {
    Verdict.VERIFIED: "the articles support it",
    Verdict.CONFLICTING: "the articles disagree about it",
    Verdict.UNVERIFIED: "the articles do not settle it",
}


_UNCLEAR = "Checked quotes refute this, but none of them shows it clearly enough by itself to be sent."
_NAMED_SHARE = 0.75
"""Share of the names of a claim that the article must mention."""
_SURE, _SHARED = 0.7, 0.35
"""Score of a quote without a conflict that can be pointed to, and the share of the claim's words that it needs."""
_LEAST_SHARED = 0.15
"""The same share where what stands in the place of what is claimed can be pointed to."""
_MOST_QUOTES = 2


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
        refuting = [item for item in ruling.evidence if item.relation is Relation.REFUTES and shows(query, item)]
        if not refuting:
            return {"material": Material(quotes=(), why_not=_UNCLEAR)}
        ranked = rerank(query, documents, articles, self._ready())
        quotes = choose_quotes(query, refuting, ranked[: self.passages], judge=self._supports)
        return {"material": Material(quotes=tuple(only_refuting(quotes)))}

    def _supports(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [judgement.supports for judgement in self.verifier.judge(list(pairs))]

    def _ready(self) -> Reranker:
        if self._reranker is None:
            self._reranker = open_reranker(threads=self.threads)
        return self._reranker


def shows(claim: str, item: Evidence) -> bool:
    """
    Say whether a reader sees by a quote alone that it refutes a claim.

    It names what the claim names, and either has what is to stand in the place of what is claimed, or the verifier is
    sure and the quote shares enough words with the claim to be about the same.
    """
    body = f"{item.article.headline}. {item.article.body}"
    named = [name for name in analyse(claim).names if name.start > 0]
    if sum(mentions(name.keys, body) for name in named) < _NAMED_SHARE * len(named):
        return False
    shared = word_share(claim, item.text)
    if any(one.found.casefold() in item.text.casefold() for one in item.conflicts):
        return shared >= _LEAST_SHARED
    return item.score >= _SURE and shared >= _SHARED


def only_refuting(quotes: Sequence[Evidence]) -> list[Evidence]:
    """Leave out what refutes nothing, but for the sentence that leads up to the first refuting one."""
    first = next(place for place, item in enumerate(quotes) if item.relation is Relation.REFUTES)
    lead = [item for item in quotes[:first] if _is_just_before(item, quotes[first])]
    return [*lead[-1:], *(item for item in quotes if item.relation is Relation.REFUTES)][:_MOST_QUOTES]


def _is_just_before(item: Evidence, other: Evidence) -> bool:
    same = item.article.article_id == other.article.article_id
    return same and item.end <= other.start and not item.article.body[item.end : other.start].strip()


def _why_not(kind: QueryKind, ruling: Ruling) -> str:
    if kind is QueryKind.QUESTION:
        return "This is a question; a reply answers a claim."
    if ruling.verdict is not Verdict.REFUTED:
        reason = _WHY_NOT[ruling.verdict] if ruling.has_evidence else "nothing in the archive bears on it"
        return f"A reply is written only to a claim that checked quotes refute, and {reason}."
    if not any(item.relation is Relation.REFUTES for item in ruling.evidence):
        return "No quote that refutes the claim is left after checking."
    return ""
