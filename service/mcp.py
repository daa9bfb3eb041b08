"""
A server of the Model Context Protocol on standard input and output, with the tools `verify` and `search`.

Source: https://modelcontextprotocol.io/specification. One JSON-RPC 2.0 message a line.
"""

import json
import logging
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from core import __version__
from core.errors import InputError, LooksyError
from core.requests import check_text, parse_request
from service.answers.asker import Asker
from service.stores import LazyStore

logger = logging.getLogger(__name__)
PROTOCOLS = ("2025-06-18", "2025-03-26", "2024-11-05")
"""Versions that this server speaks, newest first."""
MAX_SEARCH = 20
_PARSE_ERROR, _INVALID_REQUEST, _METHOD_NOT_FOUND, _INVALID_PARAMS = -32700, -32600, -32601, -32602
_INTERNAL_ERROR = -32603
_TEXT = {"type": "string", "minLength": 1, "maxLength": 2000}
TOOLS: tuple[dict[str, Any], ...] = (
    {
        "name": "verify",
        "title": "Check against trusted reporting",
        "description": "Answer a question or judge a statement from the indexed news articles, with verdict and exact "
        "quotes. Says so where the articles do not settle it.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "text": {**_TEXT, "description": "One question or statement."},
                "kind": {"type": "string", "enum": ["question", "statement"]},
                "as_of": {"type": "string", "description": "Only what was known by this date, e.g. 2020-01-31."},
            },
            "required": ["text"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
    {
        "name": "search",
        "title": "Search the indexed articles",
        "description": "Find the passages of the indexed news articles that match words best.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {**_TEXT, "description": "Words to look for."},
                "top_k": {"type": "integer", "minimum": 1, "maximum": MAX_SEARCH},
            },
            "required": ["query"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
)


class McpServer:
    """
    Answers messages.

    :param asker: For `verify`.
    :param store: For `search`.
    """

    def __init__(self, asker: Asker, store: LazyStore) -> None:
        self.asker = asker
        self.store = store

    def serve(self, lines: Iterable[str], out: TextIO) -> None:
        """Answer message after message until the input ends. A message that cannot be answered ends nothing else."""
        for line in lines:
            if line.strip() and (answer := self.answer(line)) is not None:
                out.write(json.dumps(answer) + "\n")  # in ASCII: an id may be half a character
                out.flush()

    def answer(self, line: str) -> dict[str, Any] | None:
        """Answer one message; None for notifications, which have no answer."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return _error(None, _PARSE_ERROR, "The message is no JSON.")
        if (
            not isinstance(message, dict)
            or not isinstance(message.get("method"), str)
            or not isinstance(message.get("id"), str | int | float | None)
        ):
            return _error(None, _INVALID_REQUEST, "The message is no JSON-RPC request.")
        if "id" not in message:
            return None
        params = message.get("params") or {}
        if not isinstance(params, dict):
            return _error(message["id"], _INVALID_PARAMS, "params must be an object.")
        try:
            return self._dispatch(message["id"], message["method"], params)
        except Exception:
            logger.exception("message failed")
            return _error(message["id"], _INTERNAL_ERROR, "Something went wrong in Looksy.")

    def _dispatch(self, request_id: object, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            return _result(request_id, _initialize(params))
        if method == "ping":
            return _result(request_id, {})
        if method == "tools/list":
            return _result(request_id, {"tools": list(TOOLS)})
        if method == "tools/call":
            return self._call(request_id, params)
        return _error(request_id, _METHOD_NOT_FOUND, f"There is no method {method[:60]!r}.")

    def _call(self, request_id: object, params: dict[str, Any]) -> dict[str, Any]:
        name, arguments = params.get("name"), params.get("arguments") or {}
        tools = {"verify": self._verify, "search": self._search}
        if not isinstance(name, str) or name not in tools or not isinstance(arguments, dict):
            return _error(request_id, _INVALID_PARAMS, f"There is no such tool; use one of: {', '.join(tools)}.")
        try:
            return _result(request_id, tools[name](arguments))
        except LooksyError as error:  # for the model to read and mend
            text = " ".join(part for part in (error.message + ".", error.hint) if part)
            return _result(request_id, {"content": [{"type": "text", "text": text}], "isError": True})

    def _verify(self, arguments: dict[str, Any]) -> dict[str, Any]:
        from pipelines.rendering.render import to_markdown

        _refuse_unknown(arguments, {"text", "kind", "as_of"})
        result = self.asker.run("verify", parse_request(arguments))
        return {
            "content": [{"type": "text", "text": to_markdown(result)}],
            "structuredContent": result.model_dump(mode="json", exclude={"run"}),
            "isError": result.failure is not None,
        }

    def _search(self, arguments: dict[str, Any]) -> dict[str, Any]:
        _refuse_unknown(arguments, {"query", "top_k"})
        query, top_k = check_text(arguments.get("query"), field="query"), _top_k(arguments.get("top_k", 5))
        found = self.store.get().keyword_search(query, top_k=top_k)
        passages = [
            {"text": document.content}
            | {name: document.meta.get(name) for name in ("headline", "url", "source", "published_at", "article_id")}
            for document in found
        ]
        return {
            "content": [{"type": "text", "text": json.dumps(passages, ensure_ascii=False)}],
            "structuredContent": {"passages": passages},
            "isError": False,
        }


def run_stdio(asker: Asker, store: LazyStore) -> None:
    """Serve on standard input and output until the input ends."""
    lines = (line.decode(errors="surrogateescape") for line in sys.stdin.buffer)  # what is no UTF-8 is refused below
    McpServer(asker, store).serve(lines, sys.stdout)


def _initialize(params: dict[str, Any]) -> dict[str, Any]:
    wanted = params.get("protocolVersion")
    return {
        "protocolVersion": wanted if wanted in PROTOCOLS else PROTOCOLS[0],
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "looksy", "title": "Looksy", "version": __version__},
        "instructions": "Quotes are verbatim. Where the verdict is unverified, do not present the claim as settled.",
    }


def _refuse_unknown(arguments: dict[str, Any], known: set[str]) -> None:
    for name in arguments:
        if name not in known:
            raise InputError(f"{name[:60]} is not a known field", field="arguments", hint=f"Use {', '.join(known)}.")


def _top_k(value: object) -> int:
    """Read a number of passages; 2.0 is a whole number in JSON, true is none."""
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= MAX_SEARCH:
        raise InputError(f"top_k is {value!r}; 1 to {MAX_SEARCH} are accepted", field="top_k")
    return number


def _result(request_id: object, result: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def _error(request_id: object, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}
