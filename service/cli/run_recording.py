"""Runs of the command line, kept in the archive for `looksy replay`, `looksy runs` and the desk."""

import getpass
from typing import TYPE_CHECKING

import typer

from core.errors import StoreError
from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Request, Result
from service.answers.caller import Caller, Via

if TYPE_CHECKING:
    from service.answers.asker import Asker


class RecordingCommandAsker:
    """
    An `Asker` that keeps every run.

    :param asker: Answers.
    :param via: What asks.
    """

    def __init__(self, asker: "Asker", settings: Settings, *, via: Via) -> None:
        self.asker = asker
        self.settings = settings
        self.via = via

    def run(self, system: str, request: Request, *, progress: Progress = ignore_progress) -> Result:
        """Answer one request and keep the run."""
        result = self.asker.run(system, request, progress=progress)
        keep_run(result, self.settings, via=self.via)
        return result

    def warm_up(self) -> None:
        """Open the index and load the models."""
        self.asker.warm_up()

    def close(self) -> None:
        """Give back files and connections."""
        self.asker.close()


def keep_run(result: Result, settings: Settings, *, via: Via = Via.CLI) -> bool:
    """Keep a run in the archive; say whether it is there. That it cannot be kept takes nothing from its answer."""
    from service.answers.asker import without_internals
    from service.answers.runs import Runs
    from service.state.database import FILE_NAME, Database

    if not settings.keep_runs:
        return False
    try:
        Runs(Database(settings.data_dir / FILE_NAME), keep=settings.keep_runs).save(
            without_internals(result), caller=Caller(person=user_name(), via=via)
        )
    except StoreError as error:
        typer.echo(f"Warning: the record of run {result.run_id} is not kept: {error}", err=True)
        return False
    return True


def user_name() -> str | None:
    """Return the name of the user who runs the command; None if the system does not say."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return None
