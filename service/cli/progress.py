"""Progress on standard error: bars on a terminal, a line per finished stage elsewhere."""

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from core.progress import ProgressEvent, Stage


class ConsoleProgress:
    """
    Shows progress events. A context manager; call it with events.

    :param quiet: Show nothing.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.console = Console(stderr=True, quiet=quiet)
        self.bars: Bars | None = None
        self.tasks: dict[Stage, TaskID] = {}
        self.last: dict[Stage, ProgressEvent] = {}

    def __enter__(self) -> Self:
        if self.console.is_terminal and not self.console.quiet:
            self.bars = Bars(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[unit]}", markup=False),  # these may be a model's or a user's words
                TimeElapsedColumn(),
                TextColumn("{task.fields[message]}", style="dim", markup=False),
                console=self.console,
            )
            self.bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bars is not None:
            self.bars.stop()
        elif kind is None and not self.console.quiet:
            for event in self.last.values():
                if event.done or event.total:
                    print(line(event), file=sys.stderr)

    def __call__(self, event: ProgressEvent) -> None:
        """Take in one event."""
        self.last[event.stage] = event
        if self.bars is None:
            return
        if event.stage not in self.tasks:
            self.tasks[event.stage] = self.bars.add_task(event.stage.value, total=None, unit="", message="")
        self.bars.update(
            self.tasks[event.stage],
            completed=event.done,
            total=event.total,
            unit=event.unit,
            message=event.message,
        )


def line(event: ProgressEvent) -> str:
    """Write an event as one line: `crawl: 429 of 429 articles`."""
    total = f" of {event.total:,}" if event.total is not None else ""
    parts = [f"{event.stage.value}: {event.done:,}{total} {event.unit}".rstrip(), event.message]
    return " · ".join(part for part in parts if part)
