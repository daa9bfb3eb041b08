"""Messages between the crawling process and an extraction process: the length of a pickle, then the pickle."""

import asyncio
import pickle
import socket

_HEAD_BYTES = 8
_PIECE_BYTES = 256 * 1024


def send(connection: socket.socket, message: object) -> None:
    """Send a message; blocks."""
    connection.sendall(_pack(message))


def receive(connection: socket.socket) -> object:
    """
    Return the next message; blocks.

    :raises EOFError: If the other end closed.
    """
    received = bytearray()
    while (missing := _missing(received)) > 0:
        _add(received, connection.recv(min(missing, _PIECE_BYTES)))
    return _unpack(received)


async def send_soon(connection: socket.socket, message: object) -> None:
    """Send a message on a connection that does not block."""
    await asyncio.get_running_loop().sock_sendall(connection, _pack(message))


async def receive_soon(connection: socket.socket) -> object:
    """
    Return the next message of a connection that does not block. One message must be answered before the next comes.

    :raises EOFError: If the other end closed.
    """
    loop = asyncio.get_running_loop()
    received = bytearray()
    while _missing(received) > 0:
        _add(received, await loop.sock_recv(connection, _PIECE_BYTES))
    return _unpack(received)


def _pack(message: object) -> bytes:
    content = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(_HEAD_BYTES, "big") + content


def _unpack(received: bytearray) -> object:
    return pickle.loads(memoryview(received)[_HEAD_BYTES:])  # noqa: S301 (our own process wrote it)


def _missing(received: bytearray) -> int:
    """Return how many bytes of the message are still to come, as far as is known."""
    if len(received) < _HEAD_BYTES:
        return _HEAD_BYTES - len(received)
    return _HEAD_BYTES + int.from_bytes(received[:_HEAD_BYTES], "big") - len(received)


def _add(received: bytearray, piece: bytes) -> None:
    if not piece:
        raise EOFError("the other end closed")
    received += piece
