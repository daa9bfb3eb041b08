"""Runs of the command line, kept for `looksy replay`."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Request, Result

if TYPE_CHECKING:
    from service.answers.asker import Asker


class KeepingAsker:
    """
    An `Asker` that keeps every run.

    :param asker: Answers.
    """

    def __init__(self, asker: "Asker", settings: Settings) -> None:
        self.asker = asker
        self.settings = settings

    def run(self, system: str, request: Request, *, progress: Progress = ignore_progress) -> Result:
        """Answer one request and keep the run."""
        result = self.asker.run(system, request, progress=progress)
        keep_run(result, self.settings)
        return result

    def warm_up(self) -> None:
        """Open the index and load the models."""
        self.asker.warm_up()

    def close(self) -> None:
        """Give back files and connections."""
        self.asker.close()


def keep_run(result: Result, settings: Settings) -> Path | None:
    """Save a run for `looksy replay`; that it cannot be saved takes nothing from its answer."""
    from pipelines.runs.files import save_run

    try:
        return save_run(result, settings.data_dir, keep=settings.keep_runs)
    except OSError as error:
        typer.echo(f"Warning: the record of run {result.run_id} is not kept: {error}", err=True)
        return None
