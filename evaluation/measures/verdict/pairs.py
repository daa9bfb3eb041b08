"""
Pairs: two rows that differ in one thing (the passage under one statement, or the statement over one passage).

- `pair_both_right`: share of pairs of which both labels are right. Wording alone cannot win it: guessing gets .25 of
  two labels.
- `pair_order`: share of pairs with one supported and one refuted row in which the supported one has the higher score
  for "supports" against "refutes"; equal scores count one half. Guessing gets .5, whatever the thresholds.

Source: the contrast sets of Gardner et al., Findings of EMNLP 2020 (consistency); the order is the paired form of the
area under the ROC curve.
"""

from collections import defaultdict
from collections.abc import Sequence

from core.types import Model


class PairRow(Model):
    """One row of a pair."""

    pair: str
    right: bool
    side: int
    """1: truly supported, -1: truly refuted, 0: neither."""
    score: float
    """For supports against refutes; only the order counts."""


def both_right(rows: Sequence[PairRow]) -> dict[str, float]:
    """Return 1 or 0 for each pair of at least two rows."""
    return {pair: float(all(row.right for row in members)) for pair, members in _grouped(rows).items()}


def in_order(rows: Sequence[PairRow]) -> dict[str, float]:
    """Return 1, 0.5 or 0 for each pair that has a supported and a refuted row; the mean over its combinations."""
    values = {}
    for pair, members in _grouped(rows).items():
        supported = [row.score for row in members if row.side > 0]
        refuted = [row.score for row in members if row.side < 0]
        outcomes = [(high > low) + 0.5 * (high == low) for high in supported for low in refuted]
        if outcomes:
            values[pair] = sum(outcomes) / len(outcomes)
    return values


def _grouped(rows: Sequence[PairRow]) -> dict[str, list[PairRow]]:
    groups: dict[str, list[PairRow]] = defaultdict(list)
    for row in rows:
        groups[row.pair].append(row)
    return {pair: members for pair, members in groups.items() if len(members) > 1}
