"""`looksy crawl`: fetch a publisher's articles."""

from pathlib import Path
from typing import Annotated

import typer

from core.errors import InputError
from service.cli import common
from service.cli.output import print_json, print_table
from service.cli.progress import ConsoleProgress


def crawl(
    publisher: Annotated[str, typer.Argument(help="A name in configs/publishers/ or a YAML file.")],
    home: Annotated[
        str | None, typer.Option("--home", help="Scheme, host and port to fetch from in place of the publisher's own.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Stop after this many articles.")] = None,
    workers: Annotated[int | None, typer.Option("--workers", help="Processes that extract articles.")] = None,
    again: Annotated[
        bool, typer.Option("--reextract", help="Read the archived pages with today's extractor; ask the site nothing.")
    ] = False,
    from_warc: Annotated[
        Path | None,
        typer.Option(
            "--from-warc",
            help="Read a WARC, ARC or WACZ file, or a folder of them or of saved pages; ask the site nothing.",
        ),
    ] = None,
    rejected: Annotated[bool, typer.Option("--rejected", help="Name the pages that gave no article, and why.")] = False,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    assignments: common.Set = None,
) -> None:
    """Fetch a publisher's articles. Stop it at any time; the same command resumes it."""
    settings = common.make_settings(data_dir=data_dir, profile=profile, assignments=assignments, crawl_workers=workers)

    from scraper.crawling.archive_crawl import crawl_archives
    from scraper.crawling.crawl import crawl as run_crawl
    from scraper.crawling.reextract import reextract
    from scraper.publishers import load_publisher

    loaded = load_publisher(publisher, data_dir=settings.data_dir)
    _refuse_two_sources(from_warc, again=again, home=home)
    with ConsoleProgress() as progress:
        if again:
            report = reextract(loaded, data_dir=settings.data_dir, workers=settings.crawl_workers, progress=progress)
        elif from_warc is not None:
            report = crawl_archives(
                loaded,
                [from_warc],
                data_dir=settings.data_dir,
                workers=settings.crawl_workers,
                limit=limit,
                progress=progress,
            )
        else:
            report = run_crawl(
                loaded,
                data_dir=settings.data_dir,
                home=home,
                contact=settings.crawl_contact,
                workers=settings.crawl_workers,
                limit=limit,
                progress=progress,
            )
    if as_json:
        print_json(report)
        return
    print_table(("crawl", loaded.source), report.rows())
    print_table(("month", "articles"), list(report.coverage.items()))
    if rejected:
        print_table(("page", "outcome", "reason"), [(one.url, one.outcome, one.reason or "") for one in report.lost])
    for warning in report.warnings:
        typer.echo(f"Warning: {warning}", err=True)
    if not report.complete:
        typer.echo(f"{report.remaining:,} pages are left; run the same command again to go on.", err=True)


def _refuse_two_sources(given: Path | None, *, again: bool, home: str | None) -> None:
    """
    Refuse options that contradict each other.

    :raises InputError: If pages are to come from a file and from somewhere else.
    """
    if given is not None and (again or home is not None):
        other = "--reextract" if again else "--home"
        raise InputError(
            f"--from-warc {given} and {other} both say where pages come from; give one of them", field="from_warc"
        )
