"""What a model that reasons says in the end: some servers send its thoughts before it, between `<think>` tags."""

import re

from core.errors import GeneratorError
from pipelines.contracts.generator import Reply

_TAG = r"(?:think|thinking|thought|reasoning)"
_THOUGHTS = re.compile(rf"^.*</{_TAG}>", re.DOTALL | re.IGNORECASE)
"""Up to the last end; their beginning may stand in the model's own template."""
_BEGUN = re.compile(rf"^\s*<{_TAG}>", re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """Return what stands behind the thoughts of a reply; all of it where it has none; empty: it holds nothing else."""
    said = _THOUGHTS.sub("", text)
    return "" if _BEGUN.match(said) else said


def spoken(reply: Reply) -> Reply:
    """
    Return a reply without thoughts; one that has none, as it is.

    :raises GeneratorError: If it holds nothing else.
    """
    said = without_thoughts(reply.text)
    if not said.strip():
        raise GeneratorError(
            "the model's reply ended within its thoughts",
            reason="empty",
            field="generator_max_tokens",
            hint="Raise LOOKSY_GENERATOR_MAX_TOKENS, or have the server leave thoughts out.",
        )
    # the first token was a thought
    return reply if said == reply.text else reply.model_copy(update={"text": said, "first_token": ()})
