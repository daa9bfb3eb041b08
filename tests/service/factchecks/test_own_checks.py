"""Own checks among the fact-checks: they join when decided, and leave when they no longer stand."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from core.settings import Settings
from core.types import QueryKind
from indexing.factchecks.store import FactCheckStore
from service.app import create_app
from service.factchecks.own_checks import PUBLISHER, OwnChecks
from service.state.database import FILE_NAME, Database
from tests.service.conftest import LOOPBACK
from tests.service.fakes import FakeAsker

CLAIM = {"text": "81 people had lost their lives.", "kind": "statement"}


@pytest.fixture
def store(settings: Settings) -> FactCheckStore:
    return FactCheckStore(settings.data_dir)


@pytest.fixture
def check(client: TestClient) -> str:
    run_id = client.post("/v1/verify", json=CLAIM).json()["run_id"]
    check_id = client.post("/v1/checks", json={"run_id": run_id}).json()["check_id"]
    return f"/v1/checks/{check_id}"


def known(store: FactCheckStore) -> list[tuple[str, str, str]]:
    found = store.get([number for number, _ in store.search(["lives"], limit=5)])
    return [(one.claim, one.verdict, one.publisher) for one in found.values()]


def test_a_check_joins_when_it_is_decided_and_leaves_with_its_decision(
    client: TestClient, store: FactCheckStore, check: str
) -> None:
    assert known(store) == []
    client.patch(check, json={"state": "approved"})
    assert known(store) == [(CLAIM["text"], "Verified", PUBLISHER)]
    client.patch(check, json={"state": "in_review"})
    assert known(store) == []
    override = {"verdict": "refuted", "reason_code": "outdated"}
    client.patch(check, json={"decision": override, "published_url": "https://our.example/1"})
    assert known(store) == [(CLAIM["text"], "Refuted", PUBLISHER)]
    client.patch(check, json={"state": "withdrawn"})
    assert known(store) == []


def test_it_is_shown_as_checked_before_to_the_next_who_asks(client: TestClient, check: str) -> None:
    assert client.post("/v1/verify", json=CLAIM).json()["checked_before"] == []
    client.patch(check, json={"state": "approved"})
    [shown] = client.post("/v1/verify", json=CLAIM).json()["checked_before"]
    assert (shown["publisher"], shown["verdict"]) == (PUBLISHER, "Verified")
    identity = client.app.state.looksy.earlier.matcher.embedder.identity  # type: ignore[attr-defined]
    assert client.app.state.looksy.earlier.store.texts_without_vector(identity) == []  # type: ignore[attr-defined]
    assert client.post("/v1/verify", json=CLAIM | {"blind": True}).json()["checked_before"] == []


def test_an_answer_to_a_question_does_not_join(client: TestClient, asker: FakeAsker, store: FactCheckStore) -> None:
    asker.changes = {"kind": QueryKind.QUESTION}
    run_id = client.post("/v1/verify", json={"text": "How many lost their lives?"}).json()["run_id"]
    check_id = client.post("/v1/checks", json={"run_id": run_id}).json()["check_id"]
    client.patch(f"/v1/checks/{check_id}", json={"state": "approved"})
    assert store.check_ids() == set()


def test_what_was_killed_between_the_stores_is_made_up_for(
    client: TestClient, settings: Settings, store: FactCheckStore, check: str
) -> None:
    client.patch(check, json={"state": "approved"})
    check_id = Path(check).name
    store.remove_check(check_id)
    with TestClient(create_app(settings, asker=FakeAsker()), base_url=LOOPBACK):
        assert store.check_ids() == {check_id}
    database = Database(settings.data_dir / FILE_NAME)
    with database.open() as connection:
        connection.execute("UPDATE checks SET state = 'withdrawn'")
    OwnChecks(database, store).sync_all()
    assert store.check_ids() == set()
