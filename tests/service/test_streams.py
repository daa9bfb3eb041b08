"""Streams of events: bounded in number and time, and honest about errors."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.errors import StoreMissingError
from core.settings import Settings
from core.types import Request
from service.api import stream
from service.api.chat_stream import cut_text
from service.app import create_app
from tests.service.fakes import FakeAsker

QUERY = {"text": "How many died?"}
CHAT = {"messages": [{"role": "user", "content": "How many died?"}], "stream": True}


@pytest.mark.parametrize("text", ["", "One.", "# Verified\n\nTwo sentences. Both stay!\n- a line\n", "a" * 99])
def test_pieces_make_the_text_again(text: str) -> None:
    assert "".join(cut_text(text)) == text


def test_a_full_service_refuses_streams_with_503(settings: Settings) -> None:
    app = create_app(settings, asker=FakeAsker())
    state = app.state.looksy
    with TestClient(app, base_url="http://127.0.0.1") as client:
        state.streams.open = state.max_streams
        for path, body in (("/v1/verify/stream", QUERY), ("/v1/chat/completions", CHAT)):
            refused = client.post(path, json=body)
            assert (refused.status_code, refused.json()["code"]) == (503, "busy")
            assert refused.headers["retry-after"]
        state.streams.open = 0
        assert client.post("/v1/verify/stream", json=QUERY).status_code == 200
        assert state.streams.open == 0


def test_a_client_that_does_not_read_is_cut_off(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "READING_S", 0.1)
    state = create_app(settings.model_copy(update={"request_timeout": 0.1}), asker=FakeAsker()).state.looksy

    async def events() -> AsyncIterator[str]:
        yield ": hello\n\n"

    async def send(_: Any) -> None:
        await asyncio.sleep(60)

    async def receive() -> Any:
        await asyncio.sleep(60)

    async def serve() -> None:
        await asyncio.wait_for(stream.BoundedStream(state, events())({"type": "http"}, receive, send), timeout=60)

    asyncio.run(serve())
    assert state.streams.open == 0
    state.close()


def test_streams_end_with_the_error_and_nothing_more(client: TestClient, asker: FakeAsker) -> None:
    def fail(_: Request) -> None:
        raise StoreMissingError("nothing has been indexed yet", hint="Run 'looksy index'.")

    asker.work = fail
    text = client.post("/v1/chat/completions", json=CHAT).text
    last = json.loads(text.strip().split("\n\n")[-1].removeprefix("data: "))
    assert last["error"]["code"] == "store_missing"
    assert "[DONE]" not in text

    def break_(_: Request) -> None:
        raise RuntimeError("/secret/path")

    asker.work = break_
    text = client.post("/v1/verify/stream", json=QUERY).text
    assert text.count("event: error") == 1
    assert "secret" not in text


def test_a_client_that_goes_stops_the_work(settings: Settings) -> None:
    begun, hold, asker = threading.Event(), threading.Event(), FakeAsker()
    asker.work = lambda _: begun.set() or (hold.wait(60) and None)
    state = create_app(settings, asker=asker).state.looksy

    async def go_away() -> None:
        happenings = stream.follow(state, "verify", Request(text="Who?"))
        await anext(happenings)
        while not begun.is_set():
            await asyncio.sleep(0.01)
        await happenings.aclose()

    asyncio.run(go_away())
    hold.set()
    while state.answers.pending:
        threading.Event().wait(0.01)
    state.close()
    assert asker.count == 0
