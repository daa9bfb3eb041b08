"""`looksy replay`: do a recorded run again and report every difference."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import NotFoundError
from core.types import Result
from service.cli import common
from service.cli.output import print_json
from service.cli.progress import ConsoleProgress
from service.operations.logs import log_to_file

if TYPE_CHECKING:
    from pipelines.runs.replay import Replay


def replay(
    run: Annotated[
        str, typer.Argument(help="A file, or a run id: of <data_dir>/runs, or one that 'looksy serve' answered.")
    ],
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ask the chat model again instead of using its recorded replies.")
    ] = False,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """
    Do a recorded run again and report every difference; exit code 1 if there is one.

    Addresses, commands, logins and model folders are this installation's, never the record's.
    """
    from pipelines.engine import Engine
    from pipelines.runs.replay import replay as replay_run
    from pipelines.runs.replay import settings_of

    here = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)
    log_to_file(here.data_dir)
    before = _find(run, here.data_dir)
    engine = Engine(settings_of(before, here, fresh=fresh))
    try:
        with ConsoleProgress(quiet=as_json) as progress:
            replayed = replay_run(before, engine, fresh=fresh, progress=progress)
    finally:
        engine.close()
    if as_json:
        print_json(replayed)
    else:
        _show(replayed, before)
    if not replayed.identical:
        raise typer.Exit(1)


def _show(replayed: "Replay", before: Result) -> None:
    from pipelines.runs.replay import different_settings, record_of

    print(f"run {_on_one_line(replayed.run_id)}: {_on_one_line(before.request.text)}")
    for difference in replayed.differences:
        found = _on_one_line(f"{difference.field}: {difference.before} -> {difference.after}")
        print(f"  {found}")
    if not replayed.same_settings:
        after = replayed.result.run
        names = f": {', '.join(different_settings(record_of(before), after))}" if after else ""
        print(f"  The settings differ from those of the run{_on_one_line(names)}.")
    if not replayed.same_index:
        print("  The index has changed since; differences may come from that.")
    print("identical" if replayed.identical else f"{len(replayed.differences)} differences")


def _on_one_line(text: str) -> str:
    """Leave out what would command a terminal: the record may be anybody's."""
    from pipelines.rendering.escape import visible

    return " ".join(visible(text).split())


def _find(name: str, data_dir: Path) -> Result:
    """
    Return the run of this name, of the command line or of the service.

    :raises NotFoundError: If neither has it.
    """
    from pipelines.runs.files import load_run
    from service.answers.runs import Runs
    from service.state.database import FILE_NAME, Database

    try:
        return load_run(name, data_dir)
    except NotFoundError:
        if not (data_dir / FILE_NAME).is_file() or not name.isalnum():
            raise
        try:
            return Runs(Database(data_dir / FILE_NAME), keep=0).get(name)
        except NotFoundError as error:
            raise NotFoundError(
                f"no run {name!r} is kept",
                field="run",
                hint=f"Use a file or run id of {data_dir / 'runs'}, or the whole id of a run of the service.",
            ) from error
