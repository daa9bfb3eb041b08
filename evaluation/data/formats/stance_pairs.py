"""
Texts with their stance to a query: JSON lines with `id`, `query`, `text`, `label`, optional `split`.

The names of the public sets are read as they are: Perspectrum's `claim` and `perspective` (support, undermine), and the
`headline` and `body_id` of the Fake News Challenge and ArC (agree, disagree, discuss, unrelated), whose texts stand in
`bodies.jsonl` beside the pairs. The challenge's own CSV files (`Headline`, `Body ID`, `Stance`) are read too.
"""

import csv
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.types import Model
from evaluation.data.formats.lines import fail, plain_or_gzip, read_lines, read_objects, row_id, text_field


class PairLabel(StrEnum):
    """What a text says to a query."""

    SUPPORTS = "supports"
    OPPOSES = "opposes"
    NEUTRAL = "neutral"
    """It bears on the query and takes no side."""
    UNRELATED = "unrelated"


_NAMES = {label.value: label for label in PairLabel} | {
    "support": PairLabel.SUPPORTS,
    "agree": PairLabel.SUPPORTS,
    "agrees": PairLabel.SUPPORTS,
    "for": PairLabel.SUPPORTS,
    "yes": PairLabel.SUPPORTS,
    "favor": PairLabel.SUPPORTS,
    "undermine": PairLabel.OPPOSES,
    "oppose": PairLabel.OPPOSES,
    "disagree": PairLabel.OPPOSES,
    "disagrees": PairLabel.OPPOSES,
    "against": PairLabel.OPPOSES,
    "no": PairLabel.OPPOSES,
    "discuss": PairLabel.NEUTRAL,
    "discusses": PairLabel.NEUTRAL,
    "none": PairLabel.NEUTRAL,
    "mixed": PairLabel.NEUTRAL,
}
_QUERIES, _TEXTS, _LABELS = ("query", "claim", "headline"), ("text", "perspective", "body"), ("label", "stance")
_CSV = {"Headline": "headline", "Body ID": "body_id", "Stance": "label", "articleBody": "body"}
"""Columns of the Fake News Challenge to the names used here."""


class StancePair(Model):
    """A text, what it is asked, and the answer."""

    id: str
    query: str
    text: str
    label: PairLabel


def is_pair(row: dict[str, Any]) -> bool:
    """Say whether a row is a text with a stance, not a question with its articles."""
    return "perspectives" not in row and any(name in row for name in (*_TEXTS[1:], "query", "body_id"))


def read_stance_pairs(path: Path, split: str | None = None) -> list[StancePair]:
    """
    Read a file.

    :param split: Only rows whose `split` this is; None: all.
    :raises InputError: For a malformed line, an unknown label, a body that is not there, or an id that stands twice.
    """
    bodies: dict[str, str] | None = None
    pairs: dict[str, StancePair] = {}
    for line, row in rows_of(path):
        if split not in {None, row.get("split")}:
            continue
        given = dict(row)
        name = row_id(row, pairs, path=path, line=line)
        if name in pairs:
            fail(path, line, f"id {name} stands twice")
        if "body_id" in given and "body" not in given:
            bodies = bodies if bodies is not None else _bodies_beside(path, line)
            given["body"] = bodies.get(str(given["body_id"]), "")
        written = text_field(given, _present(given, _LABELS), path=path, line=line).strip().lower()
        if written not in _NAMES:
            fail(path, line, f"label is {written[:40]!r}", hint=f"Write one of: {', '.join(PairLabel)}.")
        pairs[name] = StancePair(
            id=name,
            query=text_field(given, _present(given, _QUERIES), path=path, line=line),
            text=text_field(given, _present(given, _TEXTS), path=path, line=line),
            label=_NAMES[written],
        )
    if not pairs:
        fail(path, 1, "no pairs" + (f" of split {split}" if split else ""))
    return list(pairs.values())


def rows_of(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of JSON lines, or of a CSV file with the columns of the Fake News Challenge."""
    if ".csv" not in path.suffixes:
        yield from read_objects(path)
        return
    lines = (text for _, text in read_lines(path, blank=True))
    reader = csv.DictReader((f"{text}\n" for text in lines), strict=False)
    for row in reader:
        known = {_CSV.get(name, name): value for name, value in row.items() if name and isinstance(value, str)}
        yield reader.line_num, known


def _bodies_beside(path: Path, line: int) -> dict[str, str]:
    """Read the texts that `body_id` points to: `bodies.jsonl` beside the pairs, or the challenge's own CSV."""
    names = ("bodies.jsonl", path.name.replace("stances", "bodies"))
    files = [file for name in names if name != path.name and (file := plain_or_gzip(path.with_name(name))).is_file()]
    if not files:
        fail(path, line, "body_id points to a text that is not here", hint=f"Put {names[0]} beside {path.name}.")
    return {str(row.get("body_id", "")): str(row.get("body", "")) for _, row in rows_of(files[0])}


def _present(row: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in row), names[0])
