"""What every generator promises."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from core.types import Model

Message = dict[str, str]
"""`role` (system, user, assistant) and `content`."""
OnToken = Callable[[str], None]
"""Receives the reply piece by piece, in the thread that works. Raising `CancelledError` from it ends the request."""


def ignore_token(piece: str) -> None:
    """Drop the piece."""


class TokenAlternative(Model):
    """One token that could have stood at a place, and how likely the model held it."""

    token: str
    logprob: float


class Reply(Model):
    """What a model wrote."""

    text: str
    """As it came; not blank."""
    model: str
    """As the server names it."""
    generator: str
    """Name of the generator that wrote it."""
    cut_off: bool = False
    """The reply reached the longest length allowed."""
    tokens_in: int | None = None
    """None: the server does not say."""
    tokens_out: int | None = None
    first_token: tuple[TokenAlternative, ...] = ()
    """Likeliest tokens at the first place; empty where they were not asked for, or the server does not give them."""


class Generator(Protocol):
    """
    A chat model.

    Safe to call from several threads. Constructors touch neither network nor disk.
    """

    @property
    def name(self) -> str:
        """Name kind and model, for the run record: `openai:lmsys/vicuna-7b-v1.5`."""
        ...

    @property
    def identity(self) -> str:
        """Name the weights as closely as can be known: a file's hash, or the name alone."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        seed: int,
        temperature: float = 0.0,
        want_logprobs: bool = False,
        on_token: OnToken = ignore_token,
        schema: dict[str, Any] | None = None,
    ) -> Reply:
        """
        Let the model reply.

        :param schema: JSON schema that the reply shall have; one who cannot ask for it leaves it out.

        :raises GeneratorError: If there is no usable reply; `reason` says why.
        :raises CancelledError: If `on_token` raised it.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """Count, or estimate from above, the tokens of a text."""
        ...

    @property
    def counts_exactly(self) -> bool:
        """Say whether `count_tokens` is the model's own tokenizer."""
        ...

    def warm_up(self) -> None:
        """Load what is needed; calling it again does nothing."""
        ...

    def close(self) -> None:
        """Give back connections and memory; closing twice is harmless."""
        ...
