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
    from service.desk.types import Check, HistoryEntry
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
    from service.reports.source import ReportSource, page_address, quoted_articles
    from service.stores import LazyStore

    result, check, history, reason = _find(name, settings)
    opened = LazyStore(settings)
    try:
        articles = quoted_articles(result, opened.get)
    finally:
        opened.close()
    return ReportSource(
        result=result,
        check=check,
        history=history,
        articles=articles,
        page=page_address(f"http://{settings.host}:{settings.port}/", result, check),
        change_reason=reason,
        data_dir=settings.data_dir,
    )


def _find(name: str, settings: "Settings") -> tuple["Result", "Check | None", tuple["HistoryEntry", ...], str | None]:
    """
    Return the run of a name, with its check, and why the check's evidence has changed.

    :raises NotFoundError: If there is neither a check nor a run of this name.
    """
    from service.answers.runs import read_result
    from service.cli.replay import find_kept_run
    from service.desk.changes import Changes
    from service.desk.checks import Desk
    from service.state.database import FILE_NAME, Database

    file = settings.data_dir / FILE_NAME
    if Path(name).suffix == ".json" or not file.is_file():
        return find_kept_run(name, settings.data_dir), None, (), None
    database = Database(file)
    desk = Desk(database)
    try:
        try:
            check: Check | None = desk.get(name)
        except NotFoundError:
            check = None
        result = read_result(database, check.run_id) if check else find_kept_run(name, settings.data_dir)
        check = check or desk.of_run(result.run_id)
        if check is None or check.run_id != result.run_id:
            return result, None, (), None
        return result, check, tuple(desk.history(check.check_id)), Changes(database).reason(check.check_id)
    finally:
        database.close()
