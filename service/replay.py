"""Whether the same question gives the same answer again."""

from typing import Any

from core.types import Model, Result

NOT_COMPARED = frozenset({"run_id", "run", "timings"})


class Replayed(Model):
    """A run beside its repetition."""

    identical: bool
    """Everything but run ids and times is equal, to the letter."""
    differences: tuple[str, ...]
    """Names of the fields that differ."""
    same_index: bool
    """The index holds what it held then. If not, a difference is no surprise."""
    result: Result


def compare(before: Result, after: Result) -> Replayed:
    """Compare a run with its repetition."""
    old, new = _comparable(before), _comparable(after)
    differences = tuple(sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name)))
    return Replayed(
        identical=not differences,
        differences=differences,
        same_index=_snapshot(before) == _snapshot(after),
        result=after,
    )


def _comparable(result: Result) -> dict[str, Any]:
    return result.model_dump(mode="json", exclude=set(NOT_COMPARED))


def _snapshot(result: Result) -> str | None:
    return result.searched.snapshot_id if result.searched else None
