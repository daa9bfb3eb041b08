"""`looksy ask`: check a question or a statement, or a file of them."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.errors import InputError
from core.settings import Settings
from core.types import Result, Status
from service.answers.caller import Via
from service.cli import common
from service.cli.output import print_json, print_markdown
from service.cli.progress import ConsoleProgress
from service.cli.run_recording import keep_run
from service.operations.logs import log_to_file

if TYPE_CHECKING:
    from service.answers.asker import Asker


def ask(
    text: Annotated[str | None, typer.Argument(help="A question or a statement; - reads standard input.")] = None,
    batch: Annotated[
        Path | None, typer.Option("--batch", help="JSON lines with id, text and optional kind, instead of TEXT.")
    ] = None,
    system: Annotated[str, typer.Option("--system", help="What to ask; 'looksy systems' lists them.")] = "verify",
    kind: Annotated[
        str | None, typer.Option("--kind", help="question or statement.", show_default="seen from the text")
    ] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="Only what was known by this date is evidence.")] = None,
    published_from: Annotated[str | None, typer.Option("--from", help="Only articles published since.")] = None,
    published_to: Annotated[str | None, typer.Option("--to", help="Only articles published until.")] = None,
    source: Annotated[list[str] | None, typer.Option("--source", help="Only this source. Repeatable.")] = None,
    section: Annotated[list[str] | None, typer.Option("--section", help="Only this section. Repeatable.")] = None,
    top_k: Annotated[int | None, typer.Option("--top-k", help="Passages to read, 1 to 100.")] = None,
    mode: Annotated[
        str | None,
        typer.Option("--mode", help="How a chat model is asked: references, contexts, keywords or raw."),
    ] = None,
    style: Annotated[
        str | None, typer.Option("--style", help="seed: answer as the published News Verifiers did.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what was searched, read, written and checked.")
    ] = False,
    blind: Annotated[bool, typer.Option("--blind", help="Show no earlier fact-checks beside the answer.")] = False,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="Option of the system. Repeatable.")
    ] = None,
    ray: common.Ray = None,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Check a question or a statement against the articles in the archive."""
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)
    log_to_file(settings.data_dir)
    filters = {
        "published_from": published_from,
        "published_to": published_to,
        "sources": source or None,
        "sections": section or None,
    }
    fields: dict[str, Any] = {
        "kind": kind,
        "as_of": as_of,
        "filters": {name: value for name, value in filters.items() if value is not None} or None,
        "top_k": top_k,
        "options": _options(option, mode=mode, style=style) or None,
        "blind": blind or None,
    }
    if explain and (batch is not None or as_json):
        raise InputError(
            "--explain is for one question and for people",
            field="explain",
            hint="With --json and --batch the record is in the field run.",
        )
    if ray is not None and batch is None:
        raise InputError("--ray is for a file of queries", field="ray", hint="Give one with --batch FILE.")
    if batch is not None:
        _ask_batch(batch, settings=settings, system=system, text=text, fields=fields, ray=ray)
    else:
        typed = common.write_options(data_dir=data_dir, profile=profile, store=store, assignments=assignments)
        result = _ask_one(text, settings=settings, system=system, fields=fields, quiet=as_json)
        _show_and_keep(result, settings, as_json=as_json, explained=explain, typed=typed)


def _options(pairs: list[str] | None, **named: str | None) -> dict[str, str]:
    """Return the options of the system, those with a flag of their own among them."""
    return common.parse_pairs(pairs, flag="--option") | {name: value for name, value in named.items() if value}


def _ask_one(text: str | None, *, settings: Settings, system: str, fields: dict[str, Any], quiet: bool) -> Result:
    from pipelines.systems.registry import request_for

    typed = _read_stdin() if text == "-" else text
    request = request_for(system, fields | {"text": typed})
    with _open_engine(settings) as engine, ConsoleProgress(quiet=quiet) as progress:
        return engine.run(system, request, progress=progress)


def _show_and_keep(result: Result, settings: Settings, *, as_json: bool, explained: bool, typed: list[str]) -> None:
    """
    Print a result, then save its run.

    :param typed: The options that a replay needs, too.
    :raises typer.Exit: If the answer failed.
    """
    try:
        _show(result, as_json=as_json, explained=explained)
    finally:  # also when who reads the output has gone
        saved = keep_run(result, settings)
    if explained and saved:
        print(f"Do it again: {shlex.join(['looksy', 'replay', result.run_id, *typed])}")
    if result.status is Status.FAILED:
        raise typer.Exit(1)


def _show(result: Result, *, as_json: bool, explained: bool) -> None:
    if as_json:
        print_json(result)
        return
    from pipelines.rendering.explain import explain
    from pipelines.rendering.render import to_markdown

    print_markdown(to_markdown(result))
    if explained:
        print(explain(result))


def _read_stdin() -> str:
    """Read standard input; what is not text there is left for the check of the request to refuse."""
    return sys.stdin.buffer.read().decode(sys.stdin.encoding, errors="surrogateescape")


def _ask_batch(
    path: Path, *, settings: Settings, system: str, text: str | None, fields: dict[str, Any], ray: str | None
) -> None:
    from service.answers.batch import read_lines

    if text is not None:
        raise InputError("TEXT and --batch are both given", field="batch", hint="Give one of them.")
    defaults = {name: value for name, value in fields.items() if value is not None}
    lines = list(read_lines(path))
    bad = 0
    for answered in _answers(lines, settings=settings, system=system, defaults=defaults, ray=ray):
        print_json(answered)
        bad += answered["status"] == Status.FAILED
        if "error" not in answered:
            result = Result.model_validate({name: value for name, value in answered.items() if name != "id"})
            keep_run(result, settings, via=Via.BATCH)
    if bad:
        typer.echo(f"{bad} of {len(lines)} lines could not be answered; their objects say why.", err=True)
        raise typer.Exit(1)


def _answers(
    lines: list[bytes], *, settings: Settings, system: str, defaults: dict[str, Any], ray: str | None
) -> Iterator[dict[str, Any]]:
    """Answer in this process, or on a Ray cluster."""
    if ray is not None:
        from service.answers.ray_batch import answer_on_cluster

        yield from answer_on_cluster(lines, settings, system=system, defaults=defaults, address=ray)
        return
    from service.answers.batch import answer_lines

    with _open_engine(settings) as engine:
        yield from answer_lines(lines, engine.run, system=system, defaults=defaults)


@contextmanager
def _open_engine(settings: Settings) -> Iterator["Asker"]:
    from pipelines.engine import Engine
    from service.desk.report_filter import keep_reports_out
    from service.factchecks.checked_before import CheckedBeforeAsker, EarlierChecks

    engine = Engine(settings)
    asker = CheckedBeforeAsker(keep_reports_out(engine, settings, engine.resources.store), EarlierChecks(settings))
    try:
        yield asker
    finally:
        asker.close()
