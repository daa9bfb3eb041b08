"""A verifier that asks a chat model what a premise does to a statement."""

import json
import re
from collections.abc import Sequence
from typing import Any

from haystack import default_to_dict

from core.errors import GeneratorError
from core.settings import Settings
from models.calibration import UNFITTED, VerdictThresholds
from pipelines.contracts.generator import Generator
from pipelines.contracts.verifier import Judgement
from pipelines.generation.ask_model import ask
from pipelines.generation.prompts import load_prompt
from pipelines.injection.sanitise import as_data

METHOD = "chat-label/1, uncalibrated"
SURE = 0.8
"""Probability given to the label that the model names: a word has no probability of its own."""
LABELS = ("supports", "refutes", "neither")
_OBJECT = re.compile(r"\{[^{}]*\}")
_SAID = re.compile(
    r"\W*(?:(?:the\s+)?(?:label|answer)(?:\s+is)?\W+|(?:it|(?:the|this)\s+quote)\s+)?(supports|refutes|neither)"
    r"(?:\s+(?:it|(?:the|this)\s+statement))?(?=[.,;:!\n]|\W*$)",
    re.IGNORECASE,
)
"""A label that a reply begins with. Further in, one may be denied: "Nothing in the quote supports the statement"."""


class ChatLabelVerifier:
    """
    Judge with a chat model, one pair a request.

    :param generator: The chat model.
    :param settings: Seed, temperature and longest reply.
    """

    def __init__(self, generator: Generator, settings: Settings) -> None:
        self._generator = generator
        self._settings = settings

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments as Haystack writes them into a pipeline file."""
        return default_to_dict(self, generator=self._generator, settings=self._settings)

    @property
    def identity(self) -> str:
        """Return the generator's name and the prompt's hash."""
        return f"{self._generator.name}@{load_prompt('label').hash[:12]}"

    @property
    def method(self) -> str:
        """Say that nothing was calibrated."""
        return METHOD

    @property
    def thresholds(self) -> VerdictThresholds:
        """Return those for what nothing was fitted for."""
        return UNFITTED

    def reads_whole(self, statement: str) -> bool:
        """Say yes: what a request holds is never cut."""
        return True

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """
        Judge (statement, premise) pairs.

        :raises GeneratorError: If the model does not reply, or its reply names no label.
        """
        return [self._judge(statement, premise) for statement, premise in pairs]

    def _judge(self, statement: str, premise: str) -> Judgement:
        values = {"statement": as_data(statement), "quote": as_data(premise)}
        asked = ask(self._generator, load_prompt("label"), values, purpose="label", settings=self._settings)
        if asked.error is not None:
            raise asked.error
        label = read_label(asked.text)
        if label is None:
            raise GeneratorError(
                f"{self._generator.name} was asked for a label and replied {asked.text[:60]!r}",
                reason="bad_reply",
                hint="Use a model that follows instructions, or the shipped verifier.",
            )
        rest = (1.0 - SURE) / 2
        return Judgement(**{name: SURE if name == label else rest for name in LABELS})


def read_label(text: str) -> str | None:
    """
    Read a label from a reply: a JSON object with `label`, or the label that the reply begins with.

    :returns: None if there is none, or more than one.
    """
    found = {label for match in _OBJECT.finditer(text) if (label := _label_of(match.group())) in LABELS}
    if found:
        return found.pop() if len(found) == 1 else None
    said = _SAID.match(text)
    return said.group(1).lower() if said else None


def _label_of(text: str) -> str:
    try:
        return str(json.loads(text).get("label"))
    except (ValueError, RecursionError):  # no JSON, a number too long, or lists too deep
        return ""
