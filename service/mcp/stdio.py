"""What the SDK's standard input lacks: lines of bounded length, an answer to what is not a request, a quiet end."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from concurrent.futures import CancelledError
from contextlib import suppress
from types import TracebackType
from typing import Any, BinaryIO, Self

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

MAX_LINE = 8_000_000
"""Bytes of a message: a text of 400,000 characters, each escaped in JSON, has room."""
_NOT_JSON = frozenset({"json_invalid", "string_unicode"})
"""Faults of a line that is not JSON in UTF-8."""
_AHEAD = 16
"""Lines that are read before they are asked for."""


class BoundedLines:
    """
    Lines of a binary stream, read in a thread of its own so that a signal ends the server at once.

    :param stream: For instance standard input.
    :param max_line: A longer line is dropped, and comes as one that is not JSON.
    """

    def __init__(self, stream: BinaryIO, *, max_line: int = MAX_LINE) -> None:
        self.stream = stream
        self.max_line = max_line

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield line after line that is not blank."""
        queue: asyncio.Queue[str | None] = asyncio.Queue(_AHEAD)
        loop = asyncio.get_running_loop()

        def put(line: str | None) -> None:
            asyncio.run_coroutine_threadsafe(queue.put(line), loop).result()

        def pump() -> None:
            with suppress(RuntimeError, CancelledError):  # the loop has ended
                stream = _own(self.stream)
                while line := self._read(stream):
                    if line.strip():
                        put(line)
                put(None)

        threading.Thread(target=pump, name="stdin", daemon=True).start()
        while (line := await queue.get()) is not None:
            yield line

    def _read(self, stream: BinaryIO) -> str:
        """Return the next line; empty at the end. What is not UTF-8 comes as half characters, which JSON refuses."""
        line = stream.readline(self.max_line + 1)
        if len(line) <= self.max_line:
            return line.decode(errors="surrogateescape")
        while line and not line.endswith(b"\n"):
            line = stream.readline(self.max_line + 1)
        return "too long\n"


def _own(stream: BinaryIO) -> BinaryIO:
    """Return a stream of one's own: a thread that waits in `sys.stdin` would hold its lock when Python ends."""
    try:
        return os.fdopen(os.dup(stream.fileno()), "rb")
    except (OSError, ValueError):
        return stream


class _Wrapped:
    """
    A stream of the SDK, closed as that is.

    :param stream: Its type is private.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class Exchange(_Wrapped):
    """
    The messages of a client, as the SDK reads them: what is not a request is answered here.

    The end of the input is passed on when every request is answered; the SDK would drop those on their way.

    :param read: Messages, and exceptions for lines that are none.
    :param write: Takes what goes to the client.
    """

    def __init__(self, read: Any, write: Any) -> None:
        super().__init__(read)
        self._open: set[types.RequestId] = set()
        self._idle = anyio.Event()
        self.replies = Replies(write, self._answered)

    async def receive(self) -> SessionMessage:
        """Return the next message of the client."""
        while True:
            try:
                item: SessionMessage | Exception = await self._stream.receive()
            except anyio.EndOfStream:
                while self._open:
                    self._idle = anyio.Event()
                    await self._idle.wait()
                raise
            if isinstance(item, SessionMessage):
                self._note(item)
                return item
            await self.replies.refuse(item)

    def _note(self, item: SessionMessage) -> None:
        message = item.message
        if isinstance(message, types.JSONRPCRequest):
            self._open.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            asked = (message.params or {}).get("requestId")
            if isinstance(asked, int | str):
                self._answered(asked)  # the SDK answers no request that was cancelled

    def _answered(self, request_id: types.RequestId | None) -> None:
        if request_id is not None:
            self._open.discard(request_id)
        self._idle.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class Replies(_Wrapped):
    """
    What goes to the client; each answer is told of.

    :param write: The SDK's stream.
    :param answered: Told of the id of each request that is answered.
    """

    def __init__(self, write: Any, answered: Any) -> None:
        super().__init__(write)
        self._answered = answered

    async def send(self, item: SessionMessage, /) -> None:
        """Send one message."""
        await self._stream.send(item)
        if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
            self._answered(item.message.id)

    async def refuse(self, error: Exception) -> None:
        """Say that a line is not JSON, or not a request."""
        is_json = isinstance(error, ValidationError) and error.errors()[0]["type"] not in _NOT_JSON
        code = types.INVALID_REQUEST if is_json else types.PARSE_ERROR
        said = "The message is not a JSON-RPC request." if is_json else "The message is not JSON of a usable length."
        data = types.ErrorData(code=code, message=said)
        await self._stream.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=None, error=data)))
