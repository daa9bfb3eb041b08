"""The history of a check in words."""

from service.desk.types import HistoryEntry

_MAX_CHARS = 400


def change_words(entry: HistoryEntry) -> list[str]:
    """Say each change of a step: field, before, after."""
    return [
        f"{name.replace('_', ' ')}: {_value(before)} → {_value(after)}"
        for name, (before, after) in entry.changes.items()
    ]


def _value(value: object) -> str:
    if value is None or value in ("", {}, [], ()):
        return "nothing"
    if isinstance(value, dict):
        value = ", ".join(f"{name} {_value(one)}" for name, one in value.items() if one not in (None, [], ""))
    elif isinstance(value, list | tuple):
        value = ", ".join(str(one) for one in value)
    text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value).replace("_", " ")
    return text if len(text) <= _MAX_CHARS else f"{text[: _MAX_CHARS - 1]}…"
