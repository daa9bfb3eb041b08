"""`looksy benchmark`: the benchmarks of configs/benchmarks, with the published figures beside ours."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli import common
from service.cli.output import print_table
from service.cli.progress import ConsoleProgress

if TYPE_CHECKING:
    from core.settings import Settings

FLOORS = "floors"
CONFLICTS = "conflicts"
CONFLICTS_TITLE = "Near copies: what each finder of conflicts catches, wrongly accuses, and changes in verdicts"


def benchmark(
    name: Annotated[
        str | None,
        typer.Argument(help="A benchmark, a YAML file, 'conflicts' or 'floors'. None: list them."),
    ] = None,
    data_root: Annotated[
        Path | None, typer.Option("--data-root", help="Where data lies that does not ship with Looksy.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Also write the table here, as Markdown.")] = None,
    raise_floors: Annotated[
        bool, typer.Option("--raise", help="With 'floors' or 'conflicts': pin what is reached now.")
    ] = False,
    lower: Annotated[bool, typer.Option("--lower", help="With --raise: also where it is less than before.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="With 'floors': leave out the slow ones.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", min=0, help="With 'conflicts': near copies that get a verdict.")
    ] = None,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    assignments: common.Set = None,
) -> None:
    """Run a benchmark, or check that nothing got worse ('floors')."""
    from evaluation.benchmarks.load import list_suites, load_suite
    from evaluation.benchmarks.run import run_suite
    from evaluation.benchmarks.table import to_markdown

    if name is None:
        listed = [(one, load_suite(one).title) for one in list_suites()]
        print_table(("benchmark", "what"), [*listed, (CONFLICTS, CONFLICTS_TITLE), (FLOORS, "What must not get worse")])
        return
    settings = common.make_settings(data_dir=data_dir, profile=profile, assignments=assignments)
    if name == FLOORS:
        _floors(settings, raise_floors=raise_floors, lower=lower, quick=quick)
        return
    if name == CONFLICTS:
        _conflicts(settings, limit=limit, out=out, raise_floors=raise_floors, lower=lower)
        return
    suite = load_suite(name)
    with ConsoleProgress() as progress:
        results = run_suite(suite, settings, data_root=data_root, progress=progress)
    table = to_markdown(suite, results)
    typer.echo(table)
    for result in results:
        if result.run_id:
            typer.echo(f"{result.label}: run {result.run_id}")
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(table, encoding="utf-8")
    faults = [result.label for result in results if result.fault]
    if faults:
        typer.echo(f"{len(faults)} of {len(results)} entries failed: {', '.join(faults)}.", err=True)
        raise typer.Exit(1)


def _floors(settings: "Settings", *, raise_floors: bool, lower: bool, quick: bool) -> None:
    from evaluation.benchmarks.floors import check_floors, update_floors

    with ConsoleProgress() as progress:
        checks = check_floors(settings, slow=not quick, progress=progress)
    if raise_floors:
        update_floors(checks, lower=lower)
    print_table(
        ("what", "measure", "floor", "tolerance", "reached", ""),
        [
            (
                check.floor.entry.label,
                check.floor.measure,
                f"{check.floor.value:.4f}",
                f"{check.floor.tolerance:.3f}",
                "-" if check.reached is None else f"{check.reached:.4f}",
                check.problem or "holds",
            )
            for check in checks
        ],
    )
    worse = [check for check in checks if check.problem]
    if not raise_floors and worse:
        typer.echo(f"{len(worse)} of {len(checks)} floors do not hold:", err=True)
        for check in worse:
            typer.echo(f"- {check.floor.entry.label}, {check.floor.measure}: {check.problem}", err=True)
        raise typer.Exit(1)


def _conflicts(settings: "Settings", *, limit: int | None, out: Path | None, raise_floors: bool, lower: bool) -> None:
    from evaluation.benchmarks.near_copies.benchmark import (
        broken_floors,
        read_conflict_floors,
        run_conflicts,
        write_conflict_floors,
    )

    with ConsoleProgress() as progress:
        report = run_conflicts(settings, limit=limit, progress=progress)
    typer.echo(report.tables)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(f"{report.tables}\n", encoding="utf-8")
    if raise_floors:
        write_conflict_floors(report.reached, lower=lower)
        return
    worse = broken_floors(read_conflict_floors(), report.reached)
    for one in worse:
        typer.echo(f"- {one}", err=True)
    if worse:
        raise typer.Exit(1)
