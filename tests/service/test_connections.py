"""What is written in one turn of the loop goes out at once; nothing is lost when a connection closes."""

import asyncio
from typing import Any

import pytest

from core.errors import UnavailableError
from service.operations.connections import GatheredWrites
from service.operations.server import bind


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


@pytest.mark.parametrize("host", ["192.0.2.1", "a" * 70 + ".example", "no..name"])
def test_an_address_that_is_not_ours_is_no_fault_of_the_port(host: str) -> None:
    with pytest.raises(UnavailableError) as refused:
        bind(host, 0)
    assert refused.value.field == "host"
    assert "--host" in str(refused.value.hint)


def test_a_port_in_use_is_told() -> None:
    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        with pytest.raises(UnavailableError) as refused:
            bind("127.0.0.1", taken.getsockname()[1])
    assert refused.value.field == "port"
