"""A chat model in a GGUF file: llama.cpp's server as a child process, asked as any OpenAI-compatible server is."""

import atexit
import logging
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx
from haystack import default_to_dict

from core.errors import ConfigError, GeneratorError
from models.hashes import file_hash
from pipelines.contracts.generator import Message, OnToken, Reply, ignore_token
from pipelines.generation.openai_compatible import OpenAICompatibleGenerator
from pipelines.generation.token_count import estimate_tokens
from pipelines.runs.context import current_replies

logger = logging.getLogger(__name__)

EXECUTABLE = "llama-server"
BATCH = 256
"""Tokens that the server reads before it looks whether anybody still waits for the reply."""
_START_S = 180.0
"""A model of several gigabytes comes from a slow disk."""
_POLL_S = 0.1
_END_S = 5.0
_ASK_S = 10.0
_MAY_BE_CRASH = frozenset({"connection", "truncated"})
_COUNTED = 512
_HOST = "127.0.0.1"
_LOG = "llama-server.log"
_WATCH = Path(__file__).with_name("child_watch.py")


class LlamaServerGenerator:
    """
    Starts llama.cpp's server with one model at the first request, and ends it with itself.

    A server that crashed has failed the requests it had; the next one starts another.

    :param model: A GGUF file.
    :param data_dir: Where the server's log is written.
    :param context_tokens: Context to ask for.
    :param timeout_s: For a whole reply; a request's clock starts when the one before it is done.
    :param threads: Of the server; None: one fewer than cores, which leaves one to the reader.
    """

    def __init__(
        self,
        *,
        model: str | None,
        data_dir: Path | str,
        context_tokens: int,
        timeout_s: float,
        threads: int | None = None,
    ) -> None:
        if not model:
            raise ConfigError(
                "generator_model is not set", field="generator_model", hint="Set LOOKSY_GENERATOR_MODEL to a GGUF file."
            )
        self.model = Path(os.path.expanduser(model))
        self.data_dir = Path(data_dir)
        self.timeout_s = timeout_s
        self.threads = threads
        self.context_tokens = context_tokens
        self._lock = threading.RLock()
        self._turn = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._client: OpenAICompatibleGenerator | None = None
        self._identity: str | None = None
        self._count = lru_cache(_COUNTED)(self._ask_count)

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments as Haystack writes them into a pipeline file."""
        return default_to_dict(
            self,
            model=str(self.model),
            data_dir=str(self.data_dir),
            context_tokens=self.context_tokens,
            timeout_s=self.timeout_s,
            threads=self.threads,
        )

    @property
    def name(self) -> str:
        """Name kind and file."""
        return f"llama.cpp:{self.model.stem}"

    @property
    def identity(self) -> str:
        """Name kind and file and, where the file is there, the first digits of its SHA-256."""
        if self._identity is None and self.model.is_file():
            self._identity = f"{self.name}@{file_hash(self.model)[:12]}"
        return self._identity or self.name

    @property
    def counts_exactly(self) -> bool:
        """Say yes: the server counts."""
        return True

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text, special tokens left out; estimate them where a recorded run needs no server."""
        if current_replies() is not None:
            return estimate_tokens(text)
        self.warm_up()
        try:
            return self._count(text)
        except (httpx.HTTPError, ValueError, KeyError):
            return estimate_tokens(text)

    def _ask_count(self, text: str) -> int:
        answer = self._get("/tokenize", {"content": text, "add_special": False})
        return len(answer["tokens"])

    def warm_up(self) -> None:
        """
        Start the server if it does not run, and wait until it has loaded the model.

        :raises ConfigError: If there is no such file, or no server on PATH.
        :raises GeneratorError: If the server does not start.
        """
        with self._lock:
            if self._child is not None and self._child.poll() is None and self._client is not None:
                return
            self.close()
            self._start(self._program())
            atexit.register(self.close)

    def _program(self) -> str:
        if not self.model.is_file():
            raise ConfigError(
                f"generator_model {self.model} is not a file",
                field="generator_model",
                hint="Set LOOKSY_GENERATOR_MODEL to a GGUF file.",
            )
        program = shutil.which(EXECUTABLE)
        if program is None:
            raise ConfigError(
                f"{EXECUTABLE} is not on PATH",
                field="generator",
                hint="Build or install llama.cpp, or set LOOKSY_GENERATOR=openai and LOOKSY_GENERATOR_URL.",
            )
        return program

    def _start(self, program: str) -> None:
        port, threads = _free_port(), self.threads or max(1, (os.cpu_count() or 1) - 1)
        command = [
            *(program, "--model", str(self.model), "--host", _HOST, "--port", str(port)),
            *("-c", str(self.context_tokens), "-np", "1", "-t", str(threads), "-b", str(BATCH)),
        ]
        self.data_dir.mkdir(parents=True, exist_ok=True)
        logger.info("starting the model server", extra={"command": command})
        with (self.data_dir / _LOG).open("ab") as log:  # the child has it open for itself
            self._child = subprocess.Popen(  # noqa: S603  (our own program, a file that the settings name)
                [sys.executable, "-S", str(_WATCH), *command], stdin=subprocess.PIPE, stdout=log, stderr=log
            )
        self._client = OpenAICompatibleGenerator(
            url=f"http://{_HOST}:{port}/v1", model=self.model.stem, timeout_s=self.timeout_s, retries=0, in_flight=1
        )
        self._await_health()
        context = self._get("/props").get("default_generation_settings", {}).get("n_ctx")
        self.context_tokens = min(self.context_tokens, int(context)) if context else self.context_tokens

    def _await_health(self) -> None:
        ends = time.monotonic() + _START_S
        while time.monotonic() < ends:
            if self._child is None or self._child.poll() is not None:
                raise self._failed("ended while it started")
            try:
                self._get("/health")
            except (httpx.HTTPError, ValueError):
                time.sleep(_POLL_S)
            else:
                return
        self.close()
        raise self._failed(f"had not loaded the model after {_START_S:g} s")

    def _get(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Ask the server something else than a completion."""
        if self._client is None:
            raise self._failed("does not run")
        url = self._client.url.removesuffix("/v1") + path
        answer = httpx.post(url, json=body, timeout=_ASK_S) if body else httpx.get(url, timeout=_ASK_S)
        answer.raise_for_status()
        found = answer.json()
        return found if isinstance(found, dict) else {}

    def _failed(self, what: str) -> GeneratorError:
        return GeneratorError(
            f"the model server of {self.name} {what}",
            reason="connection",
            field="generator_model",
            hint=f"Look at {self.data_dir / _LOG}; it tells of a file that is not GGUF, or of too little memory.",
        )

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
        """Let the model reply; see the contract. One request at a time, each with its own clock."""
        with self._turn:
            self.warm_up()
            client, child = self._client, self._child
            if client is None or child is None:
                raise self._failed("does not run")
            try:
                reply = client.complete(
                    messages,
                    max_tokens=max_tokens,
                    seed=seed,
                    temperature=temperature,
                    want_logprobs=want_logprobs,
                    on_token=on_token,
                    schema=schema,
                )
            except GeneratorError as error:
                if error.reason in _MAY_BE_CRASH and _has_ended(child):
                    raise self._failed("crashed") from error
                raise
        return reply.model_copy(update={"generator": self.name})

    def close(self) -> None:
        """End the server; closing twice is harmless."""
        with self._lock:
            child, client = self._child, self._client
            self._child = self._client = None
            if client is not None:
                client.close()
            if child is not None:
                _end(child)
            atexit.unregister(self.close)


def _has_ended(child: "subprocess.Popen[bytes]") -> bool:
    """Say whether a child has ended, or does so in this moment."""
    try:
        child.wait(timeout=_END_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(child: "subprocess.Popen[bytes]") -> None:
    if child.stdin is not None:
        child.stdin.close()
    try:
        child.wait(timeout=_END_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _free_port() -> int:
    with socket.create_server((_HOST, 0)) as listener:
        return int(listener.getsockname()[1])
