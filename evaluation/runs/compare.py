"""Two runs over the same items: differences with intervals and a paired permutation test."""

import json
from pathlib import Path

from core.errors import InputError, NotFoundError
from core.types import Model
from evaluation.data.formats.lines import read_objects
from evaluation.measures.stats.permutation import PairedDifference, paired_permutation
from evaluation.measures.values import ItemValues
from evaluation.reports.text import interval, number
from evaluation.reports.write import PER_QUERY


class MeasureComparison(Model):
    """One measure in both runs, over the items that both have."""

    measure: str
    first: float
    second: float
    test: PairedDifference


class Comparison(Model):
    """Second run against first."""

    first: str
    second: str
    shared_items: int
    measures: tuple[MeasureComparison, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[tuple[str, ...]]:
        """Return one row a measure, as text."""
        return [
            (
                one.measure,
                number(one.first),
                number(one.second),
                f"{one.test.difference.value or 0.0:+.3f}",
                interval(one.test.difference),
                f"{one.test.p_value:.4f}",
                f"{one.test.better}/{one.test.equal}/{one.test.worse}",
            )
            for one in self.measures
        ]


def compare_runs(data_dir: Path, first: str, second: str) -> Comparison:
    """
    Compare two runs.

    :param first: Run id, or a folder that holds a report.
    :raises NotFoundError: If there is no such run, or it has no report yet.
    :raises InputError: If the runs share no item.
    """
    folders = [_folder(data_dir, name) for name in (first, second)]
    values = [_values(folder) for folder in folders]
    reports = [json.loads((folder / "report.json").read_text(encoding="utf-8")) for folder in folders]
    names = [report["run"]["run_id"] for report in reports]
    shared = [name for name in values[0] if name in values[1]]
    if not shared:
        raise InputError("the runs share no item", field="run", hint="Compare runs over the same data.")
    return Comparison(
        first=names[0],
        second=names[1],
        shared_items=len(shared),
        measures=tuple(_compare(values, shared)),
        notes=tuple(_notes(reports, values, len(shared))),
    )


def _compare(values: list[ItemValues], shared: list[str]) -> list[MeasureComparison]:
    measures = list(dict.fromkeys(measure for name in shared for measure in values[0][name]))
    found = []
    for measure in measures:
        both = [name for name in shared if measure in values[0][name] and measure in values[1][name]]
        if not both:
            continue
        one, two = ([run[name][measure] for name in both] for run in values)
        test = paired_permutation(one, two)
        found.append(
            MeasureComparison(measure=measure, first=sum(one) / len(one), second=sum(two) / len(two), test=test)
        )
    return found


def _notes(reports: list[dict[str, object]], values: list[ItemValues], shared: int) -> list[str]:
    notes = [f"{shared} items in both runs; p from a two-sided paired permutation test (sign flips)."]
    left_out = [len(one) - shared for one in values]
    if any(left_out):
        notes.append(f"Not in both, left out: {left_out[0]} items of the first run, {left_out[1]} of the second.")
    data: list[dict[str, object]] = [report["run"]["data"] for report in reports]  # type: ignore[index]
    if len({one["sha256"] for one in data}) > 1:
        notes.append("Attention: the runs were made on different data.")
    if len({one.get("index_snapshot") for one in data}) > 1:
        notes.append("Attention: the runs searched different indexes, or the index changed between them.")
    return notes


def _values(folder: Path) -> ItemValues:
    return {str(row["id"]): row["values"] for _, row in read_objects(folder / PER_QUERY)}


def _folder(data_dir: Path, name: str) -> Path:
    for folder in (data_dir / "runs" / name, Path(name)):
        if (folder / PER_QUERY).is_file() and (folder / "report.json").is_file():
            return folder
    raise NotFoundError(
        f"there is no scored run {name!r}",
        field="run",
        hint="'looksy evaluate runs' lists the runs; 'looksy evaluate score RUN' scores an unfinished one.",
    )
