"""
Articles from JSON lines: our crawler's, and other people's.

A line of other people's is an object with `url`, `headline` and `body`; optional are `published_at` (a day or a time),
`first_seen_at` (default: `published_at`, else now), `source` (default: the URL's host), `section`, `authors`,
`language`, `id` (kept as `external_id`). Common other names of these are understood (`ALIASES`); further fields are
ignored and counted, and so is a language that is not a code. A file whose name ends in `.gz` is decompressed.
"""

import gzip
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from core.errors import InputError
from core.files import UNREADABLE
from core.languages import language_code
from core.requests import input_error, parse_time
from core.types import Article
from core.urls import article_id, content_hash, has_login, hostname

ALIASES = {
    "headline": ("title",),
    "body": ("text", "article", "content"),
    "published_at": ("datetime", "date", "published"),
    "authors": ("author",),
    "language": ("lang",),
}
"""Our name of a field to the names it has elsewhere, read where ours is missing."""

_FIELDS = ("url", "headline", "body", "published_at", "first_seen_at", "source", "section", "authors", "language", "id")
_BLANKS = re.compile(r"\s+")
_DROPPED_CATEGORIES = frozenset({"Cc", "Cs"})
_HINT = "Every line is a JSON object with url, headline and body; correct the line and run the command again."


class Place(NamedTuple):
    """How far a file has been read."""

    offset: int = 0
    """Bytes, after decompression."""
    line: int = 0
    """Complete lines."""


class ReadArticle(NamedTuple):
    """One article, and the place behind it."""

    article: Article
    after: Place


def is_compressed(path: Path) -> bool:
    """Tell by its name whether an article file is gzipped."""
    return path.name.endswith(".gz")


def read_articles(
    path: Path, *, start: Place | None = None, ignored: Counter[str] | None = None, is_whole: bool = False
) -> Iterator[ReadArticle]:
    """
    Read the articles of a file, in order.

    :param start: Where to begin; None: at the beginning.
    :param ignored: Counts the names of fields that were not understood.
    :param is_whole: The file is not a crawl's. In a crawl's, a last line without its end is being written: it is left
        for the next time if it is not an article yet.
    :raises InputError: For the first line that is not an article: file, line, field and value are named.
    """
    place = start or Place()
    try:
        with _open(path) as lines:
            lines.seek(place.offset)
            for raw in lines:
                complete = raw.endswith(b"\n")
                after = Place(place.offset + len(raw), place.line + 1)
                try:
                    article = parse_line(raw, ignored=ignored) if raw.strip() else None
                except InputError as error:
                    if not (complete or is_whole) and _is_cut_off(raw):
                        return
                    raise _located(error, path=path, line=after.line) from error
                place = after
                if article is not None:
                    yield ReadArticle(article, place)
    except UNREADABLE as error:
        raise InputError(f"{path} cannot be read: {error}", field=str(path), hint="Check the path.") from error


def parse_line(raw: bytes, *, ignored: Counter[str] | None = None) -> Article:
    """
    Make an article of one line.

    :raises InputError: If it is none; the message names the field.
    """
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON: {error}", field="line", hint=_HINT) from error
    if not isinstance(data, dict):
        raise InputError(f"a JSON {type(data).__name__} is not an article", field="line", hint=_HINT)
    return _own_article(data, ignored) or _foreign_article(data, ignored)


def _own_article(data: dict[str, Any], ignored: Counter[str] | None) -> Article | None:
    """
    Return what our crawler wrote; None if the line is from elsewhere.

    The address is checked as other people's are. The id is not compared with it: a publisher's `same_article` and
    `tracking_parameters` make others.
    """
    headline, body = data.get("headline"), data.get("body")
    if "article_id" not in data or not isinstance(headline, str) or not isinstance(body, str):
        return None
    try:
        if data.get("content_hash") != content_hash(headline, body):
            return None
    except UnicodeEncodeError:
        return None
    _address(data)
    known = {name: value for name, value in data.items() if name in Article.model_fields}
    _count(ignored, set(data) - set(known))
    try:
        article = Article.model_validate(known)
        article.model_dump_json()  # else half a surrogate would be found only when it is stored
    except ValidationError as error:
        raise input_error(error, hint=_HINT) from error
    except (PydanticSerializationError, OverflowError) as error:
        raise InputError(f"this cannot be stored: {error}", field="line", hint=_HINT) from error
    return article


