"""One question to a generator, with everything about it that a run record keeps."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import GeneratorError
from core.settings import Settings
from core.types import Failure, ModelCall
from pipelines.contracts.generator import Generator, OnToken, Reply, TokenAlternative, ignore_token
from pipelines.generation.prompts import Prompt
from pipelines.generation.reasoning import spoken
from pipelines.generation.token_count import TOKENS_PER_MESSAGE
from pipelines.runs.context import current_replies, log_call, note_silence, silence_of

_MILLISECONDS = 1000.0
_TIME_IS_UP = frozenset({"timeout", "busy"})


@dataclass(frozen=True)
class Asked:
    """What came of it."""

    call: ModelCall
    reply: Reply | None
    """Without the thoughts of a model that reasons, which `call` has; None: there is none that can be used."""
    error: GeneratorError | None

    @property
    def text(self) -> str:
        """What the model said; empty: nothing."""
        return self.reply.text if self.reply else ""

    @property
    def first_token(self) -> dict[str, float]:
        """Likeliest first tokens of what the model said, with their log-probabilities; empty: they are not known."""
        return _likeliest(self.reply)


def ask(
    generator: Generator,
    prompt: Prompt,
    values: Mapping[str, str],
    *,
    purpose: str,
    settings: Settings,
    want_logprobs: bool = False,
    on_token: OnToken = ignore_token,
    longer: int = 1,
) -> Asked:
    """
    Fill in a prompt and ask; a failure of the generator is returned, not raised. The call goes to the log.

    A generator that let its time run out is not asked again in the same run, which would wait as long for each call.

    :param longer: Times the usual longest reply.
    :raises CancelledError: If `on_token` raised it.
    """
    messages = prompt.messages(values)
    recorded = current_replies()
    if recorded is not None:
        call = recorded.take(purpose, generator.name, messages)
        log_call(call)
        return _asked_before(call)
    started = time.perf_counter()
    reply: Reply | None = None
    said: Reply | None = None
    error: GeneratorError | None = None
    try:
        if (silence := silence_of(generator)) is not None:
            raise _not_again(silence)
        reply = generator.complete(
            messages,
            max_tokens=longest_reply(prompt, settings) * longer,
            seed=settings.generator_seed,
            temperature=settings.generator_temperature,
            want_logprobs=want_logprobs,
            on_token=on_token,
            schema=prompt.reply_schema,
        )
        said = spoken(reply)
    except GeneratorError as raised:
        error = raised
        if error.reason in _TIME_IS_UP:
            note_silence(generator, error)
    call = ModelCall(
        purpose=purpose,
        generator=generator.name,
        model=reply.model if reply else None,
        prompt_name=prompt.name,
        prompt_version=prompt.version,
        prompt_hash=prompt.hash,
        messages=messages,
        reply=reply.text if reply else None,
        cut_off=reply.cut_off if reply else False,
        first_token=_likeliest(reply),
        failure=failure(error) if error else None,
        tokens_in=reply.tokens_in if reply else None,
        tokens_out=reply.tokens_out if reply else None,
        seed=settings.generator_seed,
        duration_ms=(time.perf_counter() - started) * _MILLISECONDS,
    )
    log_call(call)
    return Asked(call=call, reply=said, error=error)


def _likeliest(reply: Reply | None) -> dict[str, float]:
    return {one.token: one.logprob for one in reply.first_token} if reply else {}


def _not_again(silence: GeneratorError) -> GeneratorError:
    message = f"{silence.message}; it was not asked again"
    return GeneratorError(message, reason=silence.reason, field=silence.field, hint=silence.hint)


def _asked_before(call: ModelCall) -> Asked:
    """Make of a recorded call what came of it then."""
    if call.reply is None:
        fault = call.failure
        reason = fault.code.rpartition(".")[2] if fault else "empty"
        message = fault.message if fault else "there was no reply"
        hint = fault.hint if fault else None
        return Asked(call=call, reply=None, error=GeneratorError(message, reason=reason, hint=hint))
    reply = Reply(
        text=call.reply,
        model=call.model or "",
        generator=call.generator,
        cut_off=call.cut_off,
        tokens_in=call.tokens_in,
        tokens_out=call.tokens_out,
        first_token=tuple(TokenAlternative(token=token, logprob=value) for token, value in call.first_token.items()),
    )
    try:
        return Asked(call=call, reply=spoken(reply), error=None)
    except GeneratorError as error:
        return Asked(call=call, reply=None, error=error)


def failure(error: GeneratorError) -> Failure:
    """Return an error of a generator as a record keeps it; the code carries the reason."""
    return Failure(code=f"{error.code}.{error.reason}", message=error.message, field=error.field, hint=error.hint)


def room_for_evidence(generator: Generator, prompt: Prompt, values: Mapping[str, str], *, settings: Settings) -> int:
    """
    Return the tokens that are left for the evidence: context length, less the reply, less the rest of the prompt.

    :param values: The prompt's variables, the evidence empty.
    """
    messages = prompt.messages(values)
    used = sum(generator.count_tokens(message["content"]) + TOKENS_PER_MESSAGE for message in messages)
    return context_tokens(generator, settings) - longest_reply(prompt, settings) - used


def longest_reply(prompt: Prompt, settings: Settings) -> int:
    """Return the longest useful reply in tokens: the prompt's own, else the settings'."""
    return prompt.max_tokens or settings.generator_max_tokens


def context_tokens(generator: Generator, settings: Settings) -> int:
    """Return the context of a model in tokens: as it says itself, else as the settings say."""
    return getattr(generator, "context_tokens", None) or settings.generator_context_tokens
