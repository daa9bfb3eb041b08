"""
Texts with marked sentences: JSON lines of `text` and `sentences`, and ClaimBuster's plain form.

A sentence has `start` and `end` (characters of the text) and `label`: `claim`, or what it is instead (any word).
Optional in a sentence: `verdict`, of a claim that can be judged from the corpus; `names`, which the wording that stands
alone must hold. Optional in a line: `id`,
`published_at`, `part`. Further fields are ignored. ClaimBuster's CSV (`groundtruth.csv`, `crowdsourced.csv`) has a
sentence a row: `Sentence_id`, `Text` and `Verdict`: 1 check-worthy, 0 factual but unimportant, -1 no factual claim.
"""

import csv
from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.types import Model
from evaluation.data.formats.labels import NAMES, Label, map_label
from evaluation.data.formats.lines import fail, read_lines, read_objects, row_id, text_field, text_list


class Mark(StrEnum):
    """What a sentence is to those who marked it."""

    CLAIM = "claim"
    UNIMPORTANT = "unimportant"
    """Factual, but nothing that anybody would check: it may be taken or left."""
    NONE = "none"


class MarkedSentence(Model):
    """A sentence of a text, marked."""

    start: int
    end: int
    mark: Mark
    label: str
    """As it is written in the file."""
    verdict: Label | None = None
    """None: not to be judged."""
    names: tuple[str, ...] = ()
    """What its wording that stands alone must hold."""


class MarkedText(Model):
    """A text, marked."""

    id: str
    text: str
    written_on: date | None = None
    sentences: tuple[MarkedSentence, ...]
    part: str = ""


_COLUMNS = ("Sentence_id", "Text", "Verdict")
_CLAIMBUSTER = {"1": Mark.CLAIM, "0": Mark.UNIMPORTANT, "-1": Mark.NONE}


def read_marked_texts(path: Path) -> list[MarkedText]:
    """
    Read texts.

    :param path: `.csv` is ClaimBuster's form; everything else JSON lines, plain or gzip.
    :raises InputError: For a line that is none of these, with its number; for a file without texts.
    """
    rows = _claimbuster(path) if path.name.removesuffix(".gz").endswith(".csv") else _json_lines(path)
    texts: dict[str, MarkedText] = {}
    for line, text in rows:
        if text.id in texts:
            fail(path, line, f"id {text.id} stands twice")
        texts[text.id] = text
    if not texts:
        fail(path, 1, "no texts", hint='Write lines such as: {"text": "...", "sentences": [{"start": 0, ...}]}')
    return list(texts.values())


def _json_lines(path: Path) -> Iterator[tuple[int, MarkedText]]:
    taken: set[str] = set()
    for line, row in read_objects(path):
        name = row_id(row, taken, path=path, line=line)
        taken.add(name)
        text = text_field(row, "text", path=path, line=line)
        sentences = row.get("sentences")
        if not isinstance(sentences, list) or not sentences:
            fail(path, line, "sentences is not a list of marked sentences")
        marked = tuple(_sentence(one, text, path, line) for one in sentences)
        part = text_field(row, "part", path=path, line=line, required=False)
        yield line, MarkedText(id=name, text=text, written_on=_day(row, path, line), sentences=marked, part=part)


def _sentence(row: Any, text: str, path: Path, line: int) -> MarkedSentence:
    if not isinstance(row, dict):
        fail(path, line, "a sentence is not an object")
    start, end = row.get("start"), row.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= len(text):
        fail(path, line, f"a sentence from {start!r} to {end!r} is not in the text of {len(text)} characters")
    label = text_field(row, "label", path=path, line=line)
    written = text_field(row, "verdict", path=path, line=line, required=False)
    verdict = map_label(written) if written else None
    if written and verdict is None:
        known = "; ".join(f"{one.value}: {', '.join(names[:3])}" for one, names in NAMES.items())
        fail(path, line, f"the verdict is {written[:40]!r}", hint=f"Known names: {known}.")
    mark = Mark(label) if label in {Mark.CLAIM, Mark.UNIMPORTANT} else Mark.NONE
    names = tuple(text_list(row, "names", path=path, line=line))
    return MarkedSentence(start=start, end=end, mark=mark, label=label, verdict=verdict, names=names)


def _day(row: dict[str, Any], path: Path, line: int) -> date | None:
    written = text_field(row, "published_at", path=path, line=line, required=False)
    try:
        return date.fromisoformat(written[:10]) if written else None
    except ValueError:
        fail(path, line, f"published_at is {written[:40]!r}", hint="Write it as 2026-05-31.")


def _claimbuster(path: Path) -> Iterator[tuple[int, MarkedText]]:
    lines = list(read_lines(path, blank=True))
    reader = csv.DictReader(f"{text}\n" for _, text in lines)
    lacking = [name for name in _COLUMNS if name not in (reader.fieldnames or ())]
    if lacking:
        fail(path, 1, f"column {lacking[0]} is missing", hint=f"ClaimBuster's files have {', '.join(_COLUMNS)}.")
    for row in reader:
        line, text, verdict = reader.line_num, (row["Text"] or "").strip(), (row["Verdict"] or "").strip()
        mark = _CLAIMBUSTER.get(verdict.removesuffix(".0"))
        if mark is None:
            fail(path, line, f"Verdict is {verdict[:40]!r}", hint="It is 1, 0 or -1.")
        if not text:
            fail(path, line, "Text is empty")
        sentence = MarkedSentence(start=0, end=len(text), mark=mark, label=verdict)
        yield (
            line,
            MarkedText(id=(row["Sentence_id"] or "").strip() or f"line-{line}", text=text, sentences=(sentence,)),
        )
