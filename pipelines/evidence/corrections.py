"""Newer corrections outrank older text."""

from collections.abc import Sequence
from datetime import UTC, datetime

from core.types import Relation
from pipelines.contracts.evidence import Evidence
from pipelines.evidence.supersession import is_correction

_NEVER = datetime.min.replace(tzinfo=UTC)


def outranked(evidence: Sequence[Evidence]) -> list[Evidence]:
    """
    Let evidence that a correction contradicts only mention the query.

    A correction is an article revision that carries a correction notice. It outranks evidence of the opposite relation
    in articles that are older than it and are not corrections themselves.

    :returns: The evidence, in order.
    """
    opposite = {Relation.SUPPORTS: Relation.REFUTES, Relation.REFUTES: Relation.SUPPORTS}
    corrected: dict[Relation, datetime] = {}
    for item in evidence:
        if is_correction(item.article) and item.relation in opposite:
            against = opposite[item.relation]
            corrected[against] = max(corrected.get(against, _NEVER), _time(item))
    return [
        item.model_copy(update={"relation": Relation.MENTIONS})
        if item.relation in corrected and not is_correction(item.article) and _time(item) < corrected[item.relation]
        else item
        for item in evidence
    ]


def _time(item: Evidence) -> datetime:
    return item.article.modified_at or item.article.published_at or _NEVER
