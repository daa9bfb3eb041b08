"""Many queries from one file: one result object a line, and a bad line does not stop the others."""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from core.errors import CancelledError, InputError, LooksyError
from core.files import UNREADABLE
from core.types import Request, Result
from pipelines.systems.registry import request_for
from service.auth.redaction import public_error

MAX_LINE_BYTES = 1_000_000
REQUEST_FIELDS = ("text", "kind", "as_of", "filters", "top_k", "options", "blind")
"""Fields of a line that make the request. `id` and `system` are read too; every other field is ignored."""

Ask = Callable[[str, Request], Result]
"""System name and request to result."""


def read_lines(path: Path) -> Iterator[bytes]:
    """
    Yield the non-blank lines of a file, gzip-compressed if its name ends in `.gz`.

    :raises InputError: If the file cannot be read.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            for line in file:
                if line.strip():
                    yield line
    except UNREADABLE as error:
        raise InputError(
            f"{path} cannot be read: {error}", field="batch", hint="Name a file of JSON lines with id and text."
        ) from error


def answer_lines(
    lines: Iterable[bytes],
    ask: Ask,
    *,
    system: str,
    defaults: dict[str, Any] | None = None,
    first: int = 1,
    is_public: bool = False,
) -> Iterator[dict[str, Any]]:
    """
    Answer line after line.

    :param lines: Each a JSON object with `text`, and optionally `id`, `system` and the other `REQUEST_FIELDS`.
    :param system: For lines that name none.
    :param defaults: Request fields for lines that do not set them.
    :param first: Number of the first line.
    :param is_public: Whoever asks the service gets the answers: tell errors as `auth.redaction.public_error` does.
    :returns: For each line, in order: the result with the line's `id`, or `id`, `line`, `status` failed and `error`.
    :raises CancelledError: If `ask` was stopped.
    """
    for number, line in enumerate(lines, start=first):
        row: dict[str, Any] = {}
        try:
            row = _parse(line)
            fields = (defaults or {}) | {name: row[name] for name in REQUEST_FIELDS if row.get(name) is not None}
            named = str(row.get("system") or system)
            result = ask(named, request_for(named, fields))
        except CancelledError:
            raise
        except LooksyError as error:
            body = error_body(public_error(error) if is_public else error)
            yield {"id": row.get("id"), "line": number, "status": "failed", "verdict": None, "error": body}
        else:
            yield {"id": row.get("id")} | result.model_dump(mode="json")


def error_body(error: LooksyError) -> dict[str, Any]:
    """Return code, message, field and hint of an error."""
    return {"code": error.code, "message": error.message, "field": error.field, "hint": error.hint}


def _parse(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE_BYTES:
        raise InputError(
            f"the line has {len(line)} bytes; at most {MAX_LINE_BYTES} are accepted",
            field="line",
            hint="Send one query a line.",
        )
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(
            "the line is not valid JSON", field="line", hint='Write {"id": "1", "text": "Who won?"} on each line.'
        ) from error
    if not isinstance(row, dict):
        raise InputError(
            f"the line is a JSON {type(row).__name__}, not an object",
            field="line",
            hint='Write {"id": "1", "text": "Who won?"} on each line.',
        )
    try:
        json.dumps(row, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise InputError(
            "the line holds half a character (a lone surrogate) or a number that is not finite, such as NaN",
            field="line",
            hint="Write what a reply can hold, too.",
        ) from error
    return row
