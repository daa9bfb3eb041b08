"""What an attacker would try."""

import io
import logging
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from core.settings import Settings
from core.types import Article, Request
from service.app import create_app
from service.auth.keys import Keys, Scope
from service.auth.rate_limit import MAX_BUCKETS, WRONG_KEYS_PER_MINUTE, Rates
from service.jobs import batches
from service.operations import connections
from service.operations.logs import JsonFormatter
from service.state.database import FILE_NAME, Database
from tests.service.fakes import FakeAsker
from tests.service.serving import serving

QUERY = {"text": "How many died?"}
HTML = {"accept": "text/html"}
UP = ("../../../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/app.py", "....//app.py", "/etc/passwd")


@pytest.mark.parametrize("name", UP)
@pytest.mark.parametrize("folder", ["static", "runs", "articles", "v1/runs", "v1/articles", "v1/jobs"])
def test_no_path_leads_out(client: TestClient, article: Article, folder: str, name: str) -> None:
    answer = client.get(f"/{folder}/{name}")
    assert answer.status_code in {403, 404, 405, 422}
    assert "root:" not in answer.text
    assert "import" not in answer.text


def test_no_header_can_be_slipped_in(client: TestClient) -> None:
    evil = quote("x\r\nSet-Cookie: looksy_key=evil")
    for answer in (
        client.post(f"/runs/{evil}/feedback", data={"helpful": "yes"}, follow_redirects=False),
        client.get(f"/runs/{evil}.md"),
        client.get("/", params={"system": "x\r\nSet-Cookie: a=b"}),
    ):
        assert "set-cookie" not in answer.headers
    assert client.get("/healthz", headers={b"x-request-id": b"a\xffb"}).headers["x-request-id"] != "a\xffb"


@pytest.mark.parametrize(
    "body",
    [
        b'{"text": "Who?", "top_k": ' + b"9" * 9000 + b"}",
        b'{"text": "Who?", "top_k": 1e999}',
        b'{"text": "Who?", "options": ' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}",
        b'{"text": "Who?", "text": 7}',
        b'{"text": "Who?", "__proto__": {}}',
        b"\x00" * 100,
    ],
)
def test_hostile_json_is_refused(client: TestClient, body: bytes) -> None:
    answer = client.post("/v1/verify", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in {400, 422}, answer.text
    assert set(answer.json()) == {"code", "message", "field", "hint", "request_id"}


def test_pages_of_other_sites_cannot_send_our_forms(client: TestClient) -> None:
    run = client.post("/v1/verify", json=QUERY).json()["run_id"]
    for path in ("/", f"/runs/{run}/feedback", "/sign-in", "/sign-out"):
        for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "same-site"}, {"origin": "null"}):
            assert client.post(path, data=QUERY, headers=headers).status_code == 403, path


def test_browsers_name_the_origin_of_our_own_forms(client: TestClient) -> None:
    assert client.get("/").headers["referrer-policy"] == "same-origin"  # under no-referrer they say null


@pytest.fixture
def public(settings: Settings) -> Settings:
    return settings.model_copy(update={"host": "0.0.0.0"})


@pytest.fixture
def outside(public: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(public, asker=FakeAsker()), base_url="https://looksy.example") as client:
        yield client


def test_keys_cannot_be_guessed_at_will(outside: TestClient, public: Settings) -> None:
    _, text = Keys(Database(public.data_dir / FILE_NAME)).create("desk", scope=Scope.RUN)
    outside.app.state.looksy.wrong_keys.clock = lambda: 0.0
    right = {"authorization": f"Bearer {text}"}
    wrong = {"authorization": f"Bearer {text[:-1]}"}
    statuses = [outside.get("/v1/systems", headers=wrong).status_code for _ in range(WRONG_KEYS_PER_MINUTE + 1)]
    assert statuses == [401] * WRONG_KEYS_PER_MINUTE + [429]
    assert outside.post("/sign-in", data={"key": "looksy_a_b"}).status_code == 429
    assert outside.get("/v1/systems").status_code == 401  # who shows none is only told to
    assert outside.get("/v1/systems", headers=right).status_code == 200
    assert outside.post("/sign-in", data={"key": text}, follow_redirects=False).status_code == 303


