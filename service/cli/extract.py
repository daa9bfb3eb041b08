"""`looksy extract`: articles out of saved pages."""

import gzip
import json
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from core.errors import InputError, LooksyError
from core.requests import parse_time
from service.cli import common
from service.cli.output import print_json

GOLD = "gold.jsonl.gz"


def extract(
    page: Annotated[Path, typer.Argument(help=f"A saved page, .html or .html.gz; or a folder with {GOLD}.")],
    url: Annotated[str | None, typer.Option("--url", help="Address that the page was fetched from.")] = None,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
) -> None:
    """
    Extract the article of a saved page, or of every page that a folder's gold.jsonl.gz lists (`file` and `url`).

    A page that holds no article gives the reason why not.
    """
    common.make_settings(data_dir=data_dir)
    if page.is_dir():
        for row in _listed_pages(page):
            print_json({"file": row["file"]} | _listed_outcome(page, row))
        return
    if not url:
        raise InputError("--url is missing", field="url", hint="Name the address that the page was fetched from.")
    outcome = _outcome(page, url=url, fetched_at=datetime.now(UTC))
    print_json(outcome, indent=None if as_json else 2)
    if "article_id" not in outcome:
        raise typer.Exit(1)


def _outcome(path: Path, *, url: str, fetched_at: datetime) -> dict[str, Any]:
    from scraper.extract import extract as extract_article

    headers = {"Content-Type": "text/html"}
    outcome = extract_article(_read(path), headers=headers, url=url, fetched_at=fetched_at)
    fields: dict[str, Any] = outcome.model_dump(mode="json")
    return fields


def _listed_outcome(folder: Path, row: dict[str, Any]) -> dict[str, Any]:
    crawled = row.get("crawled")
    try:
        fetched_at = parse_time(crawled, field="crawled", end_of_day=True) if crawled else datetime.now(UTC)
        return _outcome(folder / str(row["file"]), url=str(row["url"]), fetched_at=fetched_at)
    except LooksyError as error:
        return {"error": {"code": error.code, "message": error.message, "field": error.field, "hint": error.hint}}


def _read(path: Path) -> bytes:
    try:
        raw = path.read_bytes()
        return gzip.decompress(raw) if path.suffix == ".gz" else raw
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            f"{path} cannot be read: {error}", field="page", hint="Name a saved page, .html or .html.gz."
        ) from error


def _listed_pages(folder: Path) -> Iterator[dict[str, Any]]:
    lines = _read(folder / GOLD).decode("utf-8", errors="replace").split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict) or not row.get("file") or not row.get("url"):
            raise InputError(
                f"{folder / GOLD}, line {number}, does not name a page",
                field=GOLD,
                hint='Each line needs "file" and "url".',
            )
        yield row
