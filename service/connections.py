"""Connections that must send their requests in time: uvicorn itself waits for ever for the rest of one."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_S = 20.0
"""A request, head and body, must have come whole within this time of its first byte or of the connection."""
_COMING = (h11.IDLE, h11.SEND_BODY)


class ImpatientProtocol(H11Protocol):
    """Close connections whose requests trickle in, as attackers send them to use all connections up."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take some bytes; go on waiting until the request is whole."""
        super().data_received(data)
        if self.conn.their_state in _COMING:
            self._wait()
        else:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Leave the wait for a next request to uvicorn's keep-alive."""
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
