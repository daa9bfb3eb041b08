"""
Questions with reference answers, as CSV (with a header) or JSON lines.

Columns or fields: `question` (or `text`), `answer` (or `answers`: a list, in CSV separated by `|`; empty: it cannot be
answered), and
optional `id`, `article_urls` (or `article_ids`, `url`; in CSV separated by `|`: where the answer stands).
Rows of the sample's form with `kind` statement are left out.
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.types import Model
from evaluation.data.formats.lines import (
    bad_line,
    check_address,
    fail,
    read_lines,
    read_objects,
    row_id,
    text_field,
    text_list,
)

_SEPARATOR = "|"
_ANSWERS, _PLACES = ("answers", "answer"), ("article_urls", "article_ids", "urls", "url")


class QaRow(Model):
    """One question."""

    id: str
    question: str
    answers: tuple[str, ...]
    """Accepted answers; empty: it cannot be answered."""
    articles: tuple[str, ...] = ()
    """URLs or corpus ids of the articles that hold the answer; empty: not known."""
    split: str = ""


def read_qa(path: Path) -> list[QaRow]:
    """
    Read questions.

    :raises InputError: For a malformed line, row or address, a missing question, or an id that stands twice.
    """
    rows: dict[str, QaRow] = {}
    is_csv = ".csv" in {suffix.lower() for suffix in path.suffixes}
    for line, row in _csv_rows(path) if is_csv else read_objects(path):
        if row.get("kind") == "statement":
            continue
        name = row_id(row, rows, path=path, line=line)
        if name in rows:
            fail(path, line, f"question {name} stands twice")
        answers = _first_list(row, _ANSWERS, path, line) if row.get("answerable", True) is not False else ()
        articles = _first_list(row, _PLACES, path, line)
        for article in articles:
            check_address(article, path=path, line=line)
        rows[name] = QaRow(
            id=name,
            question=text_field(row, "question" if "question" in row else "text", path=path, line=line),
            answers=answers,
            articles=articles,
            split=text_field(row, "split", path=path, line=line, required=False),
        )
    if not rows:
        fail(path, 1, "no questions", hint='Write lines such as: {"question": "...", "answer": "..."}')
    return list(rows.values())


def _first_list(row: dict[str, Any], names: tuple[str, ...], path: Path, line: int) -> tuple[str, ...]:
    for name in names:
        found = tuple(text.strip() for text in text_list(row, name, path=path, line=line) if text.strip())
        if found:
            return found
    return ()


def _csv_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.reader((line + "\n" for _, line in read_lines(path, blank=True)), strict=True)
    header: list[str] = []
    try:
        for values in reader:
            if len(values) < 2 and not "".join(values).strip():  # noqa: PLR2004 - a blank line
                continue
            if not header:
                header = [name.strip().lower() for name in values]
                if not {"question", "text"} & set(header):
                    problem = f"the header is {', '.join(header)[:80]!r}"
                    fail(path, reader.line_num, problem, hint="Name a column 'question'; commas separate columns.")
                continue
            if len(values) != len(header):
                fail(path, reader.line_num, f"{len(values)} columns, the header has {len(header)}")
            yield reader.line_num, {name: _split(name, value) for name, value in zip(header, values, strict=True)}
    except csv.Error as error:
        raise bad_line(path, reader.line_num, f"no CSV: {error}") from error


def _split(name: str, value: str) -> str | list[str]:
    return value.split(_SEPARATOR) if name in {*_ANSWERS, *_PLACES} else value
