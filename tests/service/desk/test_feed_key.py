"""A key that reads the feed of changes, and nothing else, from an address: readers of feeds send no headers."""

import logging
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from core.settings import Settings
from service.app import create_app
from service.auth.keys import Keys, Scope
from service.auth.rate_limit import WRONG_KEYS_PER_MINUTE
from service.state.database import FILE_NAME, Database
from tests.service.desk.conftest import World
from tests.service.desk.evidence import REFUTE, make_article

FEED = "/v1/changes.atom"


@pytest.fixture
def outside(world: World) -> Iterator[TestClient]:
    public = world.settings.model_copy(update={"host": "0.0.0.0"})
    with TestClient(create_app(public, asker=world.asker), base_url="https://looksy.example") as opened:
        yield opened


@pytest.fixture
def keys(settings: Settings) -> Keys:
    return Keys(Database(settings.data_dir / FILE_NAME))


def test_the_address_alone_opens_the_feed_until_the_key_is_revoked(
    world: World, outside: TestClient, keys: Keys
) -> None:
    world.check()
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    world.look()
    made, text = keys.create("newsreader", scope=Scope.FEED)
    reply = outside.get(FEED, params={"key": text})
    assert reply.headers["content-type"].startswith("application/atom+xml")
    assert len(ET.fromstring(reply.content).findall("{http://www.w3.org/2005/Atom}entry")) == 1
    assert text not in reply.text, "who shares the feed shares no key"
    assert outside.get(FEED, headers={"authorization": f"Bearer {text}"}).status_code == 200
    keys.revoke(made.key_id)
    assert outside.get(FEED, params={"key": text}).status_code == 401


def test_it_opens_nothing_else(outside: TestClient, keys: Keys) -> None:
    _, text = keys.create("newsreader", scope=Scope.FEED)
    header = {"authorization": f"Bearer {text}"}
    paths = outside.get("/openapi.json").json()["paths"]
    reads = [path for path, methods in paths.items() if "401" in methods.get("get", {}).get("responses", {})]
    assert FEED in reads
    for path in reads:
        if path != FEED:
            plain = path.replace("{", "").replace("}", "")
            in_address = outside.get(plain, params={"key": text})
            assert in_address.status_code in {401, 422}, path
            assert text not in in_address.text
            assert outside.get(plain, headers=header).status_code == 403, path
    assert outside.post("/sign-in", data={"key": text}, follow_redirects=False).status_code == 403


def test_other_keys_may_not_stand_in_an_address(outside: TestClient, keys: Keys) -> None:
    for scope in (Scope.READ, Scope.RUN, Scope.REVIEW, Scope.ADMIN):
        _, text = keys.create(f"{scope} key", scope=scope)
        refused = outside.get(FEED, params={"key": text})
        assert (refused.status_code, refused.json()["field"]) == (403, "key")
        assert text not in refused.text
        assert outside.get(FEED, headers={"authorization": f"Bearer {text}"}).status_code == 200


def test_guessing_in_the_address_is_slowed_down(outside: TestClient) -> None:
    found = [outside.get(FEED, params={"key": f"looksy_a_{n}"}).status_code for n in range(WRONG_KEYS_PER_MINUTE + 1)]
    assert (set(found[:-1]), found[-1]) == ({401}, 429)


def test_it_is_in_no_log_and_in_no_file(
    outside: TestClient, keys: Keys, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    _, text = keys.create("newsreader", scope=Scope.FEED)
    secret = text.rsplit("_", 1)[-1]
    caplog.clear()
    for address in (FEED, f"{FEED}x"):
        outside.get(address, params={"key": text})
    ours = [record for record in caplog.records if not record.name.startswith("httpx")]  # the client of the test
    assert not any(secret in str(vars(record)) for record in ours)
    assert secret not in outside.get("/metrics", headers=_admin(keys)).text
    files = [path for path in settings.data_dir.rglob("*") if path.is_file()]
    assert files
    assert not any(secret.encode() in path.read_bytes() for path in files)


def _admin(keys: Keys) -> dict[str, str]:
    return {"authorization": f"Bearer {keys.create('admin', scope=Scope.ADMIN)[1]}"}
