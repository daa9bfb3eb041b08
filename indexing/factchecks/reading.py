"""Files of fact-checks: ClaimReview in JSON or in the pages that carry it, and JSON lines."""

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

from pydantic import ValidationError

from core.errors import InputError
from indexing.factchecks.claim_review import JsonLd, RefusedError, is_claim_review, read_claim_review
from indexing.factchecks.text import plain_line, read_day, web_address
from indexing.factchecks.types import FactCheck, Refusal

MAX_BYTES = 512 * 1024 * 1024
"""Of a file, unpacked; the largest feeds have a third of it."""
MAX_LINE_BYTES = 1_000_000
MAX_ENTRIES = 1_000_000
_FORMS = (
    "Give ClaimReview as JSON-LD (one, a list, @graph or a DataFeed), a page that holds it, or JSON lines with id,"
    " claim, title, verdict, url, publisher and date."
)
_ROW_TEXTS = ("title", "verdict", "publisher")

Entry = FactCheck | Refusal


def read_fact_checks(content: bytes, *, name: str) -> Iterator[Entry]:
    """
    Yield what a file holds, in order: a fact-check, or why an entry is none.

    :param name: Of the file, for errors.
    :raises InputError: If it holds nothing that could be one.
    """
    text = _decode(content, name)
    entries = _of_document(text, name)
    for number, entry in enumerate(entries, start=1):
        if number > MAX_ENTRIES:
            raise InputError(
                f"{name} has more than {MAX_ENTRIES:,} entries", field="file", hint="Cut it into several files."
            )
        yield entry


def _decode(content: bytes, name: str) -> str:
    if len(content) > MAX_BYTES:
        raise InputError(
            f"{name} has more than {MAX_BYTES // 1024**2} MB", field="file", hint="Cut it into several files."
        )
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not text in UTF-8: byte {error.start}", field="file", hint=_FORMS) from error
    if not text.strip():
        raise InputError(f"{name} is empty", field="file", hint=_FORMS)
    return text


def _of_document(text: str, name: str) -> Iterator[Entry]:
    if text.lstrip().startswith("<"):
        return _of_page(text, name)
    try:
        document = _parse(text)
    except ValueError as error:
        if not _has_lines(text):
            raise InputError(f"{name} is not valid JSON: {error}", field="file", hint=_FORMS) from error
        return _of_lines(text, name)
    except RecursionError as error:
        raise InputError(f"{name} nests too deeply", field="file", hint=_FORMS) from error
    return _of_json(document, name)


def _of_page(text: str, name: str) -> Iterator[Entry]:
    """Read the JSON-LD scripts of a page."""
    from lxml import etree, html  # noqa: PLC0415 - slow to load

    try:
        page = html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8", recover=True))
    except (etree.LxmlError, ValueError) as error:
        raise InputError(f"{name} is not a page that can be read: {error}", field="file", hint=_FORMS) from error
    documents = []
    for script in page.iter("script"):
        if "ld+json" in (script.get("type") or "").lower():
            try:
                documents.append(_parse(script.text or "null"))
            except (ValueError, RecursionError):
                continue
    return _of_json(documents, name)


def _of_json(document: object, name: str) -> Iterator[Entry]:
    data = JsonLd(document)
    reviews = list(data.reviews())
    if reviews:
        return _of_reviews(data, reviews)
    rows = document if isinstance(document, list) else [document]
    if (
        rows
        and all(isinstance(row, dict) for row in rows)
        and any("claim" in row for row in rows if isinstance(row, dict))
    ):
        return (_entry(row, f"item {number}") for number, row in enumerate(rows, start=1))
    raise InputError(f"{name} holds no ClaimReview", field="file", hint=_FORMS)


def _of_reviews(data: JsonLd, reviews: list[tuple[dict[str, Any], dict[str, Any]]]) -> Iterator[Entry]:
    for number, (node, parent) in enumerate(reviews, start=1):
        yield _guarded(lambda node=node, parent=parent: read_claim_review(data, node, parent), f"item {number}")


def _of_lines(text: str, name: str) -> Iterator[Entry]:
    is_known = False
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"line {number}"
        if len(line) > MAX_LINE_BYTES:
            yield Refusal(place=place, reason=f"the line has more than {MAX_LINE_BYTES:,} characters")
            continue
        try:
            row = _parse(line)
        except (ValueError, RecursionError) as error:
            yield Refusal(place=place, reason=f"the line is not valid JSON: {str(error)[:120]}")
            continue
        is_known = True
        if isinstance(row, dict) and "claim" not in row and (reviews := list((data := JsonLd(row)).reviews())):
            yield from (_guarded(lambda one=one: read_claim_review(data, *one), place) for one in reviews)
        else:
            yield _entry(row, place)
    if not is_known:
        raise InputError(f"{name} holds no line of JSON", field="file", hint=_FORMS)


def _entry(row: object, place: str) -> Entry:
    if not isinstance(row, dict):
        return Refusal(place=place, reason=f"it is a JSON {type(row).__name__}, not an object")
    if is_claim_review(row):
        return _guarded(lambda: read_claim_review(JsonLd(row), row, {}), place)
    return _guarded(lambda: _read_row(row), place)


def _read_row(row: dict[str, Any]) -> FactCheck:
    name = plain_line(row.get("id"))
    if not name:
        raise RefusedError("id is missing or empty", field="id")
    title = plain_line(row.get("title"))
    claim = plain_line(row.get("claim")) or title
    if not claim:
        raise RefusedError("claim is missing or empty", field="claim")
    try:
        url = web_address(row.get("url"))
    except ValueError as error:
        raise RefusedError(f"url {error}", field="url") from error
    return FactCheck(
        id=name,
        claim=claim,
        url=url,
        date=_row_day(row),
        claimant=plain_line(row.get("claimant")),
        **{field: plain_line(row.get(field)) for field in _ROW_TEXTS},
    )


def _row_day(row: dict[str, Any]) -> date | None:
    try:
        return read_day(row.get("date"))
    except ValueError as error:
        raise RefusedError(f"date {error}", field="date") from error


def _guarded(read: Any, place: str) -> Entry:
    try:
        entry: FactCheck = read()
    except RefusedError as error:
        return Refusal(place=place, reason=str(error), field=error.field)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        return Refusal(place=place, reason=f"{field}: {first['msg']}", field=field)
    return entry


def _parse(text: str) -> object:
    return json.loads(text, parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _has_lines(text: str) -> bool:
    """Say whether a text that is not valid JSON as a whole may be JSON lines: one of its first lines is JSON."""
    for line in [one for one in text.split("\n", 20)[:20] if one.strip()]:
        try:
            if isinstance(_parse(line[:MAX_LINE_BYTES]), dict):
                return True
        except (ValueError, RecursionError):
            continue
    return False
