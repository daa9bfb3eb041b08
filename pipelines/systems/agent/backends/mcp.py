"""
A search tool of a Model Context Protocol server that is started as a command and spoken to line by line.

Source: https://modelcontextprotocol.io/specification. The tool must take `query` and give JSON objects with `url` and
`title` or `headline`, and `text`, `content` or `description`: in `structuredContent`, or as text; an empty list where
nothing is found.
"""

import json
import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

from core import __version__
from core.errors import ConfigError, UnavailableError
from core.settings import Settings
from pipelines.systems.agent.backends.contract import Found, Hit, Search, found_of
from pipelines.systems.agent.backends.http import time_of

PROTOCOL = "2025-06-18"
MAX_LINE = 4_000_000
_SHOWN = 200
"""Characters of what a tool says."""
_END_S = 1.0
"""For the server to end when it was killed."""


class McpBackend:
    """
    Ask the tool; the server runs for one search.

    :param settings: `search_command` must be set.
    :raises ConfigError: If it is not, or is no command.
    """

    def __init__(self, settings: Settings) -> None:
        self.name = "mcp"
        if not settings.search_command:
            raise ConfigError(
                "search_backend is mcp, and search_command is not set",
                field="search_command",
                hint="Set LOOKSY_SEARCH_COMMAND to the command that starts the server.",
            )
        self._command = _words(settings.search_command)
        self._tool = settings.search_tool
        self._timeout_s = settings.search_timeout

    def search(self, search: Search) -> Found:
        """Search once."""
        call = {"name": self._tool, "arguments": {"query": search.query}}
        result = self._ask(_message(2, "tools/call", call))
        if result.get("isError"):
            raise _failed(self._command[0], f"its tool {self._tool} says: {str(result.get('content'))[:_SHOWN]}")
        return found_of(self._hits(result), search)

    def _hits(self, result: dict[str, Any]) -> list[Hit]:
        """
        Make hits of what the tool gave: of its structured content or, where that holds no results, of its text.

        :raises UnavailableError: If that is no JSON, or none of its results has title and text: nothing was found out.
        """
        texts, structured = _texts(result), result.get("structuredContent")
        values = [value for text in texts if (value := _parsed(text)) is not None]
        rows = list(_objects(structured)) or [row for value in values for row in _objects(value)]
        hits = [hit for row in rows if (hit := _hit(row)) is not None]
        says_none = isinstance(structured, dict) and any(isinstance(one, list) for one in structured.values())
        if not hits and (rows or (len(values) < len(texts) and not says_none)):
            shown = " ".join(texts)[:_SHOWN]
            raise _failed(self._command[0], f"its tool {self._tool} gives no JSON with url, title and text: {shown}")
        return hits

    def _ask(self, call: str) -> dict[str, Any]:
        """Start the server, greet it, call the tool, stop it."""
        greeting = {
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "looksy", "version": __version__},
        }
        try:
            process = subprocess.Popen(  # noqa: S603 - the operator's own command, split without a shell
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except OSError as error:
            raise _failed(self._command[0], str(error)) from error
        timer = threading.Timer(self._timeout_s, _kill, [process])
        timer.start()
        try:
            assert process.stdin is not None  # noqa: S101 - asked for above
            assert process.stdout is not None  # noqa: S101
            _send(process.stdin, _message(1, "initialize", greeting))
            _answer(process.stdout, 1, self._command[0])
            _send(process.stdin, json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            _send(process.stdin, call)
            return _answer(process.stdout, 2, self._command[0])
        except OSError as error:
            raise _failed(self._command[0], "it went away") from error
        finally:
            timer.cancel()
            _kill(process)
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=_END_S)


def _words(command: str) -> list[str]:
    """Split a command as a shell does."""
    try:
        words = shlex.split(command)
    except ValueError:  # a quotation mark that nothing closes
        words = []
    if not words:
        raise ConfigError(
            f"search_command is {command!r}, which is no command",
            field="search_command",
            hint="Write the program and its arguments; close each quotation mark.",
        )
    return words


def _kill(process: subprocess.Popen[str]) -> None:
    """Kill a server with all that it started: a child that lives on would keep its output open."""
    with suppress(ProcessLookupError, PermissionError):  # it has ended
        os.killpg(process.pid, signal.SIGKILL)


def _message(number: int, method: str, params: dict[str, Any]) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def _send(stream: IO[str], line: str) -> None:
    stream.write(f"{line}\n")
    stream.flush()


def _answer(stream: IO[str], number: int, command: str) -> dict[str, Any]:
    """
    Read until the answer to a request.

    :raises UnavailableError: If the server ends, says no JSON, or answers with an error.
    """
    while line := stream.readline(MAX_LINE):
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _failed(command, "it says what is no JSON") from error
        if isinstance(message, dict) and message.get("id") == number and "method" not in message:
            if not isinstance(message.get("result"), dict):
                raise _failed(command, f"it answers {str(message.get('error'))[:_SHOWN]}")
            return dict(message["result"])
    raise _failed(command, "it ended, or took too long")


def _failed(command: str, why: str) -> UnavailableError:
    return UnavailableError(
        f"the MCP server {command} failed: {why}", field="search_command", hint="Check LOOKSY_SEARCH_COMMAND."
    )


def _texts(result: dict[str, Any]) -> list[str]:
    """Return the texts of a result that are not blank."""
    content = result.get("content")
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return [text for text in texts if isinstance(text, str) and text.strip()]


def _parsed(text: str) -> dict[str, Any] | list[Any] | None:
    """Return the object or list that a text is; None: it is neither."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _objects(root: object) -> Iterator[dict[str, Any]]:
    """Yield every object with an address, wherever it stands."""
    roots = [root]
    while roots:
        value = roots.pop(0)
        if isinstance(value, dict) and isinstance(value.get("url"), str):
            yield value
        elif isinstance(value, dict | list):
            roots = [*(value.values() if isinstance(value, dict) else value), *roots]


def _hit(row: dict[str, Any]) -> Hit | None:
    title = row.get("title") or row.get("headline")
    text = row.get("text") or row.get("content") or row.get("description")
    if not isinstance(title, str) or not isinstance(text, str):
        return None
    source = row.get("source")
    return Hit(
        title=title,
        url=row["url"],
        text=text,
        published_at=time_of(row.get("published_at") or row.get("date")),
        source=source if isinstance(source, str) else "",
    )
