"""Tokens of a text: counted with the model's own tokenizer where it is at hand, else estimated from above."""

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

from haystack import default_to_dict
from tokenizers import Tokenizer

from core.errors import ModelError

CHARS_PER_TOKEN = 3
"""Of English text in Latin letters; Llama-family tokenizers take 3.8 to 4.5."""
TOKENS_PER_MESSAGE = 8
"""Room for the chat template around one message."""


def estimate_tokens(text: str) -> int:
    """
    Estimate from above: a third of the ASCII letters and digits, and one token for each other byte that is not a blank.

    Byte-level fallback, the worst case of a SentencePiece tokenizer, takes one token a byte.
    """
    plain = sum(character.isascii() and (character.isalnum() or character == " ") for character in text)
    rest = sum(len(character.encode("utf-8", "replace")) for character in text if not character.isascii())
    marks = sum(character.isascii() and not (character.isalnum() or character == " ") for character in text)
    return math.ceil(plain / CHARS_PER_TOKEN) + rest + marks


def tokenizer_file(model: str, *, data_dir: Path) -> Path | None:
    """
    Find the tokenizer of a model: in the model's folder, or in `<data_dir>/models/<name>`.

    :param model: A folder, or a name such as `lmsys/vicuna-7b-v1.5`.
    :returns: None if neither has a `tokenizer.json`.
    """
    for folder in (Path(model), data_dir / "models" / model.replace("/", "--")):
        if (folder / "tokenizer.json").is_file():
            return folder / "tokenizer.json"
    return None


class TokenCounter:
    """
    Counts tokens.

    :param file: A `tokenizer.json`; None: tokens are estimated.
    """

    def __init__(self, file: Path | str | None = None) -> None:
        self.file = Path(file) if file is not None else None

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments as Haystack writes them into a pipeline file."""
        return default_to_dict(self, file=str(self.file) if self.file else None)

    @property
    def is_exact(self) -> bool:
        """Say whether a tokenizer counts."""
        return self.file is not None

    def count(self, text: str) -> int:
        """Count the tokens of a text, special tokens left out."""
        if self.file is None:
            return estimate_tokens(text)
        return len(_load(self.file).encode(text, add_special_tokens=False).ids)


@lru_cache(maxsize=4)
def _load(file: Path) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises bare Exception
        raise ModelError(
            f"{file} is not a tokenizer: {error}", field="generator_model", hint="Fetch it again."
        ) from error
    tokenizer.no_truncation()  # both would count something else than the text
    tokenizer.no_padding()
    return tokenizer
