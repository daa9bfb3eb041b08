"""The command `looksy`: all its commands, and the entry point."""

import logging
import signal
import sys
from typing import Annotated

import typer

from core import __version__
from service.cli import (
    ask,
    backup,
    benchmark,
    check,
    crawl,
    demo,
    doctor,
    evaluate,
    extract,
    factchecks,
    index,
    keys,
    mcp,
    models,
    publishers,
    recheck,
    replay,
    report,
    runs,
    sample_site,
    search,
    serve,
    settings,
    status,
    systems,
    watch,
)
from service.cli.errors import ErrorBorder, terminate
from service.cli.output import escape_what_is_lacking

app = typer.Typer(
    name="looksy",
    cls=ErrorBorder,
    help="Does trusted reporting support this? Verdicts, short answers and exact quotes from news you trust.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

ASK, SOURCES, DESK, OPERATE, DEVELOP = "Ask", "Sources", "Desk", "Operate", "Develop"
"""Headings of `looksy --help`, in the order in which they are shown."""

app.command(rich_help_panel=ASK)(demo.demo)
app.command(rich_help_panel=ASK)(ask.ask)
app.command(rich_help_panel=ASK)(check.check)
app.command(rich_help_panel=ASK)(search.search)
app.command(rich_help_panel=ASK)(systems.systems)
app.command(rich_help_panel=SOURCES)(crawl.crawl)
app.command(rich_help_panel=SOURCES)(index.index)
app.command(rich_help_panel=SOURCES)(watch.watch)
app.command(rich_help_panel=SOURCES)(status.status)
app.add_typer(publishers.app, name="publishers", rich_help_panel=SOURCES)
app.command(rich_help_panel=SOURCES)(extract.extract)
app.add_typer(runs.app, name="runs", rich_help_panel=DESK)
app.add_typer(factchecks.app, name="factchecks", rich_help_panel=DESK)
app.command(rich_help_panel=DESK)(recheck.recheck)
app.command(rich_help_panel=DESK)(replay.replay)
app.command(rich_help_panel=DESK)(report.report)
app.command(rich_help_panel=OPERATE)(serve.serve)
app.command(rich_help_panel=OPERATE)(mcp.mcp)
app.command(rich_help_panel=OPERATE)(doctor.doctor)
app.command(rich_help_panel=OPERATE)(settings.settings)
app.add_typer(keys.app, name="keys", rich_help_panel=OPERATE)
app.command(rich_help_panel=OPERATE)(backup.backup)
app.command(rich_help_panel=OPERATE)(backup.restore)
app.add_typer(models.app, name="models", rich_help_panel=DEVELOP)
app.add_typer(evaluate.app, name="evaluate", rich_help_panel=DEVELOP)
app.command(rich_help_panel=DEVELOP)(benchmark.benchmark)
app.command("sample-site", rich_help_panel=DEVELOP)(sample_site.sample_site)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"looksy {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Run before every command."""


def main() -> None:
    """Run the command line. A termination signal stops it as cleanly as Ctrl-C."""
    signal.signal(signal.SIGTERM, terminate)
    escape_what_is_lacking()
    logging.raiseExceptions = False  # people at a terminal get one message, also where no log can be written
    sys.exit(app())


if __name__ == "__main__":
    main()
