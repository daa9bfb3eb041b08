"""Untrusted input to a `Request`: one clear error for each way in which it can be wrong."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from pydantic import ValidationError

from core.errors import InputError
from core.languages import language_code
from core.types import MAX_QUERY_CHARS, Request

_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cs"})
"""Controls and halves of characters. What is unassigned or private is text: it may be an emoji newer than Python."""
_NONCHARACTERS = range(0xFDD0, 0xFDF0)
_LAST_OF_A_PLANE = frozenset({0xFFFE, 0xFFFF})
_ALLOWED_CONTROLS = frozenset("\n\r\t")
_PLAIN_WORDS = (
    (", unable to parse string as an integer", ""),
    (", unable to parse string as a number", ""),
    (", unable to interpret input", ""),
    ("Input should be", "it should be"),
    ("String should", "it should"),
    ("Input is not a valid path for <class 'pathlib.Path'>", "it should be a path"),
    ("a valid integer", "a whole number"),
    ("a valid number", "a number"),
    ("a valid boolean", "true or false"),
    ("a valid string", "a text"),
    ("a valid tuple", "a list"),
    ("a valid list", "a list"),
    ("a valid dictionary", "a mapping"),
    ("less than or equal to", "at most"),
    ("greater than or equal to", "at least"),
)
"""What pydantic says, and how it is said to people."""
_BLANKS = re.compile(r"\s+")
_STOPS = tuple(".!?…:\"'”’)»")


def check_text(text: object, *, field: str = "text", max_chars: int = MAX_QUERY_CHARS) -> str:
    """
    Return the text in Unicode NFC with blanks collapsed; one that may be longer than a query keeps its paragraphs.

    :raises InputError: If it is not a string, blank, longer than `max_chars`, or holds binary characters.
    """
    if not isinstance(text, str):
        raise InputError(
            f"{field} must be a string, not {type(text).__name__}",
            field=field,
            hint="Send the question or statement as text.",
        )
    for position, character in enumerate(text):
        if _is_binary(character):
            raise InputError(
                f"{field} holds the character U+{ord(character):04X} at position {position}, which is not text",
                field=field,
                hint="Send plain text; binary data cannot be checked.",
            )
    normal = unicodedata.normalize("NFC", text)
    cleaned = _paragraphs(normal) if max_chars > MAX_QUERY_CHARS else _BLANKS.sub(" ", normal).strip()
    if not cleaned or not any(character.isalnum() for character in cleaned):
        raise InputError(f"{field} is empty", field=field, hint="Type a question or a statement.")
    if len(text) > max_chars or len(cleaned) > max_chars:
        raise InputError(
            f"{field} has {len(text)} characters; at most {max_chars} are accepted",
            field=field,
            hint="Ask about one statement or question at a time.",
        )
    return cleaned


def _paragraphs(text: str) -> str:
    """Put a blank line between paragraphs: they end at blank lines, and where a line ends a sentence."""
    found: list[list[str]] = [[]]
    for line in text.splitlines():
        words = line.split()
        found[-1] += words
        if not words or words[-1].endswith(_STOPS):
            found.append([])
    return "\n\n".join(" ".join(words) for words in found if words)


def _is_binary(character: str) -> bool:
    """Say whether a character is a control, half a character, or one of the code points that never become one."""
    code = ord(character)
    if code in _NONCHARACTERS or code & 0xFFFF in _LAST_OF_A_PLANE:
        return True
    return unicodedata.category(character) in _FORBIDDEN_CATEGORIES and character not in _ALLOWED_CONTROLS


def parse_time(value: object, *, field: str, end_of_day: bool = False) -> datetime:
    """
    Read a day or an ISO 8601 time; without a zone it is UTC.

    :param end_of_day: A bare day means its last moment instead of its first.
    :raises InputError: If it is neither.
    """
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    text = str(value).strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(
            f"{field} is {text[:40]!r}, which is not a date",
            field=field,
            hint="Write 2026-01-31 or 2026-01-31T18:30:00+08:00.",
        ) from error
    if end_of_day and _is_day(text):
        moment = datetime.combine(moment.date(), time.max)
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError as error:
        raise InputError(
            f"{field} is {text[:40]!r}, outside the calendar", field=field, hint="Write 2026-01-31."
        ) from error


def _is_day(text: str) -> bool:
    """Say whether a time is a day, however it is written: 2026-01-31, 20260131, 2026-W05-6."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def parse_request(data: Mapping[str, Any], *, max_chars: int = MAX_QUERY_CHARS) -> Request:
    """
    Make a request from untrusted fields.

    :param data: Fields of `Request`; `as_of`, `filters.published_from` and `filters.published_to` may be days.
    :param max_chars: Longest text; a system that reads long ones says so in its `SystemInfo.max_chars`.
    :raises InputError: For the first field that cannot be used, by name.
    """
    fields = {name: value for name, value in data.items() if value is not None}
    fields["text"] = check_text(fields.get("text", ""), max_chars=max_chars)
    if "as_of" in fields:
        fields["as_of"] = parse_time(fields["as_of"], field="as_of", end_of_day=True)
    if isinstance(fields.get("filters"), Mapping):
        filters = {name: value for name, value in fields["filters"].items() if value is not None}
        for name, late in (("published_from", False), ("published_to", True)):
            if name in filters:
                filters[name] = parse_time(filters[name], field=name, end_of_day=late)
        if isinstance(filters.get("languages"), list | tuple):
            filters["languages"] = [_language(tag) for tag in filters["languages"]]
        _check_period(filters.get("published_from"), filters.get("published_to"))
        fields["filters"] = filters
    try:
        return Request.model_validate(fields)
    except ValidationError as error:
        raise input_error(error) from error


def _language(tag: object) -> str:
    code = language_code(tag)
    if code is None:
        raise InputError(
            f"languages holds {str(tag)[:40]!r}, which is not a language code",
            field="languages",
            hint="Write en or de.",
        )
    return code


def _check_period(start: datetime | None, end: datetime | None) -> None:
    """
    See that a period has room for an article.

    :raises InputError: If it ends before it starts.
    """
    if start is not None and end is not None and start > end:
        raise InputError(
            f"published_from is {start:%Y-%m-%d}, after published_to, {end:%Y-%m-%d}",
            field="published_from",
            hint="Exchange the two, or leave one out.",
        )


def expectation(complaint: str) -> str:
    """Say what one of pydantic's complaints expects, in the words of people who type JSON, YAML or a command."""
    said = complaint.removeprefix("Value error, ")
    for technical, plain in _PLAIN_WORDS:
        said = said.replace(technical, plain)
    return said


def input_error(error: ValidationError, *, kind: type[InputError] = InputError, hint: str | None = None) -> InputError:
    """
    Turn one of pydantic's complaints into an error that names the field, the value and what is accepted.

    An unknown field is told first: a misspelt name may be why another one is missing.
    """
    first = min(error.errors(include_url=False), key=lambda fault: fault["type"] != "extra_forbidden")
    field = ".".join(str(part) for part in first["loc"]) or "input"
    if first["type"] == "extra_forbidden":
        message = f"{field} is not a known field"
    elif first["type"] == "missing":
        message = f"{field} is missing"
    else:
        message = f"{field} is {str(first['input'])[:60]!r}: {expectation(first['msg'])}"
    return kind(message, field=field, hint=hint)
