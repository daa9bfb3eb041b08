"""Checks over REST: moves, decisions, two people, two editors, history, scopes, agreement."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from core.settings import Settings
from core.types import Verdict
from evaluation.data.formats.claims import read_claims
from service.app import create_app
from service.auth.keys import Keys, Scope
from service.desk.types import MOVES, CheckState
from service.state.database import FILE_NAME, Database
from tests.service.conftest import LOOPBACK
from tests.service.fakes import FakeAsker

CLAIM = {"text": "81 people had lost their lives.", "kind": "statement"}


def put_on_desk(client: TestClient, **fields: object) -> dict:
    run_id = client.post("/v1/verify", json=CLAIM | fields).json()["run_id"]
    added = client.post("/v1/checks", json={"run_id": run_id})
    assert added.status_code == 201
    return added.json()


def change(client: TestClient, check: dict, **fields: object):
    return client.patch(f"/v1/checks/{check['check_id']}", json=fields)


@pytest.fixture
def pair(settings: Settings) -> Iterator[TestClient]:
    """A desk where two people must agree."""
    app = create_app(settings.model_copy(update={"reviewers": 2}), asker=FakeAsker())
    with TestClient(app, base_url=LOOPBACK) as opened:
        yield opened


def test_a_run_comes_to_the_desk_once(client: TestClient) -> None:
    check = put_on_desk(client)
    assert (check["state"], check["verdict"], check["text"]) == ("open", "verified", CLAIM["text"])
    again = client.post("/v1/checks", json={"run_id": check["run_id"]})
    assert (again.status_code, again.json()["check_id"]) == (200, check["check_id"])
    assert client.post("/v1/checks", json={"run_id": "none"}).status_code == 404


def test_an_approval_goes_its_way_and_leaves_a_history(client: TestClient) -> None:
    check = put_on_desk(client)
    change(client, check, state="in_review", owner="Ada", note="Look at the date", by="Ada")
    done = change(client, check, state="approved", checklist={"quotes_read": True}, by="Ada").json()
    assert (done["state"], done["owner"], done["checklist"]) == ("approved", "Ada", {"quotes_read": True})
    assert (done["decision"]["verdict"], done["decision"]["decided_by"]) == ("verified", ["Ada"])
    history = client.get(f"/v1/checks/{check['check_id']}/history").json()
    assert [(step["action"], step["who"]) for step in history] == [
        ("created", None),
        ("in_review", "Ada"),
        ("approved", "Ada"),
    ]
    assert history[1]["changes"]["note"] == [None, "Look at the date"]


def test_an_override_keeps_what_the_machine_said(client: TestClient) -> None:
    check = put_on_desk(client)
    for decision, field in (
        ({}, "decision.verdict"),
        ({"verdict": "verified", "reason_code": "other"}, "decision.verdict"),
        ({"verdict": "refuted"}, "decision.reason_code"),
    ):
        refused = change(client, check, state="overridden", decision=decision)
        assert (refused.status_code, refused.json()["field"]) == (422, field)
    decided = {"verdict": "refuted", "reason_code": "missing_evidence", "comment": "The ministry says 83."}
    done = change(client, check, state="overridden", decision=decided, by="Ada").json()
    assert (done["verdict"], done["decision"]["verdict"]) == ("verified", "refuted")
    assert client.get(f"/v1/runs/{check['run_id']}").json()["result"]["verdict"] == "verified"
    assert client.get("/v1/checks", params={"verdict": "refuted"}).json()[0]["check_id"] == check["check_id"]
    change(client, check, claim_author="The minister", claim_appearance="https://tv.example/1")
    review = client.get(f"/v1/checks/{check['check_id']}/claim-review").json()
    assert review["reviewRating"] == {
        "@type": "Rating", "alternateName": "refuted", "ratingValue": 1, "bestRating": 5, "worstRating": 1,
    }  # fmt: skip
    assert review["reviewBody"] == "The ministry says 83."
    assert review["itemReviewed"]["author"]["name"] == "The minister"
    assert review["itemReviewed"]["appearance"]["url"] == "https://tv.example/1"


def test_a_decision_alone_says_by_its_verdict_which_it_is(client: TestClient) -> None:
    check = put_on_desk(client)
    assert change(client, check, decision={"verdict": "verified"}).json()["state"] == "approved"
    other = put_on_desk(client)
    decision = {"verdict": "conflicting", "reason_code": "our_own_code"}
    assert change(client, other, decision=decision).json()["state"] == "overridden"


def test_moves_are_those_of_the_table(client: TestClient) -> None:
    override = {"verdict": "refuted", "reason_code": "other"}
    ways = {
        CheckState.OPEN: [],
        CheckState.IN_REVIEW: [{"state": "in_review"}],
        CheckState.APPROVED: [{"state": "approved"}],
        CheckState.OVERRIDDEN: [{"state": "overridden", "decision": override}],
        CheckState.WITHDRAWN: [{"state": "withdrawn"}],
    }
    for source, steps in ways.items():
        for target in CheckState:
            check = put_on_desk(client)
            for step in steps:
                assert change(client, check, **step).status_code == 200
            extra = {"decision": override} if target is CheckState.OVERRIDDEN else {}
            moved = change(client, check, state=target.value, **extra)
            stays = source is target and source not in {CheckState.APPROVED, CheckState.OVERRIDDEN}
            assert (moved.status_code == 200) == (target in MOVES[source] or stays), (source, target)
            if moved.status_code != 200:
                assert moved.status_code == 409
                assert "it can become" in moved.json()["hint"]


def test_of_two_editors_the_second_is_told_who_was_first(client: TestClient) -> None:
    check = put_on_desk(client)
    address = f"/v1/checks/{check['check_id']}"
    seen = client.get(address)
    assert seen.headers["etag"] == '"1"'
    assert change(client, check, note="from Ada", version=1, by="Ada").status_code == 200
    lost = change(client, check, note="from Ben", version=1, by="Ben")
    assert (lost.status_code, lost.json()["code"]) == (409, "conflict")
    assert "Ada changed this check" in lost.json()["message"]
    lost = client.patch(address, json={"note": "from Ben"}, headers={"If-Match": seen.headers["etag"]})
    assert lost.status_code == 409
    assert client.get(address).json()["note"] == "from Ada"
    assert client.patch(address, json={}, headers={"If-Match": "newest"}).status_code == 422


def test_of_many_changes_at_one_time_one_wins(client: TestClient) -> None:
    check = put_on_desk(client)
    found: list[int] = []

    def edit(name: str) -> None:
        found.append(change(client, check, note=name, version=1, by=name).status_code)

    threads = [threading.Thread(target=edit, args=(f"editor {number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [200] + [409] * 7
    assert len(client.get(f"/v1/checks/{check['check_id']}/history").json()) == 2


def test_a_second_pair_of_eyes_can_be_required(pair: TestClient) -> None:
    check = put_on_desk(pair)
    assert change(pair, check, state="approved").json()["field"] == "by"
    waiting = change(pair, check, state="approved", by="Ada").json()
    assert (waiting["state"], waiting["proposal"]["decided_by"], waiting["decision"]) == ("in_review", ["Ada"], None)
    same = change(pair, check, state="approved", by="Ada")
    assert (same.status_code, "Ada has decided this already" in same.json()["message"]) == (409, True)
    assert pair.get(f"/v1/checks/{check['check_id']}/claim-review").status_code == 403
    done = change(pair, check, state="approved", by="Ben").json()
    assert (done["state"], done["decision"]["decided_by"]) == ("approved", ["Ada", "Ben"])
    assert pair.put(f"/v1/runs/{put_on_desk(pair)['run_id']}/approval", json={"approved_by": "A"}).status_code == 409


def test_the_second_of_two_who_says_otherwise_is_the_first_of_two(pair: TestClient) -> None:
    check = put_on_desk(pair)
    change(pair, check, state="approved", by="Ada")
    other = {"verdict": "refuted", "reason_code": "misread_evidence"}
    waiting = change(pair, check, state="overridden", decision=other, by="Ben").json()
    assert (waiting["state"], waiting["proposal"]["verdict"]) == ("in_review", "refuted")
    assert waiting["proposal"]["decided_by"] == ["Ben"]
    done = change(pair, check, state="overridden", decision=other, by="Ada").json()
    assert done["decision"]["decided_by"] == ["Ben", "Ada"]


def test_each_scope_allows_its_part(settings: Settings) -> None:
    public = settings.model_copy(update={"host": "0.0.0.0"})
    keys = Keys(Database(settings.data_dir / FILE_NAME))
    sent = {scope: {"authorization": f"Bearer {keys.create(f'{scope} key', scope=scope)[1]}"} for scope in Scope}
    with TestClient(create_app(public, asker=FakeAsker())) as client:
        run_id = client.post("/v1/verify", json=CLAIM, headers=sent[Scope.RUN]).json()["run_id"]
        new = {"run_id": run_id}
        assert client.post("/v1/checks", json=new, headers=sent[Scope.READ]).status_code == 403
        check = client.post("/v1/checks", json=new, headers=sent[Scope.RUN]).json()
        address = f"/v1/checks/{check['check_id']}"
        assert client.patch(address, json={"state": "approved"}, headers=sent[Scope.RUN]).status_code == 403
        named = client.patch(address, json={"state": "approved", "by": "Boss"}, headers=sent[Scope.REVIEW])
        assert (named.status_code, named.json()["field"]) == (422, "by")
        done = client.patch(address, json={"state": "approved"}, headers=sent[Scope.REVIEW]).json()
        assert done["decision"]["decided_by"] == ["review key"]
        assert client.delete(f"/v1/runs/{run_id}", headers=sent[Scope.REVIEW]).status_code == 403
        assert client.delete(f"/v1/runs/{run_id}", headers=sent[Scope.ADMIN]).status_code == 409
        assert client.get("/v1/checks", headers=sent[Scope.READ]).json()[0]["state"] == "approved"
        assert client.get("/v1/checks").status_code == 401


def test_checks_are_found(client: TestClient) -> None:
    first, second = put_on_desk(client), put_on_desk(client, text="The bridge was closed.")
    change(client, first, owner="Ada", note="about the epidemic")

    def found(**parameters: object) -> list[str]:
        return [check["check_id"] for check in client.get("/v1/checks", params=parameters).json()]

    assert found() == [first["check_id"], second["check_id"]]
    assert found(text="epidemics") == found(owner="Ada") == [first["check_id"]]
    assert found(text="bridge") == found(limit=1, before=first["check_id"]) == [second["check_id"]]
    assert found(state="approved") == found(changed=True) == []
    assert client.get("/v1/checks", params={"before": "none"}).status_code == 404
    assert client.get("/v1/checks", params={"owned_by": "Ada"}).status_code == 422


def test_agreement_is_a_figure_and_overrides_are_labelled_rows(
    client: TestClient, asker: FakeAsker, tmp_path: Path
) -> None:
    change(client, put_on_desk(client), state="approved")
    change(client, put_on_desk(client), decision={"verdict": "refuted", "reason_code": "wrong_detail"})
    asker.changes = {"verdict": Verdict.UNVERIFIED}
    change(client, put_on_desk(client), decision={"verdict": "refuted", "reason_code": "of_our_own"})
    body = client.get("/v1/checks/agreement").json()
    assert (body["decided"], body["agreed"]) == (3, 1)
    assert body["by_verdict"] == {"unverified": {"refuted": 1}, "verified": {"refuted": 1, "verified": 1}}
    told = client.get("/metrics").text
    assert "looksy_check_agreement 0.333" in told
    assert 'looksy_check_decisions{machine="verified",people="refuted"} 1' in told
    assert 'looksy_check_overrides{reason="other"} 1' in told
    assert told.count("# TYPE looksy_check_decisions gauge") == 1
    rows = client.get("/v1/checks/labels").text
    (tmp_path / "claims.jsonl").write_text(rows, encoding="utf-8")
    assert [claim.label.value for claim in read_claims(tmp_path / "claims.jsonl")] == ["refutes", "refutes"]
    assert json.loads(rows.splitlines()[0])["machine"] == "supports"
    assert len(client.get("/v1/checks/labels", params={"all_decided": True}).text.splitlines()) == 3


def test_what_nobody_can_approve_is_said(client: TestClient, asker: FakeAsker) -> None:
    failure = {"code": "generator_failed", "message": "no reply"}
    asker.changes = {"verdict": None, "status": "failed", "failure": failure, "answer": "", "references": ()}
    check = put_on_desk(client)
    refused = change(client, check, state="approved")
    assert (refused.status_code, "no verdict" in refused.json()["message"]) == (422, True)
    assert change(client, check, state="in_review", decision={"verdict": "refuted"}).status_code == 422
    assert change(client, check, claim_appearance="javascript:alert(1)").status_code == 422
