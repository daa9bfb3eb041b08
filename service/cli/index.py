"""`looksy index`: put articles into the store."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli import common
from service.cli.output import print_json, print_table
from service.cli.progress import ConsoleProgress

if TYPE_CHECKING:
    from indexing.report import IndexReport


def index(
    articles: Annotated[
        Path | None,
        typer.Option(
            "--articles", help="JSON lines of articles, .jsonl or .jsonl.gz.", show_default="what was crawled"
        ),
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Write the index anew from its articles, and swap it in at the end.")
    ] = False,
    vectors: Annotated[
        bool | None,
        typer.Option(
            "--vectors/--no-vectors",
            help="Make a vector of each passage, for the retrievers embedding and hybrid.",
            show_default="as the index has them; a new one: see the setting vectors",
        ),
    ] = None,
    ray: common.Ray = None,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Put new and changed articles into the store. Running it twice changes nothing."""
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)

    from indexing.stores.open import open_store
    from indexing.vectors import index_articles
    from service.cli.recheck import print_report
    from service.desk.after_index import recheck_after_index

    opened = open_store(settings, must_exist=False, readable=not rebuild)
    try:
        with ConsoleProgress() as progress:
            report = index_articles(
                settings,
                opened,
                articles=articles,
                vectors=vectors,
                rebuild=rebuild,
                ray=ray,
                progress=progress,
            )
            looked = recheck_after_index(settings, store=opened, progress=progress)
    finally:
        opened.close()
    if as_json:
        print_json(report, indent=None)
    else:
        _print_report(report)
        if looked is not None and looked.noted:
            print_report(looked)


def _print_report(report: "IndexReport") -> None:
    rate = f"{(report.new + report.changed + report.corrected + report.unchanged) / max(report.seconds, 1e-3):.0f}"
    print_table(
        ("new", "changed", "corrected", "unchanged", "gone", "passages", "seconds", "articles/s", "snapshot"),
        [
            (
                report.new,
                report.changed,
                report.corrected,
                report.unchanged,
                report.gone,
                report.passages,
                f"{report.seconds:.1f}",
                rate,
                (report.snapshot_id or "")[:12],
            )
        ],
    )
    if report.ignored_fields:
        names = ", ".join(f"{name} ({count})" for name, count in sorted(report.ignored_fields.items()))
        typer.echo(f"Fields that were not understood: {names}", err=True)
    if report.notice:
        typer.echo(report.notice, err=True)
