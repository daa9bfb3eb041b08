"""`looksy benchmark conflicts`: finders of conflicts on near copies and on far-worded statements."""

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

from core.errors import ConfigError
from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Model, Verdict
from evaluation.benchmarks.near_copies.finders import ALL, FinderFigures, measure_finders
from evaluation.benchmarks.near_copies.read import (
    NEAR,
    WRITTEN,
    read_far_statements,
    read_near_copies,
    read_sources,
    read_written_copies,
)
from evaluation.benchmarks.near_copies.verdicts import Outcomes, VerdictFigures, measure_verdicts
from evaluation.reports.markdown import to_table
from evaluation.runs.fingerprints import hash_files
from pipelines.reading.slot_questions import CLOZE
from pipelines.resources import Resources

FLOORS = Path(__file__).parent / "floors.json"
VERDICTS = 400
"""Near copies that get a verdict unless `--limit` says otherwise: some minutes on two cores."""
FAR = 1200
_TOLERANCE = 0.015
"""Share of a figure's statements that another machine may cost."""


class ConflictFloors(Model):
    """What must not get worse, and over what it was measured."""

    data_sha256: str
    verdicts: int
    """Near copies that got a verdict."""
    counts: dict[str, int]
    """Of statements by truth: near_true, near_false, near_open, verdict_true and so on."""
    at_least: dict[str, int]
    at_most: dict[str, int]


class ConflictReport(Model):
    """The figures as tables, and as what floors are compared with."""

    tables: str
    """Markdown."""
    reached: ConflictFloors


def run_conflicts(
    settings: Settings, *, limit: int | None = None, progress: Progress = ignore_progress
) -> ConflictReport:
    """
    Measure every finder.

    :param limit: Near copies to judge with their article, beside those that were written; None: `VERDICTS`.
    """
    copies, written, articles = read_near_copies(), read_written_copies(), read_sources()
    near = copies + written
    far = list(read_far_statements(most=FAR))
    chosen = copies[: VERDICTS if limit is None else limit]
    asked = len(chosen)
    chosen = chosen + written
    with closing(Resources(settings)) as resources:
        finders, kinds = measure_finders(
            resources.evidence_model(), near, far, asked=asked, articles=articles, progress=progress
        )
        verdicts = measure_verdicts(resources, chosen, articles=articles, progress=progress)
    counts = {f"near_{name}": n for name, n in Counter(copy.truth for copy in near).items()}
    counts |= {"asked": asked}
    counts |= {f"far_{name}": n for name, n in Counter(one.truth for one in far).items()}
    counts |= {f"verdict_{name}": n for name, n in Counter(copy.truth for copy in chosen).items()}
    by_kind: Counter[tuple[str, str]] = Counter((copy.kind, copy.truth) for copy in near)
    tables = "\n\n".join(
        [_finder_table(finders, verdicts, counts), _kind_table(kinds, by_kind), _verdict_table(verdicts)]
    )
    reached = ConflictFloors(
        data_sha256=hash_files([NEAR / "near_copies.jsonl.gz", NEAR / "passages.jsonl.gz", WRITTEN]),
        verdicts=len(chosen),
        counts=counts,
        at_least=_at_least(finders, verdicts.outcomes),
        at_most=_at_most(finders, verdicts.outcomes),
    )
    return ConflictReport(tables=tables, reached=reached)


def read_conflict_floors(path: Path = FLOORS) -> ConflictFloors:
    """Read the pinned figures."""
    return ConflictFloors.model_validate(json.loads(path.read_text(encoding="utf-8")))


def write_conflict_floors(reached: ConflictFloors, *, lower: bool, path: Path = FLOORS) -> None:
    """
    Pin what was reached.

    :raises ConfigError: If a figure got worse and `lower` is not set.
    """
    worse = broken_floors(read_conflict_floors(path), reached) if path.is_file() and not lower else []
    if worse:
        raise ConfigError(
            worse[0], field="floors", hint="Fix what got worse; or add --lower and say why in the commit."
        )
    path.write_text(f"{json.dumps(reached.model_dump(), indent=1)}\n", encoding="utf-8")


