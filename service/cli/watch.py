"""`looksy watch`: keep publishers fresh."""

import math
from pathlib import Path
from typing import Annotated

import typer

from core.errors import InputError, LooksyError
from service.cli import common

MIN_MINUTES = 1.0


def watch(
    publishers: Annotated[list[str], typer.Argument(help="NAME or NAME=MINUTES, e.g. sample=30.")],
    every: Annotated[
        float | None,
        typer.Option("--every", help="Minutes between two crawls of one publisher.", show_default="as its file says"),
    ] = None,
    rounds: Annotated[int | None, typer.Option("--rounds", min=1, help="Stop after this many crawls of each.")] = None,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Crawl and index publishers again and again, each at its interval, until stopped."""
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)

    from service.jobs.watch import Watch
    from service.operations.logs import set_up_logs

    pairs = (read_interval(one, every, data_dir=settings.data_dir) for one in publishers)
    intervals = {name: minutes * 60 for name, minutes in pairs}
    set_up_logs()
    failed = Watch(settings, intervals).run(rounds=rounds)
    if failed:
        raise LooksyError(f"the last turn of {', '.join(failed)} failed", hint="The log above says why.")


def read_interval(text: str, every: float | None, *, data_dir: Path | None = None) -> tuple[str, float]:
    """
    Read one argument.

    :param text: `NAME` or `NAME=MINUTES`.
    :param every: Minutes of publishers without some of their own; None: as the publisher's file says.
    :param data_dir: Whose publisher files are known, besides those that ship.
    :returns: Name and minutes.
    :raises InputError: If there is no such publisher, or the interval is not a number of at least `MIN_MINUTES`.
    """
    from scraper.publishers import load_publisher

    name, _, typed = text.partition("=")
    publisher = load_publisher(name, data_dir=data_dir)
    try:
        minutes = float(typed) if typed else every if every is not None else publisher.interval_minutes
    except ValueError:
        minutes = math.nan
    if not MIN_MINUTES <= minutes < math.inf:
        raise InputError(
            f"the interval of {name} is {typed or every}; at least {MIN_MINUTES:g} minute is accepted",
            field="publishers",
            hint="Write NAME=MINUTES, e.g. sample=30.",
        )
    return name, minutes
