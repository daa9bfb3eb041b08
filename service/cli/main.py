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
    crawl,
    demo,
    doctor,
    evaluate,
    extract,
    index,
    keys,
    mcp,
    models,
    publishers,
    replay,
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

app.command()(demo.demo)
app.command()(crawl.crawl)
app.command()(index.index)
app.command()(ask.ask)
app.command()(replay.replay)
app.command()(search.search)
app.command()(serve.serve)
app.command()(status.status)
app.command()(systems.systems)
app.command()(extract.extract)
app.command("sample-site")(sample_site.sample_site)
app.command()(settings.settings)
app.command()(watch.watch)
app.command()(mcp.mcp)
app.command()(doctor.doctor)
app.command()(backup.backup)
app.command()(backup.restore)
app.add_typer(publishers.app, name="publishers")
app.add_typer(runs.app, name="runs")
app.add_typer(keys.app, name="keys")
app.add_typer(models.app, name="models")
app.add_typer(evaluate.app, name="evaluate")
app.command()(benchmark.benchmark)


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
