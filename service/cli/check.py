"""`looksy check`: check a whole text, claim by claim."""

import sys
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.errors import CancelledError, InputError
from core.settings import Settings
from service.cli import common
from service.cli.output import print_json
from service.cli.progress import ConsoleProgress
from service.operations.logs import log_to_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipelines.engine import Engine
    from pipelines.systems.check import CheckRequest
    from service.checks.report.view import CheckView

FORMATS = ("json", "html", "md", "csv")


def check(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|-|URL",
            help="A txt, md, html, pdf or docx file; - reads standard input; the address of an article in the archive.",
        ),
    ],
    as_json: common.Json = False,
    as_html: Annotated[bool, typer.Option("--html", help="Write one HTML file with the marked text.")] = False,
    as_markdown: Annotated[
        bool, typer.Option("--md", help="Write Markdown; this is also what a terminal gets.")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Write CSV, with one row for each claim.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file; its ending says the format.")
    ] = None,
    max_claims: Annotated[
        int | None,
        typer.Option("--max-claims", help="Judge at most this many claims, the worthiest first."),
    ] = None,
    written_on: Annotated[
        str | None,
        typer.Option(
            "--written-on",
            help="Day of writing; it dates 'last year'.",
            show_default="as the text says",
        ),
    ] = None,
    speaker: Annotated[str | None, typer.Option("--speaker", help="Who says 'I' in the text.")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="Only what was known by this date is evidence.")] = None,
    published_from: Annotated[str | None, typer.Option("--from", help="Only articles published since.")] = None,
    published_to: Annotated[str | None, typer.Option("--to", help="Only articles published until.")] = None,
    source: Annotated[list[str] | None, typer.Option("--source", help="Only this source. Repeatable.")] = None,
    section: Annotated[list[str] | None, typer.Option("--section", help="Only this section. Repeatable.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="Option of verify, which judges each claim. Repeatable."),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew instead of going on with a stopped check of this text.")
    ] = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Check a whole text, claim by claim, against the archive. A stopped check goes on where it stopped."""
    wanted = _format({"json": as_json, "html": as_html, "md": as_markdown, "csv": as_csv}, output)
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)
    log_to_file(settings.data_dir)
    filters = {
        "published_from": published_from,
        "published_to": published_to,
        "sources": source or None,
        "sections": section or None,
    }
    fields: dict[str, Any] = {
        "max_claims": max_claims,
        "written_on": _day(written_on),
        "speaker": speaker,
        "as_of": as_of,
        "filters": {name: value for name, value in filters.items() if value is not None} or None,
        "options": common.parse_pairs(option, flag="--option") or None,
    }
    with _open_engine(settings) as engine, ConsoleProgress(quiet=as_json and output is None) as progress:
        view = _run(_request(file, fields, engine), settings, engine, progress, fresh=fresh)
    _write(view, wanted, output)
    if view.checked.summary.failed:
        typer.echo(f"{view.checked.summary.failed} claims could not be judged; the report says why.", err=True)
        raise typer.Exit(1)


def _format(flags: dict[str, bool], output: Path | None) -> str:
    """Return the one format that is wanted."""
    given = [name for name, is_given in flags.items() if is_given]
    if len(given) > 1:
        raise InputError(f"--{given[0]} and --{given[1]} are both given", field=given[1], hint="Give one of them.")
    if given:
        return given[0]
    ending = output.suffix.lower().lstrip(".").replace("htm", "html").replace("htmll", "html") if output else "md"
    if ending not in FORMATS:
        hint = f"End it with {', '.join(f'.{name}' for name in FORMATS)}, or say the format."
        raise InputError(f"--output is {str(output)!r}, which says no format", field="output", hint=hint)
    return ending


def _day(typed: str | None) -> date | None:
    try:
        return date.fromisoformat(typed) if typed else None
    except ValueError as error:
        raise InputError(f"--written-on is {typed!r}", field="written_on", hint="Write it as 2026-05-31.") from error


def _request(file: str, fields: dict[str, Any], engine: "Engine") -> "CheckRequest":
    from service.checks.request import article_request, check_request

    if file.startswith(("http://", "https://")):
        return article_request(file, fields, engine.resources.store())
    if file == "-":
        from service.documents.reader import MAX_BYTES, decode

        data = sys.stdin.buffer.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise InputError("standard input is too large", field="file", hint=f"Give at most {MAX_BYTES:,} bytes.")
        return check_request(fields | {"text": decode(data, name="standard input")})
    from service.documents import read_document

    document = read_document(Path(file))
    for notice in document.warnings:
        typer.echo(f"Note: {notice.message}", err=True)
    return check_request(fields | {"text": document.text, "title": document.title})


def _run(
    request: "CheckRequest", settings: Settings, engine: "Engine", progress: ConsoleProgress, *, fresh: bool
) -> "CheckView":
    from service.answers.caller import Via
    from service.checks.report.view import view_check
    from service.checks.run import CheckRunner
    from service.checks.store import CheckStore
    from service.cli.run_recording import RecordingCommandAsker
    from service.desk.report_filter import keep_reports_out

    asker = RecordingCommandAsker(keep_reports_out(engine, settings, engine.resources.store), settings, via=Via.CLI)
    store = CheckStore(settings.data_dir, keep=settings.keep_runs)
    runner = CheckRunner(asker, store, snapshot=lambda: engine.resources.store().snapshot_id())
    stored = runner.begin(request, resume=not fresh)
    done = stored.checked.summary.claims - stored.checked.summary.waiting
    if stored.checked.summary.judged:
        typer.echo(f"Going on with check {stored.checked.id}: {done} claims are settled.", err=True)
    try:
        checked = runner.finish(stored, progress=progress)
    except (KeyboardInterrupt, CancelledError):
        typer.echo("Stopped. The same command goes on where it stopped.", err=True)
        raise
    return view_check(request, checked)


def _write(view: "CheckView", wanted: str, output: Path | None) -> None:
    from service.checks.report import to_csv, to_html, to_markdown

    if wanted == "json" and output is None:
        print_json(view.checked)
        return
    writers = {"html": to_html, "md": to_markdown, "csv": to_csv}
    text = view.checked.model_dump_json(indent=2) + "\n" if wanted == "json" else writers[wanted](view)
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    from core.files import replacing

    try:
        with replacing(output) as path:
            path.write_text(text, encoding="utf-8-sig" if wanted == "csv" else "utf-8", newline="")
    except OSError as error:
        raise InputError(
            f"{output} cannot be written: {error.strerror}", field="output", hint="Name another."
        ) from error


@contextmanager
def _open_engine(settings: Settings) -> "Iterator[Engine]":
    from pipelines.engine import Engine

    engine = Engine(settings)
    try:
        yield engine
    finally:
        engine.close()
