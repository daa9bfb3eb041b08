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
        str, typer.Argument(help="A run id of the archive, its first letters, or a file of 'looksy ask --json'.")
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
    Repeat a recorded answer and list every difference; exit code 1 if there is one.

    Addresses, commands, logins and model folders are this installation's, never the record's.
    """
    from pipelines.engine import Engine
    from pipelines.runs.replay import replay as replay_run
    from pipelines.runs.replay import settings_of

    here = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)
    log_to_file(here.data_dir)
    before = find_kept_run(run, here.data_dir)
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
    from core.text import visible

    return " ".join(visible(text).split())


def find_kept_run(name: str, data_dir: Path) -> Result:
    """
    Return the run of this name: a file, or a run of the archive by its id or its first letters.

    :raises NotFoundError: If there is none, or more than one.
    """
    from pipelines.runs.files import load_run
    from service.answers.runs import find_run
    from service.state.database import FILE_NAME, Database

    if Path(name).suffix != ".json" and (data_dir / FILE_NAME).is_file() and name.isalnum():
        found = find_run(Database(data_dir / FILE_NAME), name)
        if found is not None:
            return found
    try:
        return load_run(name, data_dir)  # a file, or what an older version left in <data_dir>/runs
    except NotFoundError as error:
        if Path(name).suffix == ".json":
            raise
        raise NotFoundError(
            f"no run {name!r} is kept",
            field="run",
            hint="'looksy runs list' shows those of the archive; a file of 'looksy ask --json' can be named, too.",
        ) from error
