"""Gather what a reply to a refuted claim may be made of."""

from haystack import component

from core.types import QueryKind, Relation, Verdict
from pipelines.counter.parts import Material
from pipelines.counter.quotes import choose_quotes
from pipelines.counter.reranker import ranked_pieces
from pipelines.findings import Finding, Ruling

_WHY_NOT = {
    Verdict.VERIFIED: "the articles support it",
    Verdict.CONFLICTING: "the articles disagree about it",
    Verdict.UNVERIFIED: "the articles do not settle it",
}


@component
class CounterQuoter:
    """
    Choose quotes where a claim is refuted; say why there is to be no reply where it is not.

    :param pieces: Most relevant pieces of articles to look for further quotes in.
    """

    def __init__(self, *, pieces: int = 5) -> None:
        self.pieces = pieces

    @component.output_types(material=Material)
    def run(self, query: str, kind: QueryKind, ruling: Ruling, findings: list[Finding]) -> dict[str, Material]:
        """
        Gather.

        :param findings: What the reader found for the claim.
        :returns: `material`.
        """
        why_not = _why_not(kind, ruling)
        if why_not:
            return {"material": Material(quotes=(), why_not=why_not)}
        refuting = [item for item in ruling.evidence if item.relation is Relation.REFUTES]
        quotes = choose_quotes(query, refuting, ranked_pieces(findings)[: self.pieces])
        return {"material": Material(quotes=quotes)}


def _why_not(kind: QueryKind, ruling: Ruling) -> str:
    if kind is QueryKind.QUESTION:
        return "This is a question; a reply answers a claim."
    if ruling.verdict is not Verdict.REFUTED:
        reason = _WHY_NOT[ruling.verdict] if ruling.has_evidence else "nothing in the index bears on it"
        return f"A reply is written only to a claim that checked quotes refute, and {reason}."
    if not any(item.relation is Relation.REFUTES for item in ruling.evidence):
        return "No quote that refutes the claim is left after checking."
    return ""
