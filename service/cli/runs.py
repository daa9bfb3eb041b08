"""`looksy runs`: search the archive of answer runs, tag them, delete them."""

from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import InputError
from core.settings import Settings
from service.cli import common
from service.cli.output import print_json, print_table

if TYPE_CHECKING:
    from service.answers.archive import Archive

app = typer.Typer(help="Search the archive of answer runs, tag them, delete them.", no_args_is_help=True)
_SHOWN_CHARS = 80


@app.command("list")
def list_runs(
    text: Annotated[str | None, typer.Argument(help="Words of what was asked or answered.")] = None,
    verdict: Annotated[
        str | None, typer.Option("--verdict", help="verified, refuted, conflicting or unverified.")
    ] = None,
    state: Annotated[str | None, typer.Option("--state", help="State of the run's check on the desk.")] = None,
    person: Annotated[str | None, typer.Option("--person", help="Who asked.")] = None,
    source: Annotated[str | None, typer.Option("--source", help="A publisher that was read.")] = None,
    tag: Annotated[str | None, typer.Option("--tag", help="A tag.")] = None,
    asked_from: Annotated[str | None, typer.Option("--from", help="Asked since this day.")] = None,
    asked_to: Annotated[str | None, typer.Option("--to", help="Asked until this day.")] = None,
    every: Annotated[bool, typer.Option("--all", help="List repeats of one claim, too.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, help="List at most this many.")] = 50,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
) -> None:
    """List runs, newest first; repeats and replays of one claim are one line."""
    from pydantic import ValidationError

    from core.requests import input_error, parse_time
    from service.answers.archive import RunQuery

    given: dict[str, object] = {
        "text": text,
        "verdict": verdict,
        "state": state,
        "person": person,
        "source": source,
        "tag": tag,
        "asked_from": asked_from and parse_time(asked_from, field="from"),
        "asked_to": asked_to and parse_time(asked_to, field="to", end_of_day=True),
    }
    try:
        query = RunQuery.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        raise input_error(error) from error
    _, archive = _open(data_dir, profile)
    found = archive.search(query, limit=limit, grouped=not every)
    if as_json:
        print_json([run.model_dump(mode="json") for run in found])
        return
    print_table(
        ("run", "asked", "by", "verdict", "check", "times", "text"),
        [
            (
                run.run_id[:12],
                run.created_at.strftime("%Y-%m-%d %H:%M"),
                run.asked_by,
                run.verdict.value if run.verdict else run.status.value,
                run.state,
                run.repeats,
                " ".join(run.text.split())[:_SHOWN_CHARS],
            )
            for run in found
        ],
    )


@app.command()
def tag(
    run_id: Annotated[str, typer.Argument(help="A run id.")],
    tags: Annotated[list[str] | None, typer.Argument(help="The new tags; without any, the run has none.")] = None,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
) -> None:
    """Replace the tags of a run."""
    _, archive = _open(data_dir, profile)
    typer.echo(", ".join(archive.set_tags(run_id, tags or [])) or "no tags", err=True)


@app.command()
def delete(
    run_id: Annotated[str | None, typer.Argument(help="A run id.")] = None,
    person: Annotated[str | None, typer.Option("--person", help="Delete all that this person asked.")] = None,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
) -> None:
    """Delete one run, or all that a person asked, for good. Runs on the desk stay, without the name."""
    from service.answers.deletion import delete_person, delete_run

    if (run_id is None) == (person is None):
        raise InputError("Give a run id, or --person NAME", field="run_id", hint="'looksy runs list' shows both.")
    settings, archive = _open(data_dir, profile)
    if run_id is not None:
        done = delete_run(settings, archive, run_id)
    else:
        done = delete_person(settings, archive, person or "")
    if as_json:
        print_json(done)
        return
    typer.echo(f"{done.deleted} runs are deleted.", err=True)
    if done.made_anonymous:
        typer.echo(f"{done.made_anonymous} runs of checks stay on the desk, without the name.", err=True)


def _open(data_dir: common.DataDir, profile: common.Profile) -> "tuple[Settings, Archive]":
    from service.answers.archive import Archive
    from service.answers.run_files import import_run_files
    from service.state.database import FILE_NAME, Database

    settings = common.make_settings(data_dir=data_dir, profile=profile)
    database = Database(settings.data_dir / FILE_NAME)
    import_run_files(database, settings.data_dir)
    return settings, Archive(database)
