"""
What must not get worse: `evaluation/floors.json`.

Each floor names an evaluation, a measure, the value that was reached, a tolerance and the hash of the data. On other
data a floor says nothing, so a changed hash is an error of its own. Floors rise by `looksy benchmark floors --raise`;
lowering one takes `--lower`, so that nobody does it by accident.
"""

import json
from pathlib import Path

from core.errors import ConfigError
from core.paths import ROOT
from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Model
from evaluation.benchmarks.models import Entry
from evaluation.benchmarks.run import run_entry

FILE = ROOT / "evaluation" / "floors.json"
_SAME = 1e-9


class Floor(Model):
    """One pinned figure."""

    entry: Entry
    measure: str
    value: float
    tolerance: float
    """How far below it may be: what chance and another machine may cost."""
    is_ceiling: bool = False
    """Lower is better: a figure may not rise above the value."""
    data_sha256: str
    slow: bool = False
    """Takes more than a few seconds: left out unless asked for."""


class FloorCheck(Model):
    """A floor against what is reached now."""

    floor: Floor
    reached: float | None
    """None: not measured, or not over all items, since some failed."""
    data_sha256: str
    """Of the data that was measured on."""
    problem: str = ""
    """Empty: it holds."""


def read_floors(path: Path = FILE) -> list[Floor]:
    """Read the floors."""
    return [Floor.model_validate(row) for row in json.loads(path.read_text(encoding="utf-8"))]


def check_floors(
    settings: Settings, *, slow: bool = True, path: Path = FILE, progress: Progress = ignore_progress
) -> list[FloorCheck]:
    """
    Run what the floors name, each evaluation once, and compare.

    :param slow: Also the slow ones.
    """
    floors = [floor for floor in read_floors(path) if slow or not floor.slow]
    results = {}
    for floor in floors:
        key = floor.entry.model_dump_json()
        if key not in results:
            results[key] = run_entry(floor.entry, settings, progress=progress)
    checks = []
    for floor in floors:
        result = results[floor.entry.model_dump_json()]
        lost = f"{result.failed} of {result.n} items failed" if result.failed else ""
        reached = None if lost else result.measures.get(floor.measure, (None,))[0]
        problem = result.skipped or lost or judge(floor, reached, result.data_sha256)
        checks.append(FloorCheck(floor=floor, reached=reached, data_sha256=result.data_sha256, problem=problem))
    return checks


def judge(floor: Floor, reached: float | None, data_sha256: str) -> str:
    """Say what is wrong; nothing if the floor holds."""
    if data_sha256 != floor.data_sha256:
        return "the data changed: set the floor anew with --raise --lower"
    if reached is None:
        return f"{floor.measure} was not measured"
    if floor.is_ceiling and reached > floor.value + floor.tolerance + _SAME:
        return f"{reached:.4f} is above {floor.value:.4f} + {floor.tolerance:.4f}"
    if not floor.is_ceiling and reached < floor.value - floor.tolerance - _SAME:
        return f"{reached:.4f} is below {floor.value:.4f} - {floor.tolerance:.4f}"
    return ""


def update_floors(checks: list[FloorCheck], *, lower: bool, path: Path = FILE) -> list[Floor]:
    """
    Set the floors to what was reached.

    :param lower: Allow a floor to fall, or to move to other data.
    :raises ConfigError: If one would fall and that is not allowed.
    """
    updated = {}
    for check in checks:
        if check.reached is None:
            continue
        if check.problem and not lower:
            raise ConfigError(
                f"{check.floor.entry.label}, {check.floor.measure}: {check.problem}",
                field="floors",
                hint="Mend what got worse; or add --lower and say why in the commit.",
            )
        gain = check.reached - check.floor.value
        better = (gain < 0 if check.floor.is_ceiling else gain > 0) or bool(check.problem)
        value = round(check.reached, 4) if better else check.floor.value
        updated[_key(check.floor)] = check.floor.model_copy(update={"value": value, "data_sha256": check.data_sha256})
    floors = [updated.get(_key(floor), floor) for floor in read_floors(path)]
    rows = [floor.model_dump(mode="json", exclude_defaults=True) for floor in floors]
    path.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return floors


def _key(floor: Floor) -> tuple[str, str]:
    return floor.entry.model_dump_json(), floor.measure
