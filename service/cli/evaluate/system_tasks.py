"""`looksy evaluate NAME` for every task that asks a system: made from the tasks that are there."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from service.cli import common
from service.cli.evaluate.options import Corpus, Data, Fresh, Out, Repeats, Split, Workers
from service.cli.evaluate.output import finish
from service.cli.progress import ConsoleProgress

if TYPE_CHECKING:
    from evaluation.tasks.system_task import SystemTask


class TaskGroup(TyperGroup):
    """The commands written out in `commands.py`, and one for each task of `evaluation.tasks` that asks a system."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Name the commands: those that are written out, then the tasks."""
        from evaluation.tasks.registry import system_tasks

        return [*super().list_commands(ctx), *system_tasks()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; None if there is none of this name."""
        written = super().get_command(ctx, cmd_name)
        if written is not None:
            return written
        from evaluation.tasks.registry import system_tasks

        task = system_tasks().get(cmd_name)
        return task and make_command(task)


def make_command(task: "SystemTask[Any, Any]") -> Any:
    """Make the command of a task."""

    def evaluate(
        data: Data = None,
        out: Out = None,
        split: Split = None,
        corpus: Corpus = None,
        option: Annotated[
            list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="Option of the system. Repeatable.")
        ] = None,
        pool: Annotated[
            Path | None, typer.Option("--pool", help="Claims and texts to compare rankers on; see docs/systems.md.")
        ] = None,
        pool_split: Annotated[
            str | None, typer.Option("--pool-split", help="Part of the pool.", show_default="test, if there is one")
        ] = None,
        workers: Workers = 1,
        repeats: Repeats = 1,
        fresh: Fresh = False,
        data_dir: common.DataDir = None,
        profile: common.Profile = None,
        assignments: common.Set = None,
    ) -> None:
        run_system_task(
            task,
            data,
            out,
            fields={
                "split": split,
                "corpus": corpus,
                "pool": pool,
                "pool_split": pool_split,
                "workers": workers,
                "repeats": repeats,
                "fresh": fresh,
            },
            option=option,
            settings_from={"data_dir": data_dir, "profile": profile, "assignments": assignments},
        )

    app = typer.Typer(add_completion=False)
    app.command(task.name, help=task.summary)(evaluate)
    command = typer.main.get_command(app)
    if task.read_pool is None:
        command.params = [param for param in command.params if param.name not in {"pool", "pool_split"}]
    return command


def run_system_task(
    task: "SystemTask[Any, Any]",
    data: Path | None,
    out: Path | None,
    *,
    fields: dict[str, Any],
    option: list[str] | None,
    settings_from: dict[str, Any],
) -> None:
    """Evaluate a task and show the report."""
    from evaluation.tasks.system_task import SystemOptions, evaluate_system

    settings = common.make_settings(**settings_from)
    options = SystemOptions(options=common.parse_pairs(option, flag="--option"), **fields)
    with ConsoleProgress() as progress:
        run, report = evaluate_system(task, data, settings, options, progress=progress)
    finish(run, report, out)
