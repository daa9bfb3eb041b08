"""`looksy watch`: keep publishers fresh."""

from typing import Annotated

import typer

from core.errors import InputError
from service.cli import common

MIN_MINUTES = 1.0


def watch(
    publishers: Annotated[list[str], typer.Argument(help="NAME or NAME=MINUTES, e.g. sample=30.")],
    every: Annotated[float, typer.Option("--every", help="Minutes between two crawls of one publisher.")] = 60.0,
    rounds: Annotated[int | None, typer.Option("--rounds", min=1, help="Stop after so many turns of each.")] = None,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Crawl and index publishers again and again, each at its interval, until stopped."""
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)

    from scraper.publishers import load_publisher
    from service.logs import set_up_logs
    from service.watch import Watch

    intervals = {name: minutes * 60 for name, minutes in (_interval(one, every) for one in publishers)}
    for name in intervals:
        load_publisher(name)
    set_up_logs()
    Watch(settings, intervals).run(rounds=rounds)


def _interval(text: str, every: float) -> tuple[str, float]:
    name, _, typed = text.partition("=")
    try:
        minutes = float(typed) if typed else every
    except ValueError:
        minutes = -1.0
    if not minutes >= MIN_MINUTES:
        raise InputError(
            f"the interval of {name} is {typed or every}; at least {MIN_MINUTES:g} minute is accepted",
            field="publishers",
            hint="Write NAME=MINUTES, e.g. sample=30.",
        )
    return name, minutes
