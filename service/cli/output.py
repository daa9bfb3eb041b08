"""Printing of results: models as JSON, tables for people."""

import codecs
import json
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import NoReturn, TextIO

from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

_WIDE = 1000
"""Columns of a table that goes into a file or another program: nothing is folded."""


def escape_what_is_lacking() -> None:
    """Let what standard output or error cannot encode appear as escapes; it would end the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not _takes_all(stream):
            stream.reconfigure(errors="backslashreplace")


def _takes_all(stream: TextIO | None) -> bool:
    return codecs.lookup(getattr(stream, "encoding", None) or "utf-8").name.startswith("utf-")


class Output(Console):
    """Standard output; that who reads it has gone is for the error border to know, not an exit code of its own."""

    def on_broken_pipe(self) -> NoReturn:
        """Pass the error on."""
        raise BrokenPipeError


def print_json(value: object, *, indent: int | None = None) -> None:
    """Print a model or plain value as JSON on standard output, and flush it."""
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    print(json.dumps(plain, ensure_ascii=not _takes_all(sys.stdout), indent=indent, allow_nan=False), flush=True)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None) -> None:
    """Print a table on standard output; numbers are right-aligned, None is a hyphen."""
    listed = [list(row) for row in rows]
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column, heading in enumerate(headings):
        numeric = any(isinstance(row[column], int | float) for row in listed)
        table.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for row in listed:
        table.add_row(*[_cell(value) for value in row])
    Output(markup=False, highlight=False, width=None if sys.stdout.isatty() else _WIDE).print(table)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def print_markdown(text: str) -> None:
    """Print Markdown on standard output: laid out on a terminal, as it is elsewhere."""
    console = Output()
    if console.is_terminal:
        from rich.markdown import Markdown

        console.print(Markdown(text))
    else:
        print(text, flush=True)
