"""
Connections that must send their requests in time, and get their replies in one piece.

uvicorn itself waits for ever for the rest of a request, and sends a reply's head and its body by themselves.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_S = 20.0
"""A request, head and body, must have come whole within this time of its first byte or of the connection."""
_COMING = (h11.IDLE, h11.SEND_BODY)


class GatheredWrites:
    """
    A transport that sends what is written in one turn of the loop at once.

    :param transport: Sends.
    :param loop: Whose turns count.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._parts: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        """Leave everything else to the transport."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send at the end of this turn, or when `flush` is called."""
        if not self._parts:
            self._loop.call_soon(self.flush)
        self._parts.append(data)

    def close(self) -> None:
        """Send what is written, and close."""
        self.flush()
        self._transport.close()

    def flush(self) -> None:
        """Send what is written now."""
        if self._parts:
            data = b"".join(self._parts)
            self._parts.clear()
            self._transport.write(data)


class SlowRequestTimeout(H11Protocol):
    """Close connections whose requests trickle in, as attackers send them to use all connections up."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        self._gathered = GatheredWrites(transport, self.loop)
        super().connection_made(self._gathered)  # type: ignore[arg-type]
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take some bytes; go on waiting until the request is whole."""
        super().data_received(data)
        if self.conn.their_state in _COMING:
            self._wait()
        else:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Send the reply before anything else is done; leave the wait for a next request to uvicorn's keep-alive."""
        self._gathered.flush()
        self._stop_waiting()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_S, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
