"""`looksy replay`: do a recorded run again and report every difference."""

from typing import Annotated

import typer

from service.cli import common
from service.cli.output import print_json
from service.cli.progress import ConsoleProgress


def replay(
    run: Annotated[str, typer.Argument(help="A file that 'looksy ask' saved, or a run id of <data_dir>/runs.")],
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ask the chat model again instead of using its recorded replies.")
    ] = False,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
) -> None:
    """Do a recorded run again and report every difference; exit code 1 if there is one."""
    from pipelines.engine import Engine
    from pipelines.record import load_run
    from pipelines.replay import replay as replay_run
    from pipelines.replay import settings_of

    here = common.make_settings(data_dir=data_dir, profile=profile)
    before = load_run(run, here.data_dir)
    engine = Engine(settings_of(before, here))
    try:
        with ConsoleProgress(quiet=as_json):
            replayed = replay_run(before, engine, fresh=fresh)
    finally:
        engine.close()
    if as_json:
        print_json(replayed)
    else:
        print(f"run {replayed.run_id}: {before.request.text}")
        for difference in replayed.differences:
            print(f"  {difference.field}: {difference.before} -> {difference.after}")
        if not replayed.same_index:
            print("  The index has changed since; differences may come from that.")
        print("identical" if replayed.identical else f"{len(replayed.differences)} differences")
    if not replayed.identical:
        raise typer.Exit(1)
