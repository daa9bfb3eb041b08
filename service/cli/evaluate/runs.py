"""What can be done with runs that are there: list them, score them again, compare two."""

from typing import Annotated

import typer

from service.cli import common
from service.cli.evaluate.options import Out
from service.cli.evaluate.output import finish
from service.cli.output import print_table


def score(
    run: Annotated[str, typer.Argument(help="A run's id or folder.")],
    out: Out = None,
    data_dir: common.DataDir = None,
) -> None:
    """Score a run's saved predictions again. No model is asked."""
    from evaluation.runs.folder import find_run
    from evaluation.runs.session import score_run
    from evaluation.tasks.registry import get_task

    settings = common.make_settings(data_dir=data_dir)
    folder = find_run(settings.data_dir, run)
    finish(folder, score_run(get_task(folder.manifest().task), folder), out)


def compare(
    first: Annotated[str, typer.Argument(help="A run's id, or a folder with its report.")],
    second: Annotated[str, typer.Argument(help="The run to compare with it.")],
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
) -> None:
    """Compare two runs over the items that both have, by a paired permutation test."""
    from evaluation.runs.compare import compare_runs
    from service.cli.output import print_json

    settings = common.make_settings(data_dir=data_dir)
    comparison = compare_runs(settings.data_dir, first, second)
    if as_json:
        print_json(comparison)
        return
    for note in comparison.notes:
        typer.echo(note)
    print_table(
        ("measure", "first", "second", "difference", "95 % interval", "p", "higher/equal/lower"),
        comparison.rows(),
    )


def runs(data_dir: common.DataDir = None) -> None:
    """List the runs that are there, newest first."""
    from evaluation.runs.folder import list_runs

    settings = common.make_settings(data_dir=data_dir)
    rows = [(one.run_id, f"{one.created_at:%Y-%m-%d %H:%M}", one.title) for one in list_runs(settings.data_dir)]
    print_table(("run", "made (UTC)", "what"), rows)
