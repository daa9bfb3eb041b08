"""What went wrong between Looksy and a model server, in words for a person and for a machine."""

import re

from core.errors import GeneratorError

RETRIED = frozenset({"connection", "rate_limited", "server_error"})
"""Reasons that may be gone a moment later. A time-out is not one of them: its time is used up."""
CONTEXT_FULL = "context_full"
"""Reason: what was asked is longer than the model's context."""
FIRST_PAUSE_S = 0.25

_HTTP_REDIRECTS = range(300, 400)
_HTTP_TOO_MANY = 429
_HTTP_SERVER_ERROR = 500
SERVER = "the model server"
"""Stands for its address, which is for the log: messages reach the readers of answers."""
_OVERFLOW = re.compile(r"exceed_context|context_length_exceeded|context\s+(?:size|length|window)")
_SHOWN = 200
_SEE_LOG = "Look at its log."
_BE_SERVER = "The address must be that of an OpenAI-compatible server and end in /v1."


def failure_of(error: BaseException, *, timeout_s: float, midway: bool = False) -> GeneratorError:
    """
    Turn an error of the client, its transport or its parser into ours.

    :param midway: The server had begun to answer.
    """
    name = type(error).__name__
    if isinstance(error, GeneratorError):
        return error
    if "Timeout" in name:
        return GeneratorError(
            f"{SERVER} did not finish its reply within {timeout_s:g} s",
            reason="timeout",
            field="generator_timeout",
            hint="Raise LOOKSY_GENERATOR_TIMEOUT, or look at the server's load.",
        )
    status = getattr(error, "status_code", None)
    if status in _HTTP_REDIRECTS:
        return _of_redirect(error)
    if isinstance(status, int):
        return _of_status(status, str(error)[:_SHOWN])
    if "Connect" in name and not midway:
        return GeneratorError(
            f"{SERVER} cannot be reached: {_cause(error)}",
            reason="connection",
            field="generator_url",
            hint="Start the model server, or mend LOOKSY_GENERATOR_URL.",
        )
    return _of_broken_reply(error, name)


def no_stream(content_type: str) -> GeneratorError:
    """
    Say that a server answered 200 and sent no chat completion.

    :param content_type: Of what it sent; empty: it does not say.
    """
    return GeneratorError(
        f"{SERVER} sent no chat completion but {content_type[:_SHOWN] or 'something without a content type'}",
        reason="bad_reply",
        field="generator_url",
        hint=f"{_BE_SERVER} If it is, look at its log.",
    )


def pause_before_retry(error: BaseException, *, attempt: int) -> float:
    """
    Return the seconds to wait: what the server's Retry-After says, else a pause that doubles.

    :param attempt: 0 after the first try.
    """
    try:
        return max(0.0, float(_header(error, "retry-after")))
    except ValueError:
        return float(FIRST_PAUSE_S * 2**attempt)


def _of_broken_reply(error: BaseException, name: str) -> GeneratorError:
    if name in {
        "APIConnectionError",
        "RemoteProtocolError",
        "ReadError",
        "StreamClosed",
        "StreamConsumed",
        "CloseError",
    }:
        return GeneratorError(f"{SERVER} broke off its reply: {error}"[:_SHOWN], reason="truncated", hint=_SEE_LOG)
    if name == "APIError":
        message = f"{SERVER} reported an error in its reply: {error}"[:_SHOWN]
        return GeneratorError(message, reason="server_error", hint=_SEE_LOG)
    return GeneratorError(
        f"{SERVER} sent something that is not a chat completion: {name}: {error}"[:_SHOWN],
        reason="bad_reply",
        field="generator_url",
        hint=_BE_SERVER,
    )


def _header(error: BaseException, name: str) -> str:
    """Return a header of the answer that an error is of; empty: there is none."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    return str(headers.get(name, ""))


def _of_redirect(error: BaseException) -> GeneratorError:
    return GeneratorError(
        f"{SERVER} sends requests on to {_header(error, 'location') or 'nowhere'}"[:_SHOWN],
        reason="refused",
        field="generator_url",
        hint="Nothing was sent there. Set LOOKSY_GENERATOR_URL to the address that answers.",
    )


def _of_status(status: int, text: str) -> GeneratorError:
    if status == _HTTP_TOO_MANY:
        return GeneratorError(
            f"{SERVER} answers 429: too many requests",
            reason="rate_limited",
            field="generator_in_flight",
            hint="Lower LOOKSY_GENERATOR_IN_FLIGHT, or try again later.",
        )
    if status >= _HTTP_SERVER_ERROR:
        return GeneratorError(f"{SERVER} answers {status}: {text}", reason="server_error", hint=_SEE_LOG)
    if _OVERFLOW.search(text):
        return GeneratorError(
            f"{SERVER} answers {status}: what it was asked is longer than its context: {text}",
            reason=CONTEXT_FULL,
            field="generator_context_tokens",
            hint="Set LOOKSY_GENERATOR_CONTEXT_TOKENS to the context of the server.",
        )
    return GeneratorError(
        f"{SERVER} answers {status}: {text}",
        reason="refused",
        field="generator_model",
        hint="Check LOOKSY_GENERATOR_URL, LOOKSY_GENERATOR_MODEL and LOOKSY_GENERATOR_API_KEY.",
    )


def _cause(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error)[:_SHOWN]
