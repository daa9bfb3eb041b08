"""
A search tool of a Model Context Protocol server that is started as a command; the official SDK speaks to it.

Source: https://modelcontextprotocol.io. The tool must take `query` and give JSON objects with `url` and
`title` or `headline`, and `text`, `content` or `description`: in `structuredContent`, or as text; an empty list where
nothing is found.
"""

import json
import shlex
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import anyio

from core.errors import ConfigError, UnavailableError
from core.settings import Settings
from pipelines.systems.agent.backends.contract import Found, Hit, Search, found_of
from pipelines.systems.agent.backends.http import time_of

if TYPE_CHECKING:
    from mcp_types import CallToolResult

_SHOWN = 200
"""Characters of what a tool says."""


class McpBackend:
    """
    Ask the tool; the server runs for one search.

    :param settings: `search_command` must be set.
    :raises ConfigError: If it is not, or is not a command.
    :raises UnavailableError: If the extra [mcp] is not installed.
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
        if find_spec("mcp") is None:
            raise UnavailableError(
                "search_backend is mcp, which needs the package mcp",
                field="search_backend",
                hint="Run: pip install 'looksy[mcp]'",
            )
        self._tool = settings.search_tool
        self._timeout_s = settings.search_timeout

    def search(self, search: Search) -> Found:
        """Search once."""
        result = self._ask(search.query)
        if result.is_error:
            raise _failed(self._command[0], f"its tool {self._tool} says: {' '.join(_texts(result))[:_SHOWN]}")
        return found_of(self._hits(result), search)

    def _hits(self, result: "CallToolResult") -> list[Hit]:
        """
        Make hits of what the tool gave: of its structured content or, where that holds no results, of its text.

        :raises UnavailableError: If that is not JSON, or none of its results has title and text: nothing was found out.
        """
        texts, structured = _texts(result), result.structured_content
        values = [value for text in texts if (value := _parsed(text)) is not None]
        rows = list(_objects(structured)) or [row for value in values for row in _objects(value)]
        hits = [hit for row in rows if (hit := _hit(row)) is not None]
        says_none = isinstance(structured, dict) and any(isinstance(one, list) for one in structured.values())
        if not hits and (rows or (len(values) < len(texts) and not says_none)):
            shown = " ".join(texts)[:_SHOWN]
            raise _failed(self._command[0], f"its tool {self._tool} gives no JSON with url, title and text: {shown}")
        return hits

    def _ask(self, query: str) -> "CallToolResult":
        """
        Start the server, call the tool, stop it.

        :raises UnavailableError: If the server cannot be started, ends, is too slow, or answers with an error.
        """
        from pipelines.systems.agent.backends.mcp_client import call_tool

        command = self._command[0]
        try:
            return anyio.run(partial(call_tool, self._command, self._tool, query, timeout_s=self._timeout_s))
        except TimeoutError as error:
            raise _failed(command, "it took too long") from error
        except OSError as error:
            raise _failed(command, str(error)) from error
        except Exception as error:
            raise _failed(command, f"it ended, or took too long: {str(_root(error))[:_SHOWN]}") from error


def _words(command: str) -> list[str]:
    """Split a command as a shell does."""
    try:
        words = shlex.split(command)
    except ValueError:  # a quotation mark that nothing closes
        words = []
    if not words:
        raise ConfigError(
            f"search_command is {command!r}, which is not a command",
            field="search_command",
            hint="Write the program and its arguments; close each quotation mark.",
        )
    return words


def _root(error: BaseException) -> BaseException:
    """Return the first error of a group, which tasks that ran together may raise."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _failed(command: str, why: str) -> UnavailableError:
    return UnavailableError(
        f"the MCP server {command} failed: {why}", field="search_command", hint="Check LOOKSY_SEARCH_COMMAND."
    )


def _texts(result: "CallToolResult") -> list[str]:
    """Return the texts of a result that are not blank."""
    texts = [getattr(part, "text", None) for part in result.content]
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
