"""What whole pieces of articles do to a statement, where no sentence alone settles it."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.types import Relation
from pipelines.findings import Evidence
from pipelines.verifiers.contract import Verifier

Key = tuple[str, int]
"""Article id, and where the piece begins in the article."""


@dataclass(frozen=True)
class PieceLimits:
    """When a piece settles a statement."""

    max_pieces: int
    min_relevance: float
    """Of a piece that is judged."""
    supported_from: float
    """Probability of supports from which a piece supports."""
    refuted_from: float | None
    """The same for refutes; None: a piece never refutes."""


def judge_pieces(
    verifier: Verifier,
    statement: str,
    evidence: Sequence[Evidence],
    limits: PieceLimits,
    *,
    disputed: frozenset[Key] = frozenset(),
) -> list[Evidence]:
    """
    Let the best pieces speak where no sentence settles the statement: what it takes may stand in several of them.

    The piece's probability goes to its sentence that says most of the kind, which is what a reader is shown. Refutation
    needs a probability that the verifier has earned on statements worded far from the text (`refuted_from`), and no
    piece that supports.

    :param evidence: Judged sentences, best first.
    :param disputed: Pieces that say something else in the statement's place; they do not support.
    :returns: The evidence, in order.
    """
    settled = any(item.relation is not Relation.MENTIONS for item in evidence)
    pieces = {} if settled else _best_pieces(evidence, limits)
    judged = verifier.judge([(statement, context) for context in pieces.values()]) if pieces else []
    by_piece = dict(zip(pieces, judged, strict=True))
    supporting = {
        key: one.supports
        for key, one in by_piece.items()
        if one.supports >= limits.supported_from and key not in disputed
    }
    if supporting:
        return _mark(evidence, supporting, Relation.SUPPORTS)
    bar = limits.refuted_from
    refuting = {key: one.refutes for key, one in by_piece.items() if bar is not None and one.refutes >= bar}
    return _mark(evidence, refuting, Relation.REFUTES)


def _best_pieces(evidence: Sequence[Evidence], limits: PieceLimits) -> dict[Key, str]:
    found: dict[Key, str] = {}
    for item in evidence:
        if item.context and item.relevance >= limits.min_relevance and len(found) < limits.max_pieces:
            found.setdefault(piece_key(item), item.context)
    return found


def _mark(evidence: Sequence[Evidence], scores: dict[Key, float], relation: Relation) -> list[Evidence]:
    """Give each piece's score and relation to its sentence with the highest probability of the relation."""
    best: dict[Key, Evidence] = {}
    for item in evidence:
        key = piece_key(item)
        if key in scores and (key not in best or _side(item, relation) > _side(best[key], relation)):
            best[key] = item
    return [
        item.model_copy(update={"relation": relation, "score": scores[piece_key(item)]})
        if best.get(piece_key(item)) is item
        else item
        for item in evidence
    ]


def _side(item: Evidence, relation: Relation) -> float:
    return item.supports if relation is Relation.SUPPORTS else item.refutes


def piece_key(item: Evidence) -> Key:
    """Return which piece a sentence is from."""
    return item.article.article_id, item.context_start
