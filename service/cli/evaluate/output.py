"""What an evaluation prints at its end, and where the report is copied."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from service.cli.output import print_table

if TYPE_CHECKING:
    from evaluation.reports.models import Report
    from evaluation.runs.folder import RunFolder


def finish(run: "RunFolder", report: "Report", out: Path | None) -> None:
    """Copy the report where it is wanted, and show it."""
    if out is not None and not (out.exists() and out.samefile(run.path)):
        out.mkdir(parents=True, exist_ok=True)
        for file in run.path.iterdir():
            if file.name.startswith("report.") or file.name in {"per_query.jsonl", "run.trec"}:
                shutil.copyfile(file, out / file.name)
        if (run.path / "records").is_dir():
            shutil.copytree(run.path / "records", out / "records", dirs_exist_ok=True)
    show(report, out or run.path)
    typer.echo(f"run: {report.run.run_id}")


def show(report: "Report", folder: Path) -> None:
    """Print measures, notes and where the report lies."""
    from evaluation.reports.text import interval, number, timing_line

    typer.echo(report.run.title)
    for note in report.notes:
        typer.echo(f"- {note}")
    print_table(
        ("measure", "value", "95 % interval", "n"),
        [(name, number(value.value), interval(value), str(value.n)) for name, value in report.measures.items()],
    )
    if report.timing:
        typer.echo(timing_line(report.timing))
    typer.echo(f"report: {folder / 'report.html'}")
