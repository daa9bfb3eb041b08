"""The recipe's data, read and turned into rows."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from core.errors import ConfigError
from training.data.examples import Group
from training.data.sources.contexts import context_groups
from training.data.sources.contrast_sets import grid_groups
from training.data.sources.counterfactual_passages import mirror_groups
from training.data.sources.minimal_pairs import twin_groups
from training.data.sources.near_copies import near_copy_groups
from training.data.sources.questions import squad_groups, written_groups
from training.data.sources.sentences import sentence_groups
from training.data.sources.statements import statement_groups
from training.data.sources.swaps import swap_groups
from training.evidence.encode import RowGroup, encode_groups
from training.evidence.sampler import Stream
from training.recipe import Recipe, Source

_LOADERS: dict[str, Callable[..., list[Group]]] = {
    "statements": statement_groups,
    "mirrors": mirror_groups,
    "contexts": context_groups,
    "swaps": swap_groups,
    "sentences": sentence_groups,
    "written": written_groups,
    "twins": twin_groups,
    "grids": grid_groups,
    "near_copies": near_copy_groups,
}


def read_groups(source: Source, root: Path) -> list[Group]:
    """
    Read one source.

    :raises ConfigError: If its options are not its loader's, or nothing is left of it.
    """
    options: dict[str, Any] = dict(source.options)
    try:
        if source.kind == "squad":
            groups = [group for name in source.packs for group in squad_groups(root, name, **options)]
        else:
            groups = _LOADERS[source.kind](root, source.packs, **options)
    except TypeError as error:
        raise ConfigError(f"source {source.kind} takes no such options: {error}", field="sources") from error
    if not groups:
        raise ConfigError(f"nothing is left of source {source.kind} ({', '.join(source.packs)})", field="sources")
    return groups


def make_stream(
    recipe: Recipe, root: Path, tokenizer: Tokenizer, *, say: Callable[[str], None] = lambda line: None
) -> Stream:
    """Read all sources of a recipe."""
    sources: dict[str, Sequence[RowGroup]] = {}
    draws: dict[str, int] = {}
    for index, source in enumerate(recipe.sources):
        name = f"{index} {source.kind} {' '.join(source.packs)}"
        sources[name] = encode_groups(tokenizer, read_groups(source, root), max_tokens=recipe.max_tokens)
        draws[name] = source.rows
        say(f"{name}: {len(sources[name])} groups, {source.rows} a round")
    return Stream(sources, draws, tokens=recipe.tokens_per_batch, seed=recipe.seed)
