"""Repeated runs of a model that samples: every repeat is scored on its own, then they are averaged."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from evaluation.reports.models import Scores, Table
from evaluation.runs.models import ItemT, OutputT, Prediction
from evaluation.values import ItemValues, MeasureValue

_T_975 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""Student's t at 97.5 % for 1 to 9 degrees of freedom; beyond, the normal value is near enough."""
_NORMAL = 1.96


def score_repeats(
    score: Callable[[Sequence[ItemT], Sequence[Prediction[OutputT]]], Scores],
    items: Sequence[ItemT],
    predictions: Sequence[Prediction[OutputT]],
    repeats: int,
) -> Scores:
    """
    Score a run; with several repeats, average theirs.

    :returns: With repeats, each measure's interval is over the repeats (Student's t), not over the items.
    """
    parts = [score(items, [one for one in predictions if one.repeat == repeat]) for repeat in range(max(1, repeats))]
    if len(parts) == 1:
        return parts[0]
    names = [name for name in parts[0].measures if all(name in part.measures for part in parts)]
    drawn = {name: [part.measures[name].value for part in parts] for name in names}
    measures = {name: _mean(values, n=parts[0].measures[name].n) for name, values in drawn.items()}
    table = Table(
        title="Repeated runs",
        columns=("measure", *(f"run {number + 1}" for number in range(len(parts)))),
        rows=tuple((name, *values) for name, values in drawn.items()),
    )
    note = f"Mean over {len(parts)} repeats, intervals (Student's t) over the repeats. Details: the first repeat."
    return parts[0].model_copy(
        update={
            "measures": measures,
            "per_item": _average([part.per_item for part in parts]),
            "tables": (table, *parts[0].tables),
            "notes": (*parts[0].notes, note),
        }
    )


def _mean(values: Sequence[float | None], *, n: int) -> MeasureValue:
    known = np.array([value for value in values if value is not None])
    if len(known) == 0:
        return MeasureValue(value=None, n=n)
    mean = float(known.mean())
    if len(known) == 1:
        return MeasureValue(value=mean, n=n)
    degrees = len(known) - 1
    t = _T_975[degrees - 1] if degrees <= len(_T_975) else _NORMAL
    half = t * float(known.std(ddof=1)) / math.sqrt(len(known))
    return MeasureValue(value=mean, low=mean - half, high=mean + half, n=n)


def _average(parts: Sequence[ItemValues]) -> ItemValues:
    averaged: ItemValues = {}
    for name in dict.fromkeys(name for part in parts for name in part):
        rows = [part[name] for part in parts if name in part]
        averaged[name] = {measure: sum(row[measure] for row in rows) / len(rows) for measure in rows[0]}
    return averaged
