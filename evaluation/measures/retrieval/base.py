"""What a retrieval measure declares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


class RankingMeasure(Protocol):
    """From the judged grades of one ranking to a figure."""

    def __call__(self, grades: Sequence[int]) -> float:
        """Compute it; `grades` best first, 0 for unjudged."""
        ...


@dataclass(frozen=True)
class RetrievalMeasure:
    """
    One measure over a ranking and its judgements.

    :param name: As it stands in reports.
    :param expression: Its name in ir-measures; empty where `compute` is given.
    :param default: What a query with no result scores.
    """

    name: str
    definition: str
    source: str
    expression: str = ""
    compute: RankingMeasure | None = None
    default: float = 0.0


Judgements = Mapping[str, Mapping[str, int]]
"""Query id to document id to grade; 1 or better is relevant."""