def _foreign_article(data: dict[str, Any], ignored: Counter[str] | None) -> Article:
    values, used = _named(data)
    language = language_code(values.get("language"))
    _count(ignored, set(data) - used | ({"language"} if language is None and values.get("language") else set()))
    headline = _required(values, "headline", clean_line)
    body = _required(values, "body", clean_body)
    url, name = _address(values)
    published = _time(values, "published_at")
    first_seen = _time(values, "first_seen_at") or published or datetime.now(UTC).replace(microsecond=0)
    external = values.get("id")
    fields = {
        "article_id": name,
        "url": url,
        "headline": headline,
        "body": body,
        "published_at": published,
        "first_seen_at": first_seen,
        "source": _optional(values, "source") or hostname(url),
        "section": _optional(values, "section"),
        "authors": _authors(values.get("authors")),
        "language": language,
        "external_id": None if external is None else clean_line(str(external)),
        "content_hash": content_hash(headline, body),
    }
    try:
        return Article.model_validate(fields)
    except ValidationError as error:
        raise input_error(error, hint=_HINT) from error


def clean_line(text: str) -> str:
    """Return the text in NFC on one line, blanks collapsed, control characters left out."""
    return _BLANKS.sub(" ", _printable(text)).strip()


def clean_body(text: str) -> str:
    """
    Return the text in NFC, otherwise as it was given, so that offsets into it hold for whoever gave it.

    Only characters that are not text are left out.
    """
    return _printable(text)


def _printable(text: str) -> str:
    normal = unicodedata.normalize("NFC", text)
    if normal.isprintable():
        return normal
    return "".join(c for c in normal if c in "\n\r\t" or unicodedata.category(c) not in _DROPPED_CATEGORIES)


def _named(data: Mapping[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """Return values under our names, and the names under which they were found."""
    values: dict[str, Any] = {}
    used: set[str] = set()
    for name in _FIELDS:
        for candidate in (name, *ALIASES.get(name, ())):
            if data.get(candidate) is not None:
                values[name] = data[candidate]
                used.add(candidate)
                break
    return values, used | {name for name in data if data[name] is None}


def _required(values: Mapping[str, Any], name: str, clean: Callable[[str], str]) -> str:
    value = values.get(name)
    if value is None:
        raise InputError(f"{name} is missing", field=name, hint=_HINT)
    if not isinstance(value, str):
        raise InputError(f"{name} is of type {type(value).__name__}, not text", field=name, hint=_HINT)
    text = clean(value)
    if not text.strip():
        raise InputError(f"{name} is empty", field=name, hint=_HINT)
    return text


def _optional(values: Mapping[str, Any], name: str) -> str | None:
    value = values.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name} is of type {type(value).__name__}, not text", field=name, hint=_HINT)
    return clean_line(value) or None if value else None


def _address(values: Mapping[str, Any]) -> tuple[str, str]:
    """Return the URL, and the id of the article that it names."""
    url = _required(values, "url", clean_line)
    fault = ""
    try:
        if url.lower().startswith(("http://", "https://")) and hostname(url):
            if not has_login(url):
                return url, article_id(url)
            fault = " (with a user name)"
    except ValueError as error:
        fault = f" ({error})"
    raise InputError(f"url is {url[:80]!r}{fault}; http://… or https://… is expected", field="url", hint=_HINT)


def _time(values: Mapping[str, Any], name: str) -> datetime | None:
    value = values.get(name)
    if value is None or not str(value).strip():
        return None
    if not isinstance(value, str):
        raise InputError(f"{name} is {value!r}, which is not a date", field=name, hint=_HINT)
    return parse_time(value, field=name)


def _authors(value: object) -> tuple[str, ...]:
    objects = [value] if isinstance(value, dict) else value
    items = objects if isinstance(objects, list) else str(value or "").split(",")
    names = (item.get("name") if isinstance(item, dict) else item for item in items)
    cleaned = (clean_line(str(name)) for name in names if name and not isinstance(name, list | dict))
    return tuple(name for name in cleaned if name)


def _count(ignored: Counter[str] | None, names: set[str]) -> None:
    if ignored is not None:
        ignored.update(names)


def _is_cut_off(raw: bytes) -> bool:
    try:
        json.loads(raw)
    except ValueError:
        return True
    return False


def _located(error: InputError, *, path: Path, line: int) -> InputError:
    return InputError(f"{path}, line {line}: {error.message}", field=error.field, hint=error.hint or _HINT)


def _open(path: Path) -> IO[bytes]:
    if is_compressed(path):
        return gzip.open(path, "rb")  # type: ignore[return-value]
    return path.open("rb")
