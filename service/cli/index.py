"""`looksy index`: put articles into the store."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli import common
from service.cli.output import print_json
from service.cli.progress import ConsoleProgress


def index(
    articles: Annotated[
        Path | None,
        typer.Option(
            "--articles", help="JSON lines of articles, .jsonl or .jsonl.gz.", show_default="what was crawled"
        ),
    ] = None,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Put new and changed articles into the store. Running it twice changes nothing."""
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)

    from indexing.job import run_index
    from indexing.stores.open import open_store

    opened = open_store(settings, must_exist=False)
    try:
        with ConsoleProgress() as progress:
            report = run_index(opened, data_dir=settings.data_dir, articles=articles, progress=progress)
    finally:
        opened.close()
    print_json(report, indent=None if as_json else 2)
