"""`looksy factchecks`: import published fact-checks, and find those that a text is about."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.errors import InputError
from service.cli import common
from service.cli.output import print_json, print_table
from service.cli.progress import ConsoleProgress

if TYPE_CHECKING:
    from core.settings import Settings
    from indexing.factchecks.matcher import FactCheckMatcher
    from indexing.factchecks.types import ImportReport

app = typer.Typer(no_args_is_help=True, help="Import published fact-checks, and find those that a text is about.")
_BATCH_FORM = 'Write {"id": "1", "text": "..."} on each line.'
_REFUSALS_SHOWN = 10


@app.command("import")
def import_(
    source: Annotated[str, typer.Argument(help="A file, or an address that begins with https://.")],
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    assignments: common.Set = None,
) -> None:
    """
    Take published fact-checks into an index of their own.

    SOURCE holds ClaimReview as JSON-LD: one, a list, @graph, a DataFeed, or a
    page with it. It may also hold JSON lines: {"id", "claim", "title",
    "verdict", "url", "publisher", "date"}. Import it again to take over changes.
    """
    from indexing.embedders import open_embedder
    from indexing.factchecks.matcher import FactCheckMatcher
    from indexing.factchecks.reading import read_fact_checks
    from indexing.factchecks.store import FactCheckStore
    from service.factchecks.source import read_source

    settings = common.make_settings(data_dir=data_dir, profile=profile, assignments=assignments)
    store = FactCheckStore(settings.data_dir)
    report = store.add(read_fact_checks(read_source(source, settings), name=source))
    with ConsoleProgress(quiet=as_json) as progress:
        FactCheckMatcher(store, open_embedder(settings)).embed_new(progress=progress)
    if as_json:
        print_json(report)
    else:
        _print_report(report)
    if report.refused and report.refused == report.read:
        raise typer.Exit(1)


@app.command()
def match(
    text: Annotated[str | None, typer.Argument(help="A claim, a post or a headline.")] = None,
    batch: Annotated[
        Path | None, typer.Option("--batch", help="JSON lines with id and text, instead of TEXT; prints JSON lines.")
    ] = None,
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=100, help="Fact-checks to show.")] = 5,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    assignments: common.Set = None,
) -> None:
    """Find the imported fact-checks that a text is about, best first."""
    if (text is None) == (batch is None):
        raise InputError("give either TEXT or --batch FILE", field="text", hint="Name the one that is to be matched.")
    settings = common.make_settings(data_dir=data_dir, profile=profile, assignments=assignments)
    if batch is not None:
        _match_batch(batch, settings, top_k=top_k)
        return
    from core.requests import check_text
    from indexing.factchecks.matcher import MAX_CHARS

    query = check_text(text, max_chars=MAX_CHARS)
    found = _open(settings, quiet=as_json).match(query, top_k=top_k)
    if as_json:
        print_json({"id": None, "matches": [one.model_dump(mode="json") for one in found]})
        return
    if not found:
        print("Nothing matches.")
    rows = [
        (f"{one.score:.2f}", one.verdict or "-", one.claim, one.publisher or "-", one.date, one.url) for one in found
    ]
    print_table(("sure", "verdict", "claim", "publisher", "date", "address"), rows) if rows else None


def _open(settings: "Settings", *, quiet: bool) -> "FactCheckMatcher":
    """
    Open the index; vectors that an import did not come to make are made now.

    :raises NotFoundError: If nothing was imported yet.
    """
    from core.errors import NotFoundError
    from indexing.embedders import open_embedder
    from indexing.factchecks.matcher import FactCheckMatcher
    from indexing.factchecks.store import FactCheckStore

    store = FactCheckStore(settings.data_dir)
    if not store.is_there:
        raise NotFoundError(
            f"no fact-checks were imported into {settings.data_dir}",
            field="data_dir",
            hint="Run 'looksy factchecks import FILE' first.",
        )
    matcher = FactCheckMatcher(store, open_embedder(settings))
    with ConsoleProgress(quiet=quiet) as progress:
        matcher.embed_new(progress=progress)
    return matcher


def _match_batch(path: Path, settings: "Settings", *, top_k: int) -> None:
    """Print one object a line, in order; a line that cannot be read gets an error and stops no other."""
    from indexing.factchecks.matcher import EMBED_PIECE
    from service.answers.batch import error_body, read_lines

    matcher = _open(settings, quiet=False)
    bad = 0
    for piece in _pieces(list(read_lines(path)), EMBED_PIECE):
        rows = [_read_line(line) for line in piece]
        found = iter(matcher.match_many([row["text"] for row in rows if "error" not in row], top_k=top_k))
        for row in rows:
            if "error" in row:
                bad += 1
                print_json({"id": row["id"], "matches": [], "error": error_body(row["error"])})
            else:
                print_json({"id": row["id"], "matches": next(found).model_dump(mode="json")["matches"]})
    if bad:
        typer.echo(f"{bad} lines could not be matched; their objects say why.", err=True)
        raise typer.Exit(1)


def _read_line(line: bytes) -> dict[str, Any]:
    """Return id and text of a line, or the error that it is."""
    from core.requests import check_text
    from core.types import MAX_TEXT_CHARS

    try:
        row = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {"id": None, "error": InputError("the line is not valid JSON", field="line", hint=_BATCH_FORM)}
    if not isinstance(row, dict):
        kind = type(row).__name__
        problem = InputError(f"the line is a JSON {kind}, not an object", field="line", hint=_BATCH_FORM)
        return {"id": None, "error": problem}
    try:
        return {"id": row.get("id"), "text": check_text(row.get("text", ""), max_chars=MAX_TEXT_CHARS)}
    except InputError as error:
        return {"id": row.get("id"), "error": error}


def _pieces(lines: list[bytes], size: int) -> Iterator[list[bytes]]:
    for start in range(0, len(lines), size):
        yield lines[start : start + size]


def _print_report(report: "ImportReport") -> None:
    names = ("taken", "changed", "unchanged", "removed", "refused")
    print(", ".join(f"{getattr(report, name):,} {name}" for name in names) + f"; {report.total:,} in the index.")
    for refusal in report.refusals[:_REFUSALS_SHOWN]:
        typer.echo(f"  {refusal.place}: {refusal.reason}", err=True)
    if report.refused > _REFUSALS_SHOWN:
        typer.echo(f"  … and {report.refused - _REFUSALS_SHOWN:,} more; --json names {len(report.refusals)}.", err=True)