def test_buckets_do_not_fill_the_memory() -> None:
    now = 0.0
    rates = Rates(5, clock=lambda: now)
    for number in range(MAX_BUCKETS * 2):
        rates.take(str(number))
    assert len(rates._buckets) <= MAX_BUCKETS


@pytest.mark.parametrize(
    "headers",
    [
        {"cookie": "looksy_key=\x01; =; expires=x; looksy_key"},
        {"cookie": "looksy_key=" + "a" * 5000},
        {"authorization": "Bearer"},
        {"authorization": "Bearer looksy_\xff_\xff".encode("latin-1")},
        {"authorization": "Basic bG9va3N5OmE="},
    ],
)
def test_odd_credentials_are_no_key(outside: TestClient, headers: dict[str, str]) -> None:
    assert outside.get("/v1/systems", headers=headers).status_code == 401


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(lambda record: not record.name.startswith("http"))  # the test's own client
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.mark.parametrize("wanted", [False, True])
def test_queries_and_keys_are_not_logged_unless_queries_are_wanted(
    public: Settings, log: io.StringIO, wanted: bool
) -> None:
    def fail(request: Request) -> None:
        raise RuntimeError(f"cannot read {request.text!r}")

    _, key = Keys(Database(public.data_dir / FILE_NAME)).create("desk", scope=Scope.RUN)
    asker = FakeAsker()
    app = create_app(public.model_copy(update={"log_queries": wanted}), asker=asker)
    with TestClient(app, base_url="https://looksy.example", raise_server_exceptions=False) as client:
        client.headers["authorization"] = f"Bearer {key}"
        assert client.post("/v1/verify", json={"text": "Who hid the xylophone?"}).status_code == 200
        client.get("/v1/search", params={"q": "xylophone"})
        asker.work = fail
        broken = client.post("/v1/verify", json={"text": "Who hid the 'xylophone'?"})
    assert broken.status_code == 500
    assert "xylophone" not in broken.text
    text = log.getvalue()
    assert "asking failed" in text
    assert ("xylophone" in text) is wanted
    assert key.split("_", 2)[2] not in text


@pytest.fixture
def served(settings: Settings, asker: FakeAsker, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A real server, less patient than usual."""
    monkeypatch.setattr(connections, "REQUEST_S", 0.4)
    app = create_app(settings, asker=asker)
    with serving(app, log_config=None, http=connections.SlowRequestTimeout) as port:
        yield port


POST = b"POST /v1/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 25\r\n\r\n"


@pytest.mark.parametrize("piece", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: local", POST, POST + b'{"text": '])
def test_requests_that_trickle_in_are_cut_off(served: int, piece: bytes) -> None:
    with socket.create_connection(("127.0.0.1", served), timeout=60) as connection:
        connection.sendall(piece)
        answer = b"".join(iter(lambda: connection.recv(9999), b""))
    assert b" 200 " not in answer


def test_slow_answers_are_not_cut_off(served: int, asker: FakeAsker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_S", 2.0)
    asker.work = lambda _: time.sleep(2.5)
    with socket.create_connection(("127.0.0.1", served), timeout=60) as connection:
        for _ in range(2):  # the second on the same connection
            connection.sendall(POST + b'{"text": "How many died"}')
            answer = b""
            while b"run_id" not in answer:
                answer += (piece := connection.recv(99999))
                assert piece, "the connection was cut"
            assert b" 200 OK" in answer


def test_batches_do_not_fill_the_disk(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "KEPT_BATCHES", 2)
    for number in range(4):
        path: Path = batches.results_file(settings, f"j{number}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")
        os.utime(path, (number, number))
    batches.prune_results(settings)
    assert sorted(path.stem for path in path.parent.iterdir()) == ["j2", "j3"]
