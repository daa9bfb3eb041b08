"""`looksy models`: list and verify the shipped models, fetch others; build and measure our own in a source checkout."""

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from service.cli import common
from service.cli.output import print_json, print_table

app = typer.Typer(help="List, verify, fetch, build and measure models.", no_args_is_help=True)


@app.command("list")
def list_models(as_json: common.Json = False) -> None:
    """List the models that ship, the recipes to build them by, and documented models of the hub."""
    from models.hub import hub_models
    from models.registry import shipped_models

    trainer = _trainer()
    shipped, recipes = shipped_models(), trainer.recipe_names() if trainer else []
    rows: list[dict[str, object]] = [
        {
            "name": model.name,
            "kind": "shipped",
            "size": model.size,
            "about": model.title,
            "recipe": model.name in recipes,
        }
        for model in shipped
    ]
    names = {model.name for model in shipped}
    rows += [
        {"name": name, "kind": "recipe", "size": None, "about": "", "recipe": True}
        for name in recipes
        if name not in names
    ]
    rows += [
        {"name": name, "kind": "hub", "size": None, "about": f"{model.use}, {model.licence}", "recipe": False}
        for name, model in hub_models().items()
    ]
    if as_json:
        print_json(rows)
        return
    print_table(
        ("model", "kind", "bytes", "about", "recipe"),
        [(row["name"], row["kind"], row["size"], row["about"], "yes" if row["recipe"] else "") for row in rows],
    )


@app.command()
def verify(
    name: Annotated[str | None, typer.Argument(help="A shipped model; none: all of them.")] = None,
    folder: Annotated[Path | None, typer.Option("--folder", help="A folder of model folders.")] = None,
    as_json: common.Json = False,
) -> None:
    """Compare the models' files with their hashes and load them; exit 1 if one is not right."""
    from core.paths import MODELS
    from models import registry

    place = folder or MODELS
    chosen = registry.shipped_models(place) if name is None else [registry.shipped_model(name, place)]
    checks = [check for model in chosen for check in registry.verify(model)]
    if as_json:
        print_json([check.model_dump(mode="json") for check in checks])
    else:
        print_table(
            ("model", "file", "", "detail"), [(check.model, check.file, check.state, check.detail) for check in checks]
        )
    if not checks or any(check.state != "right" for check in checks):
        raise typer.Exit(1)


@app.command()
def pull(
    name: Annotated[str, typer.Argument(help="owner/name on the Hugging Face hub.")],
    revision: Annotated[str, typer.Option("--revision", help="Branch, tag or commit.")] = "main",
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
) -> None:
    """Fetch a model of the hub into the data folder."""
    from models import hub

    settings = common.make_settings(data_dir=data_dir, profile=profile)
    pulled = hub.pull(name, settings.data_dir, revision=revision)
    folder = hub.pulled_folder(name, settings.data_dir)
    known = hub.hub_models().get(name)
    typer.echo(f"{folder}: {len(pulled.files)} files of {name} at {pulled.revision}", err=True)
    if known is not None:
        for setting, value in (known.needs | {known.setting: str(folder)}).items():
            print(f"LOOKSY_{setting.upper()}={value}")


def _trainer() -> ModuleType | None:
    """Load the commands that build and measure models; None in an installed wheel, which has no trainer."""
    return importlib.import_module("training.commands") if importlib.util.find_spec("training") else None


if (_commands := _trainer()) is not None:
    for _command in (_commands.build, _commands.measure):
        app.command()(_command)
