"""Messages of any size come whole, between a side that waits and one that does not."""

import asyncio
import socket
import threading

import pytest

from scraper.extraction.workers.messages import receive, receive_soon, send, send_soon


def serve_echo(connection: socket.socket) -> threading.Thread:
    """Answer each message with itself until the other end closes."""

    def echo() -> None:
        with connection:
            try:
                while True:
                    send(connection, receive(connection))
            except EOFError:
                return

    thread = threading.Thread(target=echo)
    thread.start()
    return thread


def test_messages_larger_and_smaller_than_any_buffer_come_back_as_they_were() -> None:
    messages = [b"", b"x" * 3_000_000, {"a": ("é", None)}, [b"\x00\xff" * 70_000, 1], b"y"]

    async def ask(connection: socket.socket) -> list[object]:
        answers = []
        for message in messages:
            await send_soon(connection, message)
            answers.append(await receive_soon(connection))
        return answers

    ours, theirs = socket.socketpair()
    thread = serve_echo(theirs)
    ours.setblocking(False)
    with ours:
        assert asyncio.run(ask(ours)) == messages
    thread.join()


PARTS = pytest.mark.parametrize("part", [b"", b"\x00\x00", b"\x00\x00\x00\x00\x00\x00\x00\x09abc"])


def ended_after(part: bytes) -> socket.socket:
    """Return a connection whose other end has closed within a message."""
    ours, theirs = socket.socketpair()
    theirs.sendall(part)
    theirs.close()
    return ours


@PARTS
def test_other_end_that_dies_within_a_message_is_an_error(part: bytes) -> None:
    with ended_after(part) as connection, pytest.raises(EOFError):
        receive(connection)


@PARTS
def test_other_end_that_dies_while_nobody_waits_is_an_error(part: bytes) -> None:
    with ended_after(part) as connection:
        connection.setblocking(False)
        with pytest.raises(EOFError):
            asyncio.run(receive_soon(connection))
