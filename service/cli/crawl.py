"""`looksy crawl`: fetch a publisher's articles."""

from typing import Annotated

import typer

from service.cli import common
from service.cli.output import print_json
from service.cli.progress import ConsoleProgress


def crawl(
    publisher: Annotated[str, typer.Argument(help="A name in configs/publishers/ or a YAML file.")],
    home: Annotated[
        str | None, typer.Option("--home", help="Scheme, host and port to fetch from in place of the publisher's own.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Stop after so many articles.")] = None,
    workers: Annotated[int | None, typer.Option("--workers", help="Processes that extract articles.")] = None,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    assignments: common.Set = None,
) -> None:
    """Fetch a publisher's articles. Interrupt it at any time; the same command goes on where it stopped."""
    settings = common.make_settings(data_dir=data_dir, profile=profile, assignments=assignments, crawl_workers=workers)

    from scraper.crawl import crawl as run_crawl
    from scraper.publishers import load_publisher

    with ConsoleProgress() as progress:
        report = run_crawl(
            load_publisher(publisher),
            data_dir=settings.data_dir,
            home=home,
            contact=settings.crawl_contact,
            workers=settings.crawl_workers,
            limit=limit,
            progress=progress,
        )
    print_json(report, indent=None if as_json else 2)
