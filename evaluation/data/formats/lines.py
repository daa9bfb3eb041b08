"""Lines of data files, plain or gzip, with errors that name file and line."""

import gzip
import json
from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from core.errors import InputError, NotFoundError, writable
from core.files import UNREADABLE
from core.urls import normalise_url

LONGEST_LINE = 50_000_000
"""Characters; a longer line is not a record but a file of another kind."""
HALF_CHARACTER = "holds half a character (a lone surrogate)"


def bad_line(path: Path, line: int, problem: str, *, hint: str | None = None) -> InputError:
    """Make the error for one line of a file."""
    return InputError(f"{path}, line {line}: {problem}", field="data", hint=hint)


def fail(path: Path, line: int, problem: str, *, hint: str | None = None) -> NoReturn:
    """Refuse one line of a file."""
    raise bad_line(path, line, problem, hint=hint)


def plain_or_gzip(path: Path) -> Path:
    """Return a file, or the `.gz` beside it where there is only that."""
    packed = path.with_name(f"{path.name}.gz")
    return packed if packed.is_file() and not path.is_file() else path


def read_lines(path: Path, *, blank: bool = False) -> Iterator[tuple[int, str]]:
    """
    Yield the lines of a UTF-8 file, `.gz` or plain, each with its number from 1, without its line break.

    :param blank: Blank ones, too.
    :raises NotFoundError: If there is no such file.
    :raises InputError: If it is not UTF-8 text or a broken gzip file; the message names the line.
    """
    if not path.is_file():
        raise NotFoundError(f"{path} is not there, or is not a file", field="data", hint="Check the path.")
    number = 0
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8-sig")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8-sig") as handle
        ):
            for number, line in enumerate(handle, 1):
                if len(line) > LONGEST_LINE:
                    fail(path, number, f"the line has {len(line)} characters; is this a JSON lines file?")
                if blank or line.strip():
                    yield number, line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise bad_line(path, number + 1, "this is not UTF-8 text", hint="Save the file as UTF-8.") from error
    except UNREADABLE as error:
        raise bad_line(path, number + 1, f"cannot be read: {error}", hint="Check the file.") from error


def read_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """
    Yield the objects of a JSON lines file, or of one JSON array, with the numbers of the lines that they begin on.

    :raises InputError: For a line or an element that is not a JSON object, for half a character, and for what stands
        after the array.
    """
    lines = read_lines(path)
    first = next(lines, None)
    if first is None:
        return
    if first[1].lstrip().startswith("["):
        yield from _array_objects(path, [first, *lines])
        return
    for number, line in chain([first], lines):
        try:
            value = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
            raise bad_line(
                path, number, f"this is not valid JSON: {reason}", hint="Write one JSON object a line."
            ) from error
        if not isinstance(value, dict):
            fail(path, number, f"holds {type(value).__name__}, not an object", hint="Write one JSON object a line.")
        if holds_half_character(line, value):
            fail(path, number, HALF_CHARACTER)
        yield number, value


def _array_objects(path: Path, lines: list[tuple[int, str]]) -> Iterator[tuple[int, dict[str, Any]]]:
    text = "\n".join(line for _, line in lines)
    decoder = json.JSONDecoder()
    at, seen, row = _after(text, text.index("[") + 1), 0, 0
    while text[at : at + 1] != "]":
        row += text.count("\n", seen, at)
        seen = at
        number = lines[row][0]
        try:
            value, end = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError) as error:
            raise bad_line(path, number, "the array's element here is not valid JSON", hint="Mend the file.") from error
        if not isinstance(value, dict):
            fail(path, number, f"the array holds {type(value).__name__}, not an object", hint="Write objects.")
        if holds_half_character(text[at:end], value):
            fail(path, number, HALF_CHARACTER)
        yield number, value
        at = _after(text, end)
        if text[at : at + 1] == ",":
            at = _after(text, at + 1)
        elif text[at : at + 1] != "]":
            fail(path, number, "no comma or closing bracket after this element", hint="Mend the file.")
    more = _after(text, at + 1)
    if more < len(text):
        row += text.count("\n", seen, more)
        fail(path, lines[row][0], "more stands after the array", hint="Put all objects into one array, or one a line.")


def _after(text: str, at: int) -> int:
    """Skip blanks."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def holds_half_character(written: str, value: object) -> bool:
    """Say whether JSON that was read holds a lone surrogate, which it can write and no file or model can take."""
    if "\\u" not in written:
        return False
    text = json.dumps(value, ensure_ascii=False)
    return writable(text) != text


def text_field(row: dict[str, Any], name: str, *, path: Path, line: int, required: bool = True) -> str:
    """
    Return a text field; numbers are accepted as names.

    :raises InputError: If it is missing while required, blank while required, or not a text.
    """
    value = row.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is None:
        value = ""
    if not isinstance(value, str):
        fail(path, line, f"{name} is {type(value).__name__}, not text")
    if required and not value.strip():
        fail(path, line, f"{name} is missing or empty", hint=f"Every line needs {name!r}.")
    return value


def row_id(row: dict[str, Any], taken: Collection[str], *, path: Path, line: int) -> str:
    """
    Return `id`; without one, the number of the line, of several rows on a line with the row's own behind it.

    :param taken: Ids of the rows before.
    """
    given, name = text_field(row, "id", path=path, line=line, required=False), f"line-{line}"
    return given or (f"{name}-{len(taken) + 1}" if name in taken else name)


def check_address(text: str, *, path: Path, line: int) -> None:
    """Refuse a text that begins as an address and is none; ids of a corpus's own pass."""
    try:
        normalise_url(text)
    except ValueError as error:
        raise bad_line(path, line, f"{text[:80]!r} is not an address: {error}") from error


def text_list(row: dict[str, Any], name: str, *, path: Path, line: int) -> tuple[str, ...]:
    """Return a list of texts; one text stands for a list of one, a missing field for an empty list."""
    value = row.get(name)
    if value is None:
        return ()
    values = [value] if isinstance(value, (str, int, float)) else value
    if not isinstance(values, list) or not all(isinstance(entry, (str, int, float)) for entry in values):
        fail(path, line, f"{name} must be a list of texts")
    return tuple(str(entry) for entry in values)
