"""Say what each picked sentence does to a statement: the verifier's judgement beside conflicts found by plain code."""

from haystack import component

from core.types import QueryKind, Relation
from pipelines.asked_back import find_conflicts
from pipelines.findings import Conflict, Evidence
from pipelines.resources import Resources
from pipelines.verifiers.contract import Judgement
from pipelines.whole_pieces import PieceLimits, judge_pieces, piece_key

HARD = frozenset({"number", "date"})
"""Conflicts that plain code can be sure of; the verifier only must not hold the statement for supported."""
PLACES = frozenset({"ordinal", "day", "roles"})
"""Conflicts in which words are alike and their places are not, which a small model hardly sees."""
FIRM = HARD | PLACES | {"name"}
"""Conflicts that keep a sentence from supporting even where they do not refute; hard ones, the piece around it too."""


@component
class EvidenceVerifier:
    """
    Judge sentences, each read behind its headline.

    A sentence refutes only where a conflict is identified: a number or year, unless the verifier holds the statement
    for supported; an order, day, name, negation, opposite or swapped role, if the verifier agrees. Where no sentence
    settles the statement, the best whole pieces are judged; they may refute without an identified conflict only from
    the probability that the verifier's calibration on loosely worded statements has earned. What plain code disputes
    is not supported, whatever the verifier says.

    :param support_threshold: From this probability on, a sentence supports.
    :param piece_threshold: The same for a whole piece.
    :param name_threshold: From this probability of refutes on, a conflict of names refutes.
    :param wording_threshold: The same for negations and opposites.
    :param place_threshold: The same for orders, days and roles.
    :param max_slots: Numbers and names of a statement to ask back.
    :param max_texts: Pieces to ask in.
    :param max_pieces: Whole pieces to judge where no sentence settles the statement.
    :param piece_relevance: Relevance of a piece that is judged.
    """

    def __init__(
        self,
        *,
        support_threshold: float = 0.5,
        name_threshold: float = 0.7,
        wording_threshold: float = 0.85,
        place_threshold: float = 0.5,
        max_slots: int = 3,
        max_texts: int = 2,
        max_pieces: int = 3,
        piece_threshold: float = 0.8,
        piece_relevance: float = 0.5,
    ) -> None:
        self.support_threshold = support_threshold
        self.name_threshold = name_threshold
        self.wording_threshold = wording_threshold
        self.place_threshold = place_threshold
        self.max_slots = max_slots
        self.max_texts = max_texts
        self.max_pieces = max_pieces
        self.piece_threshold = piece_threshold
        self.piece_relevance = piece_relevance
        self.resources: Resources | None = None

    @component.output_types(evidence=list[Evidence])
    def run(self, query: str, kind: QueryKind, evidence: list[Evidence]) -> dict[str, list[Evidence]]:
        """
        Judge each sentence.

        :returns: `evidence` with relation, score and conflicts, best first; unchanged for a question.
        """
        assert self.resources is not None, "the engine sets the resources"  # noqa: S101
        if kind is QueryKind.QUESTION or not evidence:
            return {"evidence": evidence}
        model = self.resources.evidence_model()
        items = find_conflicts(model, query, evidence, max_slots=self.max_slots, max_texts=self.max_texts)
        verifier = self.resources.verifier()
        judgements = verifier.judge([(query, premise(item)) for item in items])
        judged = [self._judged(item, judgement) for item, judgement in zip(items, judgements, strict=True)]
        limits = PieceLimits(
            max_pieces=self.max_pieces,
            min_relevance=self.piece_relevance,
            supported_from=self.piece_threshold,
            refuted_from=verifier.refuted_from,
        )
        disputed = frozenset(piece_key(item) for item in items if _is_disputed(item, by=HARD))
        return {"evidence": sorted(judge_pieces(verifier, query, judged, limits, disputed=disputed), key=_order)}

    def _judged(self, item: Evidence, judgement: Judgement) -> Evidence:
        conflicts = tuple(conflict for conflict in item.conflicts if self._counts(conflict, judgement))
        if conflicts:
            relation = Relation.REFUTES
            score = judgement.refutes / max(judgement.refutes + judgement.supports, 1e-9)
        elif judgement.supports >= self.support_threshold and not _is_disputed(item, by=FIRM):
            relation, score = Relation.SUPPORTS, judgement.supports
        else:
            relation, score = Relation.MENTIONS, judgement.neither
        update = {
            "relation": relation,
            "score": min(1.0, score),
            "conflicts": conflicts,
            "supports": judgement.supports,
            "refutes": judgement.refutes,
        }
        return item.model_copy(update=update)

    def _counts(self, conflict: Conflict, judgement: Judgement) -> bool:
        if conflict.kind in HARD:
            return judgement.refutes >= judgement.supports
        thresholds = {"name": self.name_threshold} | dict.fromkeys(PLACES, self.place_threshold)
        return judgement.refutes >= thresholds.get(conflict.kind, self.wording_threshold)


def _is_disputed(item: Evidence, *, by: frozenset[str]) -> bool:
    return any(conflict.kind in by for conflict in item.conflicts)


def _order(item: Evidence) -> float:
    """Sort what settles the statement first, the surest before; then the rest, which keeps its order."""
    return 0.0 if item.relation is Relation.MENTIONS else -item.score


def premise(item: Evidence) -> str:
    """Return what is judged: the headline and the sentence alone, so that no quote is credited to its neighbour."""
    return f"{item.article.headline}. {item.text}"
