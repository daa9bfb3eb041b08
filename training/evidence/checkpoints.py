"""Training as it stands, on disk: written whole or not at all."""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from core.errors import ModelError
from core.files import replacing
from training.evidence.sampler import Place


@dataclass
class State:
    """All that a run needs to go on as if it had never stopped."""

    weights: dict[str, Tensor]
    averaged: dict[str, Tensor]
    optimizer: dict[str, Any]
    random: Tensor
    step: int = 0
    place: Place = field(default_factory=Place)
    cool_at: int | None = None
    """Step from which on the rate falls, if the recipe's own fall would end too late."""
    cooling: int | None = None
    """Steps of falling, in that case."""
    recipe: str = ""
    """Hash of the recipe."""
    started: str = ""
    """SHA-256 of the weights that training began with; empty: not noted."""


def save_state(state: State, file: Path) -> None:
    """Write a state; a reader sees the old file or the new one, also after a power cut."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as part:
        torch.save({**vars(state), "place": asdict(state.place)}, part)


def load_state(file: Path) -> State:
    """
    Read a state.

    :raises ModelError: If the file is none.
    """
    try:
        values = torch.load(file, map_location="cpu", weights_only=True)
        return State(**{**values, "place": Place(**values["place"])})
    except Exception as error:  # torch raises what pickle, zip and the tensors raise
        raise ModelError(
            f"{file} is not a checkpoint: {error}", field="out", hint="Remove it, or build into another folder."
        ) from error
