"""From a recipe to a model folder: read the data, train, export, check, write down."""

import time
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor

from core.errors import ConfigError
from core.paths import MODELS
from models.hashes import file_hash
from models.onnx_runtime import load_tokenizer
from models.registry import SUMS
from training.evidence.card import write_card
from training.evidence.device import keep_memory
from training.evidence.export import check_parity, export_network
from training.evidence.mixture import make_stream
from training.evidence.network import EvidenceNetwork, load_base, load_trained, round_words, save_trained
from training.evidence.sampler import Place, Stream
from training.evidence.tensors import make_batch
from training.evidence.trainer import Trainer, Validate, no_figures
from training.evidence.validation import MirrorValidation
from training.files import TOKENIZER, require_hash, write_sums
from training.quantisation.onnx_files import SMALL
from training.recipe import Recipe
from training.record import BUILD, SCORES, BuildRecord, Parity

SHIPPED_TOKENIZER = MODELS / "all-minilm-l6-v2" / TOKENIZER
WEIGHTS = "weights.safetensors"
_PARITY_BATCHES, _SHOWN_BATCHES = 4, 16
"""For the comparison of the graphs, and to make the 8-bit one."""
Say = Callable[[str], None]


def build_evidence(
    recipe: Recipe,
    folder: Path,
    *,
    data: Path,
    base: Path,
    weights: Path | None = None,
    mean_with: Path | None = None,
    tokenizer: Path | None = None,
    minutes: float = 0,
    say: Say = lambda line: None,
) -> Path:
    """
    Build a model, or go on with building it.

    :param folder: For checkpoints, the curve and the folder `model`.
    :param data: The data root.
    :param base: `model.safetensors` of the base model.
    :param weights: `weights.safetensors` of an earlier build; None: train from the base model.
    :param mean_with: Weights for the recipe's `mean_sha256`.
    :param tokenizer: `tokenizer.json`; None: the base model's own if the recipe names its hash, else the shipped one.
    :param minutes: To spend; 0: as long as the recipe's steps take.
    :returns: The folder with `model.onnx`, `tokenizer.json`, `weights.safetensors`, `SHA256SUMS` and `CARD.md`.
    :raises ConfigError: If base or weights are not the recipe's, or not those that the build was begun with.
    """
    _require_mean(recipe, mean_with)
    begun = time.monotonic()
    keep_memory()
    tokenizer = tokenizer or base_tokenizer(recipe, base)
    network = start_network(recipe, base=base, weights=weights, say=say)
    started_from = None if weights is None else file_hash(weights)
    words = load_tokenizer(tokenizer)
    stream = make_stream(recipe, data, words, say=say)
    validate: Validate = no_figures
    if recipe.validation:
        validate = MirrorValidation(data, recipe.validation, words)
    rest = _cloned(network)
    started = started_from or recipe.start.base_sha256
    trainer = Trainer(network, stream, recipe, folder, validate=validate, minutes=minutes, started=started, say=say)
    averaged = trainer.train()
    if mean_with is not None:
        load_trained(network, mean_with)
        rest = _cloned(network)
    network.load_state_dict(blended(rest, averaged, recipe.start.trained_share), strict=False)
    trainer.curve.plot()
    target = folder / "model"
    parity = write_files(network, recipe, target, stream=stream, tokenizer=tokenizer)
    record = BuildRecord(
        recipe=recipe,
        steps=trainer.state.step,
        minutes=(time.monotonic() - begun) / 60,
        device=trainer.device,
        bfloat16=trainer.half,
        torch=torch.__version__,
        started_from=started_from,
        parity=parity,
        validation=trainer.curve.last("dev "),
    )
    (target / BUILD).write_text(record.model_dump_json(indent=2) + "\n", encoding="utf-8")
    write_card(target)
    say(f"{target}: {trainer.state.step} steps, int8 gives the same relation on {parity.int8_agrees:.1%} of rows")
    return target


def base_tokenizer(recipe: Recipe, base: Path) -> Path:
    """
    Return the tokenizer that belongs to the base model.

    :param base: `model.safetensors` of the base model.
    :raises ConfigError: If the file beside it is not the one that the recipe names.
    """
    if recipe.start.tokenizer_sha256 is None:
        return SHIPPED_TOKENIZER
    require_hash(base.with_name(TOKENIZER), recipe.start.tokenizer_sha256, field="base")
    return base.with_name(TOKENIZER)


def start_network(recipe: Recipe, *, base: Path, weights: Path | None, say: Say = lambda line: None) -> EvidenceNetwork:
    """
    Make the network with the weights that training begins with.

    :raises ConfigError: If a file is not the one that the recipe names.
    """
    torch.manual_seed(recipe.seed)
    network = EvidenceNetwork(recipe.encoder, dropout=recipe.dropout)
    require_hash(base, recipe.start.base_sha256, field="base")
    load_base(network, base)
    round_words(network, recipe.encoder.word_bits)
    if weights is not None:
        if recipe.start.weights_sha256 is not None:
            require_hash(weights, recipe.start.weights_sha256, field="weights")
        load_trained(network, weights)
    elif recipe.start.weights_sha256 is not None:
        say("no --weights given: training starts from the base model, not from the recipe's earlier build")
    return network


def _require_mean(recipe: Recipe, mean_with: Path | None) -> None:
    wanted = recipe.start.mean_sha256
    if mean_with is not None and wanted is not None:
        require_hash(mean_with, wanted, field="mean_with")
    elif (mean_with is None) != (wanted is None):
        raise ConfigError(
            f"{recipe.name} {'exports a mean with other weights' if wanted else 'exports no mean with other weights'}",
            field="mean_with",
            hint=f"Give the file of SHA-256 {wanted} with --mean-with." if wanted else "Leave --mean-with out.",
        )


def _cloned(network: EvidenceNetwork) -> dict[str, Tensor]:
    return {name: value.clone() for name, value in network.state_dict().items()}


def blended(first: Mapping[str, Tensor], trained: Mapping[str, Tensor], share: float) -> dict[str, Tensor]:
    """
    Mix weights of the same names.

    :param share: Of the trained ones, 0 to 1.
    """
    return {name: first[name].to(value).lerp(value, share) for name, value in trained.items()}


def write_files(network: EvidenceNetwork, recipe: Recipe, target: Path, *, stream: Stream, tokenizer: Path) -> Parity:
    """Write graphs, tokenizer, weights and hashes, and compare the graphs with the network."""
    batches = [make_batch(groups) for groups, _ in islice(stream.batches(Place()), _PARITY_BATCHES + _SHOWN_BATCHES)]
    export_network(network, recipe.encoder, target, tokenizer=tokenizer, batches=batches[_PARITY_BATCHES:])
    save_trained(network.state_dict(), target / WEIGHTS)
    parity = check_parity(network, recipe.encoder, target, batches[:_PARITY_BATCHES])
    _forget_scores(target)
    write_sums(target, (SMALL, TOKENIZER))
    return parity


def _forget_scores(target: Path) -> None:
    """Remove the figures of a model that was in a folder before, unless it is the same."""
    sums = target / SUMS
    before = sums.read_text(encoding="utf-8") if sums.is_file() else ""
    if file_hash(target / SMALL) not in before:
        (target / SCORES).unlink(missing_ok=True)
