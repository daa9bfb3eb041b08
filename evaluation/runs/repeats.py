"""Repeated runs of a model that samples: every repeat is scored on its own, then they are averaged."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from evaluation.measures.values import ItemValues, MeasureValue
from evaluation.reports.measure_bars import TITLE, measure_bars
from evaluation.reports.models import ItemDetail, Scores, Table
from evaluation.runs.models import ItemT, OutputT, Prediction

_T_975 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""Student's t at 97.5 % for 1 to 9 degrees of freedom."""
_NORMAL_975 = 1.959964


def score_repeats(
    score: Callable[[Sequence[ItemT], Sequence[Prediction[OutputT]]], Scores],
    items: Sequence[ItemT],
    predictions: Sequence[Prediction[OutputT]],
    repeats: int,
) -> Scores:
    """
    Score a run; with several repeats, average theirs.

    :returns: With repeats, each measure is the mean over those that it is defined in, its interval over them (Student's
        t), not over the items; `n` is the items of the repeat with most, since some may have failed.
    """
    parts = [score(items, [one for one in predictions if one.repeat == repeat]) for repeat in range(max(1, repeats))]
    if len(parts) == 1:
        return parts[0]
    found = {name: [part.measures.get(name) for part in parts] for part in parts for name in part.measures}
    drawn = {name: [one.value if one else None for one in ones] for name, ones in found.items()}
    measures = {name: _mean(drawn[name], n=max(one.n for one in ones if one)) for name, ones in found.items()}
    note = (
        f"Mean over {len(parts)} repeats, intervals (Student's t) over the repeats. Tables and figures other than the "
        "measures: the first repeat; the items below show every repeat."
    )
    figures = tuple(figure for figure in parts[0].figures if figure.title != TITLE)
    return parts[0].model_copy(
        update={
            "measures": measures,
            "per_item": _average([part.per_item for part in parts]),
            "item_scores": _average([part.item_scores for part in parts]),
            "tables": (_table(drawn, len(parts)), *parts[0].tables),
            "figures": (*measure_bars(measures, parts[0].headline), *figures),
            "details": tuple(_join(together) for together in zip(*(part.details for part in parts), strict=True)),
            "notes": (*parts[0].notes, note),
        }
    )


def _table(drawn: dict[str, list[float | None]], repeats: int) -> Table:
    rows = []
    for name, values in drawn.items():
        known = [value for value in values if value is not None]
        spread = float(np.std(known, ddof=1)) if len(known) > 1 else None
        rows.append((name, *values, spread))
    heads = tuple(f"run {number + 1}" for number in range(repeats))
    return Table(title="Repeated runs", columns=("measure", *heads, "standard deviation"), rows=tuple(rows))


def _join(repeats: Sequence[ItemDetail]) -> ItemDetail:
    """Put the repeats of one item below each other; what is the same in all of them stands once, at the top."""
    same = [line for line in repeats[0].lines if all(line in one.lines for one in repeats)]
    own = [
        line.model_copy(update={"label": f"{line.label}, run {number}"})
        for number, one in enumerate(repeats, 1)
        for line in one.lines
        if line not in same
    ]
    return repeats[0].model_copy(
        update={
            "lines": (*same, *own),
            "failed": any(one.failed for one in repeats),
            "run_records": tuple(record for one in repeats for record in one.run_records),
        }
    )


def _mean(values: Sequence[float | None], *, n: int) -> MeasureValue:
    known = np.array([value for value in values if value is not None])
    if len(known) == 0:
        return MeasureValue(value=None, n=n)
    mean = float(known.mean())
    if len(known) == 1:
        return MeasureValue(value=mean, n=n)
    half = _student(len(known) - 1) * float(known.std(ddof=1)) / math.sqrt(len(known))
    return MeasureValue(value=mean, low=mean - half, high=mean + half, n=n)


def _student(degrees: int) -> float:
    """Return Student's t at 97.5 %, from 10 degrees on by its expansion (Abramowitz and Stegun 1964, 26.7.5)."""
    if degrees <= len(_T_975):
        return _T_975[degrees - 1]
    z = _NORMAL_975
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3


def _average(parts: Sequence[ItemValues]) -> ItemValues:
    """Average each item's measures over the repeats that have them: what is not defined in one counts in no mean."""
    averaged: ItemValues = {}
    for name in dict.fromkeys(name for part in parts for name in part):
        rows = [part[name] for part in parts if name in part]
        measures = dict.fromkeys(measure for row in rows for measure in row)
        known = {measure: [row[measure] for row in rows if measure in row] for measure in measures}
        averaged[name] = {measure: sum(values) / len(values) for measure, values in known.items()}
    return averaged
