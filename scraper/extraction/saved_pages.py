"""Extraction of pages that were saved as files: one page, or a folder of pages with what is expected of them."""

import gzip
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ConfigDict, ValidationError, field_validator

from core.errors import InputError
from core.files import UNREADABLE
from core.requests import input_error
from core.types import Article, Model
from scraper.extraction.extract import extract
from scraper.publishers import Publisher
from scraper.rejection import Rejection

GOLD_NAME, PLAIN_GOLD_NAME = "gold.jsonl.gz", "gold.jsonl"
MAX_FILE_BYTES = 64_000_000
_HINT = 'The folder needs gold.jsonl or gold.jsonl.gz with a line {"file": ..., "url": ...} for each page.'


class GoldPage(Model):
    """What is expected of one saved page, as a line of `gold.jsonl[.gz]`; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    file: str
    url: str
    country: str | None = None
    publisher: str | None = None
    headline: str | None = None
    published_at: str | None = None
    """ISO 8601, with time zone; a day alone if only that is known."""
    authors: tuple[str, ...] | None = None
    body: str | None = None

    @field_validator("published_at")
    @classmethod
    def _is_date(cls, value: str | None) -> str | None:
        try:
            _ = datetime.fromisoformat(value) if value else None
        except ValueError as error:
            raise ValueError("a day or a time is expected, 2020-05-17 or 2020-05-17T08:00:00+00:00") from error
        return value


def extract_saved(
    path: Path, *, url: str, fetched_at: datetime | None = None, publisher: Publisher | None = None
) -> Article | Rejection:
    """
    Extract the article of a saved page.

    :param path: HTML as it was served; gzip-compressed if it begins so.
    :param url: Where the page was found.
    :param fetched_at: When it was saved. None: now.
    :raises InputError: If the file cannot be read.
    """
    return extract(
        read_saved(path), headers={}, url=url, fetched_at=fetched_at or datetime.now(tz=UTC), publisher=publisher
    )


def extract_folder(folder: Path, *, publisher: Publisher | None = None) -> Iterator[tuple[str, Article | Rejection]]:
    """
    Extract all pages that a folder's `gold.jsonl[.gz]` names, in its order.

    :returns: File name, and the article or why there is none.
    :raises InputError: If the gold file or a page cannot be read.
    """
    for gold in read_gold(folder):
        yield gold.file, extract_saved(folder / gold.file, url=gold.url, publisher=publisher)


def saved_page_line(file: str, outcome: Article | Rejection) -> str:
    """Return one JSON line: the fields of the article or of the rejection, and `file`."""
    return json.dumps({"file": file, **outcome.model_dump(mode="json")}, ensure_ascii=False)


def read_saved(path: Path) -> bytes:
    """
    Read a saved page.

    :raises InputError: If it is missing, too large or not what its name says.
    """
    try:
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            with gzip.open(path) as stream:
                content = stream.read(MAX_FILE_BYTES + 1)
    except UNREADABLE as error:
        raise InputError(f"{path} cannot be read: {error}", field="page") from error
    if len(content) > MAX_FILE_BYTES:
        raise InputError(f"{path} holds more than {MAX_FILE_BYTES:,} bytes", field="page")
    return content


def gold_file(folder: Path) -> Path:
    """Return the file that says what is expected of a folder's pages, plain only where there is none in gzip."""
    plain = folder / PLAIN_GOLD_NAME
    return plain if plain.is_file() and not (folder / GOLD_NAME).is_file() else folder / GOLD_NAME


def read_gold(folder: Path) -> list[GoldPage]:
    """
    Read what is expected of the pages of a folder.

    :raises InputError: If there is no `gold.jsonl[.gz]`, or a line of it names no file and url, or a date that is
        none; the message names the line.
    """
    path = gold_file(folder)
    try:
        content = path.read_bytes()
        lines = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8-sig").split("\n")
    except (UnicodeDecodeError, *UNREADABLE) as error:
        raise InputError(f"{path} cannot be read: {error}", field="folder", hint=_HINT) from error
    pages = [_gold_page(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    outside = [page.file for page in pages if Path(page.file).name != page.file]
    if outside:
        raise InputError(f"{path} names files outside the folder: {outside[0]!r}", field="folder")
    return pages


def _gold_page(line: str, where: str) -> GoldPage:
    try:
        return GoldPage.model_validate(json.loads(line))
    except ValidationError as error:
        raise InputError(f"{where}: {input_error(error).message}", field="folder", hint=_HINT) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: this is not valid JSON: {error}", field="folder", hint=_HINT) from error
