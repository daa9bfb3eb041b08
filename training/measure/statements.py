"""Statements beside their evidence, on folds and parts that training never saw."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.measures.stats.clustered import clustered_mean, clustered_statistic
from evaluation.measures.values import MeasureValue
from models.evidence import EvidenceModel
from training.data.examples import NEITHER, Example
from training.data.sources.statements import statement_groups
from training.measure.readings import Say, read_examples, spread

SETS: Mapping[str, tuple[str, dict[str, Any], int]] = {
    "FEVER development fold 9": ("fever_dev_pairs", {"folds": [9]}, 2),
    "FEVER-Symmetric fold 9": ("fever_symmetric", {"folds": [9]}, 2),
    "Fool Me Twice test": ("fm2", {"splits": ["test"]}, 2),
    "Check-COVID test": ("check_covid", {"splits": ["test"]}, 3),
}
"""Name to pack, the part that is measured on, and how many labels it has."""
_THREE = 3


def measure_statements(model: EvidenceModel, data: Path, *, limit: int, say: Say) -> dict[str, MeasureValue]:
    """
    Measure accuracy on each set, and macro-F1 where there are three labels.

    :param limit: Statements of a set at most; 0: all.
    """
    figures: dict[str, MeasureValue] = {}
    for name, (pack, options, ways) in SETS.items():
        examples = spread([group.examples[0] for group in statement_groups(data, [pack], **options)], limit)
        readings = read_examples(model, examples, say=say, what=name)
        logits = np.array([reading.relation_logits for reading in readings])
        given = logits[:, : NEITHER if ways < _THREE else _THREE].argmax(axis=1)
        figures |= _figures(name, examples, given, ways)
    return figures


def _figures(name: str, examples: list[Example], given: NDArray[np.int64], ways: int) -> dict[str, MeasureValue]:
    labels = np.array([example.relation for example in examples])
    word = "two-way" if ways < _THREE else "three-way"
    passages = [example.passage for example in examples]
    found = {f"{name}, {word}": clustered_mean((labels == given).astype(float).tolist(), passages)}
    if ways == _THREE:
        found[f"{name}, macro-F1"] = clustered_statistic(passages, lambda picks: macro_f1(labels[picks], given[picks]))
    return found


def macro_f1(labels: NDArray[np.int64], given: NDArray[np.int64]) -> float:
    """Average the F1 of the relations that occur."""
    scores = []
    for relation in np.unique(labels):
        hits = int(((labels == relation) & (given == relation)).sum())
        scores.append(2 * hits / int((labels == relation).sum() + (given == relation).sum()))
    return float(np.mean(scores))
