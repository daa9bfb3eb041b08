"""From a file of refuted claims to an adapter for the chat model that replies to them (extra `[tune]`)."""

from pathlib import Path

from core.settings import GeneratorKind, Settings
from evaluation.data.formats.refuted_claims import read_refuted_claims
from models.hashes import file_hash
from pipelines.generation.prompts import load_prompt
from pipelines.resources import Resources
from pipelines.systems.counter.reply_prompt import PROMPT
from training.chat.base import base_hash, find_base
from training.chat.build import build_adapter
from training.chat.counter.lessons import make_lessons
from training.chat.lesson import Say, be_silent
from training.chat.recipe import LoraRecipe
from training.chat.record import Origin


def build_counter_adapter(
    recipe: LoraRecipe,
    folder: Path,
    *,
    data: Path,
    settings: Settings,
    base: str | None = None,
    minutes: float = 0,
    say: Say = be_silent,
) -> Path:
    """
    Build, or go on with building.

    :param folder: For checkpoints, candidates, pairs and the folder `model`.
    :param data: The file of claims, see `evaluation.data.formats.refuted_claims`.
    :param settings: Say which verifier and reader judge; no chat model is asked.
    :param base: Folder or name of the base model; None: the recipe's.
    :returns: The folder `model`.
    :raises InputError: If the file is wrong, or nothing in it can be learned from.
    :raises NotFoundError: If file or base model are not there.
    :raises ConfigError: If the folder was begun with something else.
    """
    claims = read_refuted_claims(data)
    place = find_base(base or recipe.base, settings.data_dir)
    resources = Resources(settings.model_copy(update={"generator": GeneratorKind.EXTRACTIVE}))
    made, judge = make_lessons(claims, resources, compose=recipe.compose)
    for note in made.notes:
        say(note)
    prompt = load_prompt(PROMPT)
    origin = Origin(
        recipe=recipe,
        base=base_hash(place),
        data=file_hash(data),
        prompt=f"{prompt.name} {prompt.version} {prompt.hash[:12]}",
        judges=resources.model_identities(),
    )
    return build_adapter(origin, made.lessons, judge, folder, base=place, notes=made.notes, minutes=minutes, say=say)
