"""A reply of an OpenAI-compatible server while it comes in, chunk by chunk. What a server sends is checked here."""

import math
from typing import TYPE_CHECKING, Any

from core.errors import GeneratorError
from pipelines.contracts.generator import Reply, TokenAlternative
from pipelines.generation.server_failures import SERVER

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionChunk

MAX_REPLY_CHARS = 40_000
"""A longer reply is a model that has lost its way."""
_BROKEN_OFF = frozenset({"abort", "content_filter", "error"})
"""Why servers end a reply before the model does, its longest length aside."""
_SEE_LOG = "Look at the model server's log."


class Collected:
    """
    A reply while it comes in.

    :param generator: Name of the generator that asked.
    :param model: As it was asked for; a server may name it otherwise.
    """

    def __init__(self, generator: str, model: str) -> None:
        self.generator = generator
        self.model = model
        self.pieces: list[str] = []
        self.has_begun = False
        self.length = 0
        self.finish: str | None = None
        self.tokens: tuple[int | None, int | None] = (None, None)
        self.first_token: tuple[TokenAlternative, ...] | None = None
        self._half = ""

    def add(self, chunk: "ChatCompletionChunk") -> str:
        """
        Take in one chunk; return the text it brought. Half a character at its end waits for the next.

        :raises TypeError: If it brings something else than text.
        """
        self.has_begun = True
        self.model = chunk.model or self.model
        if chunk.usage is not None:
            self.tokens = (chunk.usage.prompt_tokens, chunk.usage.completion_tokens)
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        self.finish = choice.finish_reason or self.finish
        if self.first_token is None and choice.logprobs is not None and choice.logprobs.content:
            self.first_token = _alternatives(choice.logprobs.content[0].top_logprobs)
        content: object = choice.delta.content if choice.delta is not None else None
        if content is not None and not isinstance(content, str):
            raise TypeError(f"content is {type(content).__name__}, not text")
        piece = self._half + (content or "")
        self._half = piece[-1:] if "\ud800" <= piece[-1:] <= "\udbff" else ""
        piece = _whole(piece.removesuffix(self._half))
        self.pieces.append(piece)
        self.length += len(piece)
        if self.length > MAX_REPLY_CHARS:
            raise GeneratorError(
                f"the model wrote more than {MAX_REPLY_CHARS} characters",
                reason="runaway",
                field="generator_max_tokens",
                hint="Check the model's chat template and stop tokens.",
            )
        return piece

    def reply(self) -> Reply:
        """Return the whole reply, if it is whole and says something."""
        text = "".join(self.pieces) + _whole(self._half)
        if self.finish is None or self.finish in _BROKEN_OFF:
            cause = f" ({self.finish})" if self.finish else ""
            message = f"the reply of {SERVER} broke off after {self.length} characters{cause}"
            raise GeneratorError(message, reason="truncated", hint=_SEE_LOG)
        if not text.strip():
            raise GeneratorError(f"the reply of {SERVER} is empty", reason="empty", hint=_SEE_LOG)
        return Reply(
            text=text,
            model=_whole(self.model),
            generator=self.generator,
            cut_off=self.finish == "length",
            tokens_in=self.tokens[0],
            tokens_out=self.tokens[1],
            first_token=self.first_token or (),
        )


def _alternatives(top: Any) -> tuple[TokenAlternative, ...]:
    """Return the likeliest tokens; none where one has no number (`null`), since the others' shares would be wrong."""
    alternatives = tuple(top or ())
    numbers = [getattr(one, "logprob", None) for one in alternatives]
    if not all(isinstance(number, int | float) and -math.inf < number < math.inf for number in numbers):
        return ()
    return tuple(TokenAlternative(token=_whole(one.token), logprob=one.logprob) for one in alternatives)


def _whole(text: str) -> str:
    """Return a text with halves of a character joined, and a replacement for each that stands alone."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
