"""The heat map of coverage: for each source, years by months."""

import math
from dataclasses import dataclass

from indexing.stores.contract import SourceCounts, StoreCounts

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LEVELS = 5
UNDATED = "undated"
LONGEST_GAP = 10
"""Years without an article that are shown before one with some: an article may be dated to the year 1."""


@dataclass(frozen=True)
class Cell:
    """Articles of one month; level 0 for none, up to `LEVELS` for the most."""

    count: int
    level: int
    name: str


@dataclass(frozen=True)
class YearRow:
    """One year of one source."""

    year: str
    cells: tuple[Cell, ...]
    total: int


@dataclass(frozen=True)
class SourceView:
    """One source."""

    name: str
    articles: int
    undated: int
    years: tuple[YearRow, ...]


def view_coverage(counts: StoreCounts) -> list[SourceView]:
    """Make the view, sources with the most articles first."""
    months = [count for source in counts.sources for month, count in source.by_month.items() if month != UNDATED]
    most = max(months, default=1)
    ordered = sorted(counts.sources, key=lambda source: (-source.articles, source.source))
    return [_source(source, most) for source in ordered]


def _source(source: SourceCounts, most: int) -> SourceView:
    dated = {int(month[:4]) for month in source.by_month if month != UNDATED}
    shown = {year - back for year in dated for back in range(LONGEST_GAP + 1) if year - back >= min(dated)}
    rows = []
    for year in (f"{number:04d}" for number in sorted(shown, reverse=True)):
        counts = [source.by_month.get(f"{year}-{number:02d}", 0) for number in range(1, len(MONTHS) + 1)]
        cells = tuple(
            Cell(count, level(count, most), f"{month} {year}") for month, count in zip(MONTHS, counts, strict=True)
        )
        rows.append(YearRow(year, cells, sum(counts)))
    return SourceView(source.source, source.articles, source.by_month.get(UNDATED, 0), tuple(rows))


def level(count: int, most: int) -> int:
    """Say how warm a cell is: 0 for none, then even steps of the square root up to the largest."""
    if count <= 0:
        return 0
    share = math.sqrt(count / max(most, 1))
    return max(1, min(LEVELS, round(share * LEVELS)))
