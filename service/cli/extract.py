"""`looksy extract`: articles out of saved pages."""

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from core.errors import InputError
from service.cli import common
from service.cli.output import print_json


def extract(
    page: Annotated[Path, typer.Argument(help="A saved page, .html or .html.gz; or a folder with gold.jsonl[.gz].")],
    url: Annotated[str | None, typer.Option("--url", help="Address that the page was fetched from.")] = None,
    publisher: Annotated[
        str | None, typer.Option("--publisher", help="Read the page as this publisher's: a name or a YAML file.")
    ] = None,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
) -> None:
    """
    Extract the article of a saved page, or of every page that a folder's gold.jsonl[.gz] lists (`file` and `url`).

    A page that holds no article gives the reason why not, and exit code 1.
    """
    common.make_settings(data_dir=data_dir)
    if not page.is_dir() and not url:
        raise InputError("--url is missing", field="url", hint="Name the address that the page was fetched from.")
    if url and re.fullmatch(r"(?i)https?://[^\s/?#]\S*", url) is None:
        raise InputError(
            f"--url is {url[:60]!r}, not an address", field="url", hint="Write https://site.example/story."
        )

    from core.types import Article
    from scraper.extraction.saved_pages import extract_folder, extract_saved, saved_page_line
    from scraper.publishers import load_publisher

    known = load_publisher(publisher) if publisher else None
    if page.is_dir():
        for file, found in extract_folder(page, publisher=known):
            print_json(json.loads(saved_page_line(file, found)))
        return
    outcome = extract_saved(page, url=url or "", publisher=known)
    print_json(outcome, indent=None if as_json else 2)
    if not isinstance(outcome, Article):
        raise typer.Exit(1)
