"""What is written in one turn of the loop goes out at once; nothing is lost when a connection closes."""

import asyncio
from typing import Any

from service.connections import GatheredWrites


class Recorder:
    """A transport that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def write(self, data: bytes) -> None:
        self.told.append(data)

    def close(self) -> None:
        self.told.append("close")

    def is_closing(self) -> bool:
        return self.told[-1:] == ["close"]


def test_head_and_body_of_a_reply_go_out_together() -> None:
    async def reply() -> list[Any]:
        transport = Recorder()
        gathered = GatheredWrites(transport, asyncio.get_running_loop())  # type: ignore[arg-type]
        gathered.write(b"head ")
        gathered.write(b"body")
        assert not transport.told
        await asyncio.sleep(0)
        gathered.write(b"next")
        gathered.flush()
        assert transport.told[-1] == b"next"
        await asyncio.sleep(0)
        return transport.told

    assert asyncio.run(reply()) == [b"head body", b"next"]


def test_what_is_written_is_sent_before_the_connection_closes() -> None:
    async def reply() -> list[Any]:
        transport = Recorder()
        gathered = GatheredWrites(transport, asyncio.get_running_loop())  # type: ignore[arg-type]
        gathered.write(b"last words")
        gathered.close()
        assert gathered.is_closing()
        await asyncio.sleep(0)
        return transport.told

    assert asyncio.run(reply()) == [b"last words", "close"]
