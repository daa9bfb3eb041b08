"""A call of a tool of a Model Context Protocol server, which is a process of its own; answers are of bounded length."""

import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from subprocess import DEVNULL, PIPE
from typing import Any

import anyio
import mcp_types as types
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp.client import Client
from mcp.shared.message import SessionMessage

from core import __version__

MAX_LINE = 4_000_000
"""Bytes of one message; the SDK's own transport sets no bound, and waits for the server to end by itself."""
_GONE = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream, anyio.IncompleteRead, OSError)


async def call_tool(command: list[str], tool: str, query: str, *, timeout_s: float) -> types.CallToolResult:
    """
    Start a server, call its tool, stop it.

    :raises TimeoutError: If that takes longer than `timeout_s`.
    :raises OSError: If the command cannot be started.
    """
    asked = types.CallToolRequest(params=types.CallToolRequestParams(name=tool, arguments={"query": query}))
    name = types.Implementation(name="looksy", version=__version__)
    with anyio.fail_after(timeout_s):
        async with Client(server_process(command), client_info=name, cache=None) as client:
            # `Client.call_tool` would ask for the tool's schema as well; the caller looks at what comes.
            return await client.session.send_request(asked, types.CallToolResult)


@asynccontextmanager
async def server_process(command: list[str]) -> AsyncIterator[tuple[Any, Any]]:
    """
    Start a server; yield the streams that an SDK client reads and writes; kill it with all that it started.

    :raises OSError: If the command cannot be started.
    """
    process = await anyio.open_process(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True)
    heard, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outbox, to_send = anyio.create_memory_object_stream[SessionMessage](0)

    async def listen() -> None:
        lines = BufferedByteReceiveStream(_stdout(process))
        async with heard:
            with suppress(*_GONE, anyio.DelimiterNotFound):  # it ended, or a line is too long: the end of the exchange
                while True:
                    await heard.send(_message(await lines.receive_until(b"\n", MAX_LINE)))

    async def speak() -> None:
        with suppress(*_GONE):
            async for message in to_send:
                line = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                await _stdin(process).send(line.encode() + b"\n")

    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listen)
            tasks.start_soon(speak)
            yield messages, outbox
            tasks.cancel_scope.cancel()
    finally:
        with suppress(ProcessLookupError, PermissionError):  # it has ended
            os.killpg(process.pid, signal.SIGKILL)
        with anyio.CancelScope(shield=True):
            for stream in (heard, messages, outbox, to_send):
                stream.close()
            await process.aclose()


def _stdout(process: Process) -> Any:
    return process.stdout


def _stdin(process: Process) -> Any:
    return process.stdin


def _message(line: bytes) -> SessionMessage | Exception:
    """Read a message; half characters are left out, and other bytes than UTF-8 become U+FFFD."""
    text = line.decode(errors="replace")
    try:
        try:
            return SessionMessage(types.jsonrpc_message_adapter.validate_json(text, by_name=False))
        except ValueError:
            clean = json.dumps(json.loads(text), ensure_ascii=False).encode(errors="ignore")
            return SessionMessage(types.jsonrpc_message_adapter.validate_json(clean, by_name=False))
    except (ValueError, RecursionError) as error:
        return ValueError(f"not a message: {error}")
