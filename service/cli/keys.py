"""`looksy keys`: make, list and revoke API keys."""

from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import InputError
from service.cli import common
from service.cli.output import print_json, print_table

if TYPE_CHECKING:
    from service.auth.keys import Keys

app = typer.Typer(help="Make, list and revoke API keys.", no_args_is_help=True)


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="For whom the key is.")],
    scope: Annotated[
        str, typer.Option("--scope", help="feed, read, run, review or admin; each includes the ones before.")
    ] = "run",
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
) -> None:
    """Make a key. It is shown once; only its hash is kept."""
    from service.auth.keys import Scope

    if scope not in list(Scope):
        raise InputError(f"--scope is {scope!r}; feed, read, run, review and admin are accepted", field="scope")
    key, text = _keys(data_dir, profile).create(name, scope=Scope(scope))
    if as_json:
        print_json(key.model_dump(mode="json") | {"key": text})
    else:
        print(text)
        typer.echo(f"Key {key.key_id} for {key.name}, scope {key.scope.value}. It is not shown again.", err=True)
        if key.scope is Scope.FEED:
            typer.echo(f"Address for a reader of feeds: https://YOUR-HOST/v1/changes.atom?key={text}", err=True)


@app.command("list")
def list_keys(as_json: common.Json = False, data_dir: common.DataDir = None, profile: common.Profile = None) -> None:
    """List the keys, without their secrets."""
    keys = _keys(data_dir, profile).list()
    if as_json:
        print_json([key.model_dump(mode="json") for key in keys])
        return
    print_table(
        ("key", "name", "scope", "made", "revoked"),
        [
            (key.key_id, key.name, key.scope.value, key.created_at.date(), key.revoked_at and key.revoked_at.date())
            for key in keys
        ],
    )


@app.command()
def revoke(
    key_id: Annotated[str, typer.Argument(help="Id of the key; 'looksy keys list' shows it.")],
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
) -> None:
    """Make a key invalid, at once and for good."""
    key = _keys(data_dir, profile).revoke(key_id)
    typer.echo(f"Key {key.key_id} for {key.name} is revoked.", err=True)


def _keys(data_dir: common.DataDir, profile: common.Profile) -> "Keys":
    from service.auth.keys import Keys
    from service.state.database import FILE_NAME, Database

    settings = common.make_settings(data_dir=data_dir, profile=profile)
    return Keys(Database(settings.data_dir / FILE_NAME))