def broken_floors(floors: ConflictFloors, reached: ConflictFloors) -> list[str]:
    """Return a sentence for each figure that got worse; figures over other data or counts cannot be compared."""
    if floors.data_sha256 != reached.data_sha256:
        return ["the near copies changed: set the floors anew with --raise --lower"]
    same = floors.verdicts == reached.verdicts

    def compared(figures: dict[str, int]) -> list[str]:
        return [name for name in figures if same or not name.startswith(("verdict", CLOZE))]

    slack = {name: round(_TOLERANCE * n) for name, n in reached.counts.items()}
    low = [
        f"{name}: {reached.at_least.get(name, 0)} is below {floors.at_least[name]}"
        for name in compared(floors.at_least)
        if reached.at_least.get(name, 0) < floors.at_least[name] - _slack(name, slack)
    ]
    high = [
        f"{name}: {reached.at_most.get(name, 0)} is above {floors.at_most[name]}"
        for name in compared(floors.at_most)
        if reached.at_most.get(name, 0) > floors.at_most[name] + _slack(name, slack)
    ]
    return low + high


def _slack(name: str, slack: dict[str, int]) -> int:
    """Return what a verdict's figure may lose; plain code may lose nothing."""
    return slack.get("verdict_true", 0) if name.startswith("verdict") else 2 if " cloze" in f" {name}" else 0


def _at_least(finders: dict[str, FinderFigures], outcomes: Outcomes) -> dict[str, int]:
    hits = {f"{name} near hits": one.near["false"] + one.near["open"] for name, one in finders.items()}
    return hits | {
        "verdict true verified": outcomes["true", Verdict.VERIFIED],
        "verdict false refuted": outcomes["false", Verdict.REFUTED],
    }


def _at_most(finders: dict[str, FinderFigures], outcomes: Outcomes) -> dict[str, int]:
    alarms = {f"{name} near alarms": one.near["true"] for name, one in finders.items()}
    far = {f"{name} far alarms": one.far["true"] for name, one in finders.items()}
    return (
        alarms
        | far
        | {
            "verdict true refuted": outcomes["true", Verdict.REFUTED],
            "verdict false verified": outcomes["false", Verdict.VERIFIED],
            "verdict open verified": outcomes["open", Verdict.VERIFIED],
        }
    )


def _finder_table(finders: dict[str, FinderFigures], verdicts: VerdictFigures, counts: dict[str, int]) -> str:
    head = (
        "finder",
        f"hits on false ({counts['near_false']})",
        f"hits on open ({counts['near_open']})",
        f"alarms on true ({counts['near_true']})",
        f"far: hits on false ({counts['far_false']})",
        f"far: alarms on true ({counts['far_true']})",
        "switched off: true verified",
        "true refuted",
        "false verified",
        "false refuted",
        "open verified",
    )
    rows = []
    for name in ALL:
        one = finders[name]
        found = (one.near["false"], one.near["open"], one.near["true"], one.far["false"], one.far["true"])
        changes = [f"{verdicts.without[name][key] - verdicts.outcomes[key]:+d}".replace("+0", "0") for key in _COLUMNS]
        rows.append((f"{name} (of {counts['asked']})" if name == CLOZE else name, *map(str, found), *changes))
    return to_table(head, rows)


_COLUMNS = (
    ("true", Verdict.VERIFIED),
    ("true", Verdict.REFUTED),
    ("false", Verdict.VERIFIED),
    ("false", Verdict.REFUTED),
    ("open", Verdict.VERIFIED),
)


def _kind_table(kinds: dict[str, Counter[str]], counts: Counter[tuple[str, str]]) -> str:
    def cell(kind: str, truth: str) -> str:
        return f"{kinds[kind][truth]} of {counts[kind, truth]}" if counts[kind, truth] else "-"

    rows = [(kind, *(cell(kind, truth) for truth in ("false", "open", "true"))) for kind in sorted(kinds)]
    return to_table(("what was changed", "false: any finder", "open: any finder", "true: any finder"), rows)


def _verdict_table(verdicts: VerdictFigures) -> str:
    head = ("what was changed", *(f"{truth} {verdict.value}" for truth, verdict in _COLUMNS), "n")

    def row(name: str, outcomes: Outcomes) -> tuple[str, ...]:
        return (name, *(str(outcomes[key]) for key in _COLUMNS), str(outcomes.total()))

    rows = [row(kind, outcomes) for kind, outcomes in sorted(verdicts.by_kind.items())]
    return to_table(head, [*rows, row("all", verdicts.outcomes)])
