"""What all stages of one build share."""

from dataclasses import dataclass
from pathlib import Path

from models.training.tuning.kinds import Tokenizer
from models.training.tuning.lesson import Say
from models.training.tuning.recipe import LoraRecipe
from models.training.tuning.stopping import Deadline


@dataclass(frozen=True)
class Setting:
    """One build."""

    recipe: LoraRecipe
    base: Path
    """Folder of the chat model."""
    tokenizer: Tokenizer
    deadline: Deadline
    say: Say
