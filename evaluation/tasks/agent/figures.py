"""Figures of the agent by what the evidence came from: by credibility of the sources, and by block list."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.types import Model, Probability
from evaluation.measures.stats.bootstrap import mean_with_interval, statistic_with_interval
from evaluation.measures.values import MeasureValue
from evaluation.measures.verdict import confusion
from evaluation.reports.models import Table

_BANDS = ((0.7, "0.7 or more"), (0.4, "0.4 to 0.7"), (0.0, "below 0.4"))
_MOST_SITES = 50
_COLUMNS = ("claims", "accuracy", "from", "to", "macro-F1", "from", "to")
NOTHING_CITED, UNKNOWN_ONLY = "nothing cited", "unknown only"


class Source(Model):
    """A site that evidence came from."""

    host: str
    articles: int
    grade: Probability | None = None
    """By the newsroom's list; None: unknown, or there is no list."""


class Judged(Model):
    """One claim: gold and found label as places in the list of labels, and where the evidence came from."""

    gold: int
    found: int
    sources: tuple[Source, ...]
    has_grades: bool
    """Whether a list of grades was there."""
    blocked: bool
    """Whether the block list or the allow list dropped an article."""


def macro_f1(gold: NDArray[np.int64], found: NDArray[np.int64], *, labels: int) -> MeasureValue:
    """Mean F1 of the labels that occur, with its interval over the claims."""
    return statistic_with_interval(
        len(gold), lambda picks: confusion.macro_f1(confusion.count(gold[picks], found[picks], labels=labels))
    )


def split_tables(judged: Sequence[Judged], *, labels: int) -> tuple[Table, ...]:
    """Split the figures; by what was not asked for, or did not happen, there is no table."""
    tables = [_sites(judged)]
    if any(one.has_grades for one in judged):
        tables.append(
            _split(
                judged,
                _band_of,
                labels,
                title="By credibility",
                what="best source cited",
                note="By the highest grade of the sources that the result cites; grades are the newsroom's list.",
            )
        )
    if any(one.blocked for one in judged):
        tables.append(
            _split(
                judged,
                lambda one: "something was blocked" if one.blocked else "nothing was blocked",
                labels,
                title="By block list",
                what="search results",
                note="Whether the block list or the allow list dropped an article that a search had found.",
            )
        )
    return tuple(tables)


def _band_of(one: Judged) -> str:
    if not one.sources:
        return NOTHING_CITED
    known = [source.grade for source in one.sources if source.grade is not None]
    return next((name for least, name in _BANDS if max(known) >= least), "") if known else UNKNOWN_ONLY


def _split(
    judged: Sequence[Judged], part_of: Callable[[Judged], str], labels: int, *, title: str, what: str, note: str
) -> Table:
    parts: dict[str, list[Judged]] = {}
    for one in judged:
        parts.setdefault(part_of(one), []).append(one)
    rows = tuple((name, len(ones), *_figures(ones, labels)) for name, ones in sorted(parts.items()))
    return Table(title=title, columns=(what, *_COLUMNS), rows=rows, note=note)


def _figures(judged: Sequence[Judged], labels: int) -> tuple[float | None, ...]:
    gold = np.array([one.gold for one in judged], dtype=np.int64)
    found = np.array([one.found for one in judged], dtype=np.int64)
    accuracy, f1 = mean_with_interval((gold == found).astype(float)), macro_f1(gold, found, labels=labels)
    return accuracy.value, accuracy.low, accuracy.high, f1.value, f1.low, f1.high


def _sites(judged: Sequence[Judged]) -> Table:
    counts = Counter({source.host: 0 for one in judged for source in one.sources})
    grades = {source.host: source.grade for one in judged for source in one.sources}
    for one in judged:
        counts.update({source.host: source.articles for source in one.sources})
    has_grades = any(one.has_grades for one in judged)
    rows = tuple(
        (host, count, *([_written(grades[host])] if has_grades else []))
        for host, count in sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    )
    columns = ("site", "articles", *(["grade"] if has_grades else []))
    note = f"The {_MOST_SITES} sites that are cited most, of {len(rows)}." if len(rows) > _MOST_SITES else ""
    return Table(title="Where evidence came from", columns=columns, rows=rows[:_MOST_SITES], note=note)


def _written(grade: float | None) -> float | str:
    return "unknown" if grade is None else grade
