"""`looksy models build` and `looksy models measure`: commands of a source checkout, for `service/cli/models.py`."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from core.errors import ConfigError
from core.settings import load_settings
from training.recipe import AnyRecipe, EmbedderRecipe, RerankerRecipe, find_recipe, recipe_names

__all__ = ["build", "measure", "recipe_names"]
_WIDE = 200
"""Columns of a table that is written to a file or a pipe."""
DataRoot = Annotated[Path, typer.Option("--data", help="Where the data packs lie that do not ship with Looksy.")]
BuildData = Annotated[Path, typer.Option("--data", help="Where the data packs lie; for counter-lora a file of claims.")]


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
        Path | None,
        typer.Option("--out", help="Folder of checkpoints and model.", show_default="var/training/NAME"),
    ] = None,
    minutes: Annotated[float, typer.Option("--minutes", min=0, help="Minutes to spend; 0: as the recipe says.")] = 0,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over, ignoring existing checkpoints.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Resume a build; a checkpoint must exist.")] = False,
) -> None:
    """Build a model from its recipe. Resumes an interrupted build."""
    from training import files

    recipe = find_recipe(name)
    work = out or load_settings({}).data_dir / "training" / recipe.name
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
    typer.echo(folder)


def _run(
    recipe: AnyRecipe,
    work: Path,
    *,
    data: Path,
    base: Path | None,
    weights: Path | None,
    mean_with: Path | None,
    minutes: float,
) -> Path:
    from training.chat.recipe import LoraRecipe

    if isinstance(recipe, LoraRecipe):
        from training.chat.counter.build import build_counter_adapter

        named = None if base is None else str(base)
        return build_counter_adapter(
            recipe, work, data=data, settings=load_settings({}), base=named, minutes=minutes, say=_say
        )
    if isinstance(recipe, RerankerRecipe):
        from training.reranker import build_reranker

        return build_reranker(recipe, work, data=data, say=_say)
    from training.files import installed_base

    base = base or installed_base()
    if isinstance(recipe, EmbedderRecipe):
        from training.embedder import build_embedder

        return build_embedder(recipe, work, base=base)
    from training.evidence.build import build_evidence

    return build_evidence(
        recipe, work, data=data, base=base, weights=weights, mean_with=mean_with, minutes=minutes, say=_say
    )


def _say(line: str) -> None:
    typer.echo(line, err=True)


def measure(
    folder: Annotated[Path | None, typer.Argument(help="A model folder.", show_default="the shipped one")] = None,
    data: DataRoot = Path("data"),
    limit: Annotated[int, typer.Option("--limit", min=0, help="Items of each set at most; 0: all.")] = 0,
    write: Annotated[bool, typer.Option("--write", help="Write scores.json and the card of a built model.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else on standard output.")] = False,
) -> None:
    """Measure an evidence model or a reranker on what training leaves out, with 95 % intervals."""
    from core.paths import MODELS
    from models.reranker import WEIGHTS as RERANKER
    from training.measure.reranking import measure_reranker
    from training.measure.run import measure as measure_model
    from training.measure.run import write_scores

    place = folder or MODELS / "evidence-minilm-l6"
    if (place / RERANKER).is_file():
        scores = measure_reranker(place, data)
    else:
        scores = measure_model(place, data, limit=limit, say=_say)
    if write:
        write_scores(scores, place)
    if as_json:
        typer.echo(json.dumps([score.model_dump() for score in scores], indent=2))
        return
    table = Table("what", "score", "from", "to", "n", box=None)
    for score in scores:
        table.add_row(score.what, _figure(score.value), _figure(score.low), _figure(score.high), str(score.n))
    Console(width=None if sys.stdout.isatty() else _WIDE).print(table)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
