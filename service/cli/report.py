"""`looksy report`: a run or check as one file."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import InputError, NotFoundError
from service.cli import common

if TYPE_CHECKING:
    from core.settings import Settings
    from core.types import Result
    from service.desk import Desk
    from service.reports.formats import ReportFormat
    from service.reports.source import ReportSource


def report(
    name: Annotated[str, typer.Argument(metavar="RUN|CHECK", help="Id of a run or check, or a file of a run.")],
    form: Annotated[
        str | None,
        typer.Option(
            "--format", help="html, md, json, csv, claimreview or wacz.", show_default="by the ending of --out, or md"
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write.", show_default="standard output; of wacz, a file")
    ] = None,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Write a run or check as one file: answer, quotes, decision, history, archived pages."""
    from service.reports.formats import ReportFormat, write_report

    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)
    chosen = _format(form, out)
    written = write_report(_source(name, settings), chosen)
    if out is None and chosen is ReportFormat.WACZ:
        out = Path(written.name)
    if out is None:
        sys.stdout.buffer.write(written.content)
        sys.stdout.buffer.flush()
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(written.content)
    typer.echo(f"{out}: {len(written.content):,} bytes")


def _format(form: str | None, out: Path | None) -> "ReportFormat":
    from service.reports.formats import ENDINGS, ReportFormat

    known = [one.value for one in ReportFormat]
    if form is not None:
        if form not in known:
            raise InputError(f"--format is {form!r}", field="format", hint=f"Use one of: {', '.join(known)}.")
        return ReportFormat(form)
    ending = out.suffix.lstrip(".").lower() if out else "md"
    ending = {"htm": "html", "markdown": "md"}.get(ending, ending)
    found = next((one for one in ReportFormat if ENDINGS[one] == ending), None)
    if found is None:
        raise InputError(
            f"--out is {str(out)!r}, whose ending names no format",
            field="format",
            hint=f"Give --format: one of {', '.join(known)}.",
        )
    return found


def _source(name: str, settings: "Settings") -> "ReportSource":
    from service.desk import Desk
    from service.reports.source import report_source
    from service.state.database import FILE_NAME, Database
    from service.stores import LazyStore

    database, opened = Database(settings.data_dir / FILE_NAME), LazyStore(settings)
    desk = Desk(database) if Path(name).suffix != ".json" and database.path.is_file() else None
    base = f"http://{settings.host}:{settings.port}/"
    try:
        result = _find(name, desk, settings.data_dir)
        return report_source(result, desk, base=base, open_store=opened.get, data_dir=settings.data_dir)
    finally:
        opened.close()
        database.close()


def _find(name: str, desk: "Desk | None", data_dir: Path) -> "Result":
    """
    Return the run of a name, or the latest run of the check of that name.

    :raises NotFoundError: If there is neither a check nor a run of this name.
    """
    from service.answers.runs import read_result
    from service.cli.replay import find_kept_run

    if desk is not None:
        try:
            check = desk.get(name)
        except NotFoundError:
            pass  # a run, then
        else:
            return read_result(desk.database, check.run_id)
    return find_kept_run(name, data_dir)
