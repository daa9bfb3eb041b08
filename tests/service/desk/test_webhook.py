"""A webhook to a loopback server that fails, is slow, redirects or talks without end; and its signature."""

import base64
import hashlib
import hmac
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from pydantic import SecretStr

from core.errors import ConfigError
from core.settings import Settings, load_settings
from service.desk import webhook as module
from service.desk.changes import Changes
from service.desk.webhook import GIVE_UP_AFTER, Webhook, WebhookSender, sign, signing_key
from service.state.database import Database, now
from tests.service.desk.conftest import World
from tests.service.desk.evidence import CLAIM, REFUTE, make_article
from tests.service.waiting import until

SECRET = "whsec_" + base64.b64encode(b"0123456789abcdef").decode()


class Receiver:
    """Keeps what it is sent; answers as it is told."""

    def __init__(self) -> None:
        self.status = 200
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.reply: Callable[[BaseHTTPRequestHandler], None] | None = None
        self.port = 0


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    kept = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            kept.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            if kept.reply is not None:
                kept.reply(self)
                return
            self.send_response(kept.status)
            self.send_header("location", f"http://127.0.0.1:{kept.port}/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    kept.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield kept
    server.shutdown()
    server.server_close()


@contextmanager
def changed(world: World, url: str) -> Iterator[Webhook]:
    """Let the evidence of one check change, with a webhook set up."""
    update = {"webhook_url": SecretStr(url), "webhook_secret": SecretStr(SECRET)}
    world.settings = world.settings.model_copy(update=update)
    world.check()
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    world.look()
    yield Webhook(world.settings, world.database)


def make_due(database: Database) -> None:
    with database.open() as connection:
        connection.execute("UPDATE webhook_deliveries SET next_at = ? WHERE delivered_at IS NULL", (now(),))


def told(database: Database) -> tuple[int, str | None, bool]:
    with database.open() as connection:
        row = connection.execute("SELECT attempts, error, delivered_at FROM webhook_deliveries").fetchone()
    return row[0], row[1], row[2] is not None


def test_what_is_sent_is_signed_and_says_what_happened(world: World, receiver: Receiver) -> None:
    with changed(world, f"http://127.0.0.1:{receiver.port}/hook?token=t") as hook:
        assert hook.deliver_due() == (1, 0)
        assert hook.deliver_due() == (0, 0), "once is enough"
    [(headers, body)] = receiver.got
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(b"0123456789abcdef", signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
    sent = json.loads(body)
    assert (sent["type"], sent["data"]["text"], sent["data"]["kind"]) == ("evidence.changed", CLAIM, "corrected")
    assert (sent["data"]["old_verdict"], sent["data"]["new_verdict"]) == ("verified", "refuted")
    assert "was corrected" in sent["data"]["reason"]


def test_a_server_that_fails_is_tried_again_later(world: World, receiver: Receiver) -> None:
    receiver.status = 503
    with changed(world, f"http://127.0.0.1:{receiver.port}/") as hook:
        assert hook.deliver_due() == (0, 1)
        assert hook.deliver_due() == (0, 0), "not at once"
        assert told(world.database) == (1, "HTTP status 503", False)
        receiver.status = 204
        make_due(world.database)
        assert hook.deliver_due() == (1, 0)
    assert told(world.database) == (2, None, True)
    assert receiver.got[0][0]["webhook-id"] == receiver.got[1][0]["webhook-id"], "a receiver can see that it is one"


def test_pauses_grow_and_end(world: World, receiver: Receiver) -> None:
    receiver.status = 500
    pauses = []
    with changed(world, f"http://127.0.0.1:{receiver.port}/") as hook:
        for _ in range(GIVE_UP_AFTER):
            make_due(world.database)
            assert hook.deliver_due() == (0, 1)
            with world.database.open() as connection:
                query = "SELECT (julianday(next_at) - julianday(?)) * 86400 FROM webhook_deliveries"
                pauses.append(connection.execute(query, (now(),)).fetchone()[0])
        make_due(world.database)
        assert hook.deliver_due() == (0, 0)
    assert pauses[0] < 60 < pauses[3] < pauses[-1] < 8 * 3600
    assert len(receiver.got) == GIVE_UP_AFTER


def test_a_redirect_is_a_failure_and_is_not_followed(world: World, receiver: Receiver) -> None:
    receiver.status = 307
    with changed(world, f"http://127.0.0.1:{receiver.port}/") as hook:
        assert hook.deliver_due() == (0, 1)
    assert len(receiver.got) == 1


def test_a_reply_without_end_is_not_read(world: World, receiver: Receiver) -> None:
    def talk(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(100_000):
                handler.wfile.write(b"x" * 65_536)
        except OSError:
            stopped.set()

    stopped = threading.Event()
    receiver.reply = talk
    with changed(world, f"http://127.0.0.1:{receiver.port}/") as hook:
        assert hook.deliver_due() == (1, 0)
    assert stopped.wait(30)


def test_a_server_that_drips_is_left(world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        try:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while True:
                handler.wfile.write(b"x-a: b\r\n")
                time.sleep(0.05)
        except OSError:
            return

    monkeypatch.setattr(module, "TIME_LIMIT_S", 0.5)
    receiver.reply = drip
    with changed(world, f"http://127.0.0.1:{receiver.port}/") as hook:
        assert hook.deliver_due() == (0, 1)
    assert "no answer" in (told(world.database)[1] or "")


def test_nobody_there_is_noted_without_the_address(world: World) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with changed(world, f"http://127.0.0.1:{port}/hook?token=geheim") as hook:
        assert hook.deliver_due() == (0, 1)
    assert told(world.database)[1] == "ConnectError"


def test_a_change_that_is_not_answered_yet_is_held_for_an_hour(world: World, receiver: Receiver) -> None:
    world.asker.fails = False
    update = {"webhook_url": SecretStr(f"http://127.0.0.1:{receiver.port}/")}
    world.settings = world.settings.model_copy(update=update)
    world.check()
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    world.asker.fails = True
    world.look()
    hook = Webhook(world.settings, world.database)
    assert hook.deliver_due() == (0, 0)
    make_due(world.database)
    assert hook.deliver_due() == (1, 0)
    assert json.loads(receiver.got[0][1])["data"]["new_run_id"] is None
    world.asker.fails = False
    world.look()
    assert hook.deliver_due() == (1, 0), "that the verdict turned is told, too"
    assert json.loads(receiver.got[1][1])["data"]["turned"] is True


def test_the_service_delivers_by_itself(world: World, receiver: Receiver) -> None:
    with changed(world, f"http://127.0.0.1:{receiver.port}/") as hook:
        sender = WebhookSender(hook, every_s=0.05)
        sender.start()
        until(lambda: told(world.database)[2])
        sender.close()


def test_two_processes_send_a_change_once(world: World, receiver: Receiver) -> None:
    with changed(world, f"http://127.0.0.1:{receiver.port}/") as hook:
        other = Webhook(world.settings, Database(world.database.path))
        threads = [threading.Thread(target=one.deliver_due) for one in (hook, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(receiver.got) == 1


def test_nothing_is_queued_without_an_address(world: World) -> None:
    world.check()
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    world.look()
    with world.database.open() as connection:
        assert connection.execute("SELECT count(*) FROM webhook_deliveries").fetchone()[0] == 0
    assert len(Changes(world.database).find(limit=5)) == 1


def test_signatures_are_those_of_the_standard() -> None:
    # the example of the specification's reference libraries
    key = signing_key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    found = sign(key, name="msg_p5jXN8AQM9LWM0D4loKWxJek", moment="1614265330", body=b'{"test": 2432232314}')
    assert found == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert signing_key("plain words") == b"plain words"


@pytest.mark.parametrize("url", ["ftp://a.example/", "https://user:pw@a.example/", "a.example", "file:///etc/passwd"])
def test_an_address_that_is_none_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_settings({}, environment={"LOOKSY_WEBHOOK_URL": url})
    assert (error.value.field, url in str(error.value)) == ("webhook_url", False)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9200", "https://a.example:80?q=a@b", "HTTPS://a.example/v1/@b"])
def test_an_address_with_a_token_is_taken(url: str) -> None:
    found = load_settings({}, environment={"LOOKSY_WEBHOOK_URL": url}).webhook_url
    assert found is not None
    assert found.get_secret_value() == url


def test_the_address_is_in_no_record() -> None:
    environment = {"LOOKSY_WEBHOOK_URL": "https://hooks.example/T0/geheim", "LOOKSY_WEBHOOK_SECRET": "geheim"}
    settings: Settings = load_settings({}, environment=environment)
    assert "geheim" not in str(settings.public())
    assert "geheim" not in repr(settings)
