"""What all stages of one build share."""

from dataclasses import dataclass
from pathlib import Path

from training.chat.kinds import Tokenizer
from training.chat.lesson import Say
from training.chat.recipe import LoraRecipe
from training.chat.stopping import Deadline


@dataclass(frozen=True)
class Setting:
    """One build."""

    recipe: LoraRecipe
    base: Path
    """Folder of the chat model."""
    tokenizer: Tokenizer
    deadline: Deadline
    say: Say
