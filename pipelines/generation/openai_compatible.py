"""
A chat model on any server that speaks OpenAI's chat completions: vLLM, llama.cpp, Ollama, hosted ones.

On the `openai` client rather than on Haystack's chat generators, which keep the connection of an abandoned stream open
and take a stream that broke off for a whole reply.
"""

import json
import logging
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from haystack import default_to_dict
from haystack.utils import Secret
from pydantic import ValidationError

from core.errors import ConfigError, GeneratorError
from pipelines.contracts.generator import Message, OnToken, Reply, ignore_token
from pipelines.generation.reply_stream import Collected
from pipelines.generation.server_failures import RETRIED, SERVER, failure_of, no_stream, pause_before_retry
from pipelines.generation.token_count import TokenCounter

if TYPE_CHECKING:
    from openai import OpenAI, Stream
    from openai.types.chat import ChatCompletionChunk

logger = logging.getLogger(__name__)

_NO_KEY = "none"  # the client insists on one; local servers ignore it
_ALTERNATIVES = 10
_STREAM = "text/event-stream"


class OpenAICompatibleGenerator:
    """
    Asks one model on one server.

    :param url: Base URL, ending in /v1.
    :param model: Name of the model on that server.
    :param api_key: None: the server asks for none. As a `Secret` it is read when the server is first asked.
    :param key_variable: The environment variable that the key came from. A pipeline file names it, never the key.
    :param timeout_s: For the whole reply, its retries included; also the longest silence.
    :param retries: Further tries after a 429, a 5xx or a refused connection, before the first token, with a pause that
        doubles and heeds Retry-After.
    :param in_flight: Requests at one time; more wait their turn within their time-out.
    :param counter: Counts tokens; None: they are estimated.
    """

    def __init__(
        self,
        *,
        url: str | None,
        model: str | None,
        api_key: str | Secret | None = None,
        key_variable: str | None = None,
        timeout_s: float = 60.0,
        retries: int = 2,
        in_flight: int = 8,
        counter: TokenCounter | None = None,
    ) -> None:
        if not url or not _is_address(url):
            raise ConfigError(
                f"generator_url is {url!r}", field="generator_url", hint="Set LOOKSY_GENERATOR_URL=http://host:port/v1."
            )
        if not model:
            raise ConfigError(
                "generator_model is not set", field="generator_model", hint="Set LOOKSY_GENERATOR_MODEL to its name."
            )
        self.url = url
        self.model = model
        self.timeout_s = timeout_s
        self.retries = retries
        self.in_flight = in_flight
        self.key_variable = key_variable
        self._api_key = api_key
        self._counter = counter or TokenCounter()
        self._slots = threading.BoundedSemaphore(in_flight)
        self._lock = threading.Lock()
        self._client: OpenAI | None = None
        self._takes_schemas = True

    def to_dict(self) -> dict[str, Any]:
        """
        Return the constructor's arguments as Haystack writes them into a pipeline file; the key is named, not shown.

        :raises ValueError: If the key came from nowhere that can be named.
        """
        key = self._api_key
        if isinstance(key, str):
            key = Secret.from_env_var(self.key_variable) if self.key_variable else Secret.from_token(key)
        return default_to_dict(
            self,
            url=self.url,
            model=self.model,
            api_key=key,
            timeout_s=self.timeout_s,
            retries=self.retries,
            in_flight=self.in_flight,
            counter=self._counter,
        )

    @property
    def name(self) -> str:
        """Name kind and model."""
        return f"openai:{self.model}"

    @property
    def identity(self) -> str:
        """Name kind and model: a server does not say which weights it runs."""
        return self.name

    @property
    def counts_exactly(self) -> bool:
        """Say whether the model's own tokenizer counts."""
        return self._counter.is_exact

    def count_tokens(self, text: str) -> int:
        """Count, or estimate from above, the tokens of a text."""
        return self._counter.count(text)

    def warm_up(self) -> None:
        """Make the client; the server is not asked."""
        with self._lock:
            if self._client is None:
                from openai import DefaultHttpxClient, OpenAI

                http = DefaultHttpxClient(follow_redirects=False)  # no other address gets what was asked
                given = self._api_key
                key = (given.resolve_value() if isinstance(given, Secret) else given) or _NO_KEY
                self._client = OpenAI(base_url=self.url, api_key=key, max_retries=0, http_client=http)

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

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
        """Let the model reply; see the contract."""
        self.warm_up()  # loading the client is not the server's time
        deadline = time.monotonic() + self.timeout_s
        body: dict[str, Any] = {
            "model": self.model,
            "messages": list(messages),
            "max_tokens": max_tokens,
            "seed": seed,
            "temperature": temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if want_logprobs:
            body |= {"logprobs": True, "top_logprobs": _ALTERNATIVES}
        with self._slot():
            if schema is None or not self._takes_schemas:
                return self._ask(body, deadline=deadline, on_token=on_token)
            try:
                return self._ask(body | _form(schema), deadline=deadline, on_token=on_token)
            except GeneratorError as error:
                if error.reason != "refused":
                    raise
                reply = self._ask(body, deadline=deadline, on_token=on_token)
                self._takes_schemas = False  # the same without the schema is taken
                logger.info("the model server takes no schema", extra={"url": self.url})
                return reply

    @contextmanager
    def _slot(self) -> Iterator[None]:
        if not self._slots.acquire(timeout=self.timeout_s):
            raise GeneratorError(
                f"{self.in_flight} requests were with {SERVER} for {self.timeout_s:g} s",
                reason="busy",
                field="generator_in_flight",
                hint="Try again, or raise LOOKSY_GENERATOR_IN_FLIGHT.",
            )
        try:
            yield
        finally:
            self._slots.release()

    def _ask(self, body: dict[str, Any], *, deadline: float, on_token: OnToken) -> Reply:
        collected = Collected(self.name, self.model)
        errors = _client_errors()
        with self._open_stream(body, deadline=deadline, errors=errors) as stream, _cut_at(deadline, stream) as cut:
            chunks = iter(stream)
            while True:
                try:
                    chunk = next(chunks, None)
                    if chunk is None and not cut.is_set():
                        content_type = stream.response.headers.get("content-type", "")
                        if not collected.has_begun and not content_type.startswith(_STREAM):
                            raise no_stream(content_type)
                        return collected.reply()
                    piece = collected.add(chunk) if chunk is not None else ""
                except errors as error:
                    cause = TimeoutError() if cut.is_set() else error
                    raise failure_of(cause, timeout_s=self.timeout_s, midway=True) from error
                if cut.is_set():
                    raise failure_of(TimeoutError(), timeout_s=self.timeout_s)
                if piece:
                    on_token(piece)

    def _open_stream(
        self, body: dict[str, Any], *, deadline: float, errors: tuple[type[Exception], ...]
    ) -> "Stream[ChatCompletionChunk]":
        """Send the request until the server begins to answer, the tries are used up, or the time is."""
        client = self._client
        if client is None:
            raise GeneratorError("the generator was closed", reason="connection", field="generator_url")
        for attempt in range(self.retries + 1):
            try:
                left = max(deadline - time.monotonic(), 0.001)
                return client.chat.completions.create(**body, timeout=left)  # type: ignore[no-any-return]
            except errors as error:
                failure = failure_of(error, timeout_s=self.timeout_s)
                pause = pause_before_retry(error, attempt=attempt)
                last = attempt == self.retries or failure.reason not in RETRIED
                if last or time.monotonic() + pause > deadline:
                    logger.warning("the model server failed", extra={"url": self.url, "reason": failure.reason})
                    raise failure from error
                logger.info(
                    "trying the model server again", extra={"url": self.url, "reason": failure.reason, "pause_s": pause}
                )
                time.sleep(pause)
        raise AssertionError("unreachable: the last try returns or raises")


def _form(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a request that asks for a JSON object of a schema."""
    return {
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
    }


def _is_address(url: str) -> bool:
    """Say whether a URL has a host and, if any, a port that the client can use; it raises what nobody catches."""
    try:
        parts = urlsplit(url)
        return url.startswith(("http://", "https://")) and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


@contextmanager
def _cut_at(deadline: float, stream: "Stream[ChatCompletionChunk]") -> Iterator[threading.Event]:
    """
    End a stream at its deadline; the event is set then.

    The client's own time-out begins again with every byte, and it keeps comments to itself: a server that sends nothing
    else would hold it for ever.
    """
    cut = threading.Event()

    def end() -> None:
        cut.set()
        _hang_up(stream)

    timer = threading.Timer(max(deadline - time.monotonic(), 0.0), end)
    timer.daemon = True
    timer.start()
    try:
        yield cut
    finally:
        timer.cancel()


def _hang_up(stream: "Stream[ChatCompletionChunk]") -> None:
    """
    Shut a stream's connection down; closing it would not wake the thread that reads from it.

    The method of TLS sockets is passed by: it takes their state away while that thread uses it.
    """
    network = stream.response.extensions.get("network_stream")
    connection = None if network is None or stream.response.is_closed else network.get_extra_info("socket")
    if connection is not None:
        with suppress(OSError):  # the server was quicker
            socket.socket.shutdown(connection, socket.SHUT_RDWR)


def _client_errors() -> tuple[type[Exception], ...]:
    """Return what the client raises: its own errors, and those of its transport in the middle of a stream."""
    import httpx  # noqa: PLC0415 - slow to load
    import openai

    transports: list[type[Exception]] = [httpx.HTTPError, httpx.StreamError]
    try:
        import httpx2

        transports += [httpx2.HTTPError, httpx2.StreamError]
    except ImportError:
        pass
    parsers = (json.JSONDecodeError, UnicodeDecodeError, TypeError, AttributeError, KeyError, ValidationError)
    return (openai.OpenAIError, *transports, *parsers)
