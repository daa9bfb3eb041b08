"""Say what each picked sentence does to a statement: the verifier's judgement beside conflicts found by plain code."""

from haystack import component

from core.types import QueryKind, Relation
from pipelines.asked_back import find_conflicts
from pipelines.findings import Evidence
from pipelines.resources import Resources
from pipelines.standing import Standing, rule, standings


@component
class EvidenceVerifier:
    """
    Judge sentences and the pieces around them, article by article.

    A sentence is read behind its headline, and so is the piece that it stands in: what it takes may stand in several
    sentences, and what one seems to say its neighbour may deny. See `pipelines/standing.py`.

    :param max_slots: Numbers and names of a statement to ask back.
    :param max_texts: Pieces to ask in.
    :param max_pieces: Pieces to judge.
    """

    def __init__(self, *, max_slots: int = 3, max_texts: int = 2, max_pieces: int = 4) -> None:
        self.max_slots = max_slots
        self.max_texts = max_texts
        self.max_pieces = max_pieces
        self.resources: Resources | None = None

    @component.output_types(evidence=list[Evidence], standings=list[Standing])
    def run(self, query: str, kind: QueryKind, evidence: list[Evidence]) -> dict[str, object]:
        """
        Judge each sentence.

        :returns: `evidence` with relation, score and conflicts, best first, and `standings`, one for each article
            that was judged; for a question the evidence as it is, and none.
        """
        assert self.resources is not None, "the engine sets the resources"  # noqa: S101
        if kind is QueryKind.QUESTION or not evidence:
            return {"evidence": evidence, "standings": []}
        model = self.resources.evidence_model()
        items = find_conflicts(model, query, evidence, max_slots=self.max_slots, max_texts=self.max_texts)
        verifier = self.resources.verifier()
        found, rest = standings(verifier, query, items, max_pieces=self.max_pieces)
        ruled = {_place(item): item for standing in found for item in rule(standing, verifier.bars)}
        ruled |= {_place(item): item for item in rest}
        return {"evidence": sorted((ruled[_place(item)] for item in items), key=_order), "standings": found}


def _place(item: Evidence) -> tuple[str, int]:
    return item.article.article_id, item.start


def _order(item: Evidence) -> float:
    """Sort what settles the statement first, the surest before; then the rest, which keeps its order."""
    return 0.0 if item.relation is Relation.MENTIONS else -item.score
