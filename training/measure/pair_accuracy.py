"""Pairs that turn the label: a statement under two passages, or two statements under one."""

from collections.abc import Sequence

import numpy as np

from evaluation.measures.stats.clustered import clustered_mean
from evaluation.measures.values import MeasureValue
from evaluation.measures.verdict.pairs import PairRow, both_right, in_order
from models.evidence import EvidenceReading
from training.data.examples import REFUTES, SUPPORTS, Example, Group

_SIDES = {SUPPORTS: 1, REFUTES: -1}


def paired_figures(
    groups: Sequence[Group], readings: Sequence[EvidenceReading], *, name: str
) -> dict[str, MeasureValue]:
    """
    Score the groups of two that turn between supports and refutes, two-way; others are passed over.

    :param readings: Of the groups' examples, in their order.
    :param name: Stands before the names of the figures, `both right` and `order`.
    """
    rows, clusters, at = [], {}, 0
    for number, group in enumerate(groups):
        parts = readings[at : at + len(group.examples)]
        at += len(group.examples)
        if {example.relation for example in group.examples} != set(_SIDES):
            continue
        clusters[str(number)] = group.examples[0].passage
        for example, reading in zip(group.examples, parts, strict=True):
            leaning = reading.relation_logits[SUPPORTS] - reading.relation_logits[REFUTES]
            side = _SIDES[example.relation or 0]
            rows.append(PairRow(pair=str(number), right=leaning * side > 0, side=side, score=leaning))
    figures = {"both right": both_right(rows), "order": in_order(rows)}
    return {
        f"{name}, {figure}": clustered_mean(list(pairs.values()), [clusters[pair] for pair in pairs])
        for figure, pairs in figures.items()
    }


def examples_of(groups: Sequence[Group]) -> list[Example]:
    """Return the groups' examples in order."""
    return [example for group in groups for example in group.examples]


def likeliest(reading: EvidenceReading) -> int:
    """Return the relation of the highest logit."""
    return int(np.argmax(reading.relation_logits))
