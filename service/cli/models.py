"""`looksy models`: list and verify the shipped models, fetch others, build and measure our own."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import ConfigError
from service.cli import common
from service.cli.output import print_json, print_table

if TYPE_CHECKING:
    from models.training.recipe import AnyRecipe

app = typer.Typer(help="List, verify, fetch, build and measure models.", no_args_is_help=True)

DataRoot = Annotated[Path, typer.Option("--data", help="Where the data packs lie that do not ship with Looksy.")]
BuildData = Annotated[Path, typer.Option("--data", help="Where the data packs lie; for counter-lora a file of claims.")]


@app.command("list")
def list_models(as_json: common.Json = False) -> None:
    """List the models that ship, the recipes to build them by, and documented models of the hub."""
    from models.hub import hub_models
    from models.registry import shipped_models
    from models.training.recipe import recipe_names

    shipped, recipes = shipped_models(), recipe_names()
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


@app.command()
def build(
    name: Annotated[str, typer.Argument(help="A recipe, or the only one that begins so.")],
    data: BuildData = Path("data"),
    base: Annotated[
        Path | None,
        typer.Option(
            "--base",
            help="model.safetensors of all-MiniLM-L6-v2, or the folder of a chat model.",
            show_default="installed package, or the recipe's",
        ),
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option("--weights", help="weights.safetensors of an earlier build, or model.onnx, to train on from."),
    ] = None,
    mean_with: Annotated[
        Path | None, typer.Option("--mean-with", help="weights.safetensors that the recipe exports a mean with.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="For checkpoints and the model.", show_default="var/training/NAME")
    ] = None,
    minutes: Annotated[float, typer.Option("--minutes", min=0, help="To spend; 0: all steps of the recipe.")] = 0,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the checkpoints and begin anew.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a build; it must have been begun.")] = False,
) -> None:
    """Build a model by its recipe. A build that was stopped is gone on with."""
    from models.training import files
    from models.training.recipe import find_recipe

    recipe = find_recipe(name)
    work = out or common.make_settings().data_dir / "training" / recipe.name
    if resume and not files.is_begun(work):
        raise ConfigError(f"{work} holds no checkpoint to go on from", field="resume", hint="Leave --resume out.")
    if fresh:
        files.discard(work)
    try:
        folder = _run(recipe, work, data=data, base=base, weights=weights, mean_with=mean_with, minutes=minutes)
    except ImportError as error:
        raise ConfigError(
            f"looksy models build needs {error.name}, which is not installed",
            field="extra",
            hint=f"Install the extra: pip install 'looksy[{'tune' if recipe.kind == 'lora' else 'train'}]'",
        ) from error
    print(folder)


def _run(
    recipe: "AnyRecipe",
    work: Path,
    *,
    data: Path,
    base: Path | None,
    weights: Path | None,
    mean_with: Path | None,
    minutes: float,
) -> Path:
    from models.training import files
    from models.training.recipe import EmbedderRecipe, RerankerRecipe
    from models.training.tuning.recipe import LoraRecipe

    if isinstance(recipe, LoraRecipe):
        from evaluation.counter_tuning.build import build_counter_adapter

        named = None if base is None else str(base)
        return build_counter_adapter(
            recipe, work, data=data, settings=common.make_settings(), base=named, minutes=minutes, say=_say
        )
    if isinstance(recipe, RerankerRecipe):
        from models.training.build_reranker import build_reranker

        return build_reranker(recipe, work, data=data, say=_say)
    base = base or files.installed_base()
    if isinstance(recipe, EmbedderRecipe):
        from models.training.build_embedder import build_embedder

        return build_embedder(recipe, work, base=base)
    from models.training.build import build_evidence

    return build_evidence(
        recipe, work, data=data, base=base, weights=weights, mean_with=mean_with, minutes=minutes, say=_say
    )


def _say(line: str) -> None:
    typer.echo(line, err=True)


@app.command()
def measure(
    folder: Annotated[Path | None, typer.Argument(help="A model folder.", show_default="the shipped one")] = None,
    data: DataRoot = Path("data"),
    limit: Annotated[int, typer.Option("--limit", min=0, help="Items of each set at most; 0: all.")] = 0,
    write: Annotated[bool, typer.Option("--write", help="Write scores.json and the card of a built model.")] = False,
    as_json: common.Json = False,
) -> None:
    """Measure an evidence model or a reranker on what training leaves out, with 95 % intervals."""
    from core.paths import MODELS
    from evaluation.evidence_model.reranking import measure_reranker
    from evaluation.evidence_model.run import measure as measure_model
    from evaluation.evidence_model.run import write_scores
    from models.reranker import WEIGHTS as RERANKER

    place = folder or MODELS / "evidence-minilm-l6"
    if (place / RERANKER).is_file():
        scores = measure_reranker(place, data)
    else:
        scores = measure_model(place, data, limit=limit, say=_say)
    if write:
        write_scores(scores, place)
    if as_json:
        print_json([score.model_dump() for score in scores])
        return
    print_table(
        ("what", "score", "from", "to", "n"),
        [(score.what, _figure(score.value), _figure(score.low), _figure(score.high), score.n) for score in scores],
    )


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
