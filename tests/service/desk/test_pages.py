"""The pages of the desk, without a browser: the board, deciding in two steps, two editors, changes, hostile texts."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from tests.service.conftest import LOOPBACK
from tests.service.desk.conftest import World
from tests.service.desk.evidence import CLAIM, REFUTE, SECOND, make_article

HTML = {"accept": "text/html"}


@pytest.fixture
def client(world: World) -> Iterator[TestClient]:
    app = create_app(world.settings, asker=world.asker)
    with TestClient(app, base_url=LOOPBACK, headers=HTML) as opened:
        yield opened


def decide(client: TestClient, check: Any, **fields: str) -> Any:
    data = {"version": str(check.version), "by": "Ada"} | fields
    return client.post(f"/checks/{check.check_id}/decide", data=data)


def test_an_answer_is_put_on_the_desk_from_its_page(world: World, client: TestClient) -> None:
    run = client.post("/", data={"text": CLAIM})
    (run_id,) = re.findall(r'name="run_id" value="(\w+)"', run.text)
    page = client.post("/desk", data={"run_id": run_id})
    assert page.url.path.startswith("/checks/")
    assert "On the desk" in client.get(f"/runs/{run_id}").text
    assert CLAIM in client.get("/desk").text


def test_approving_takes_two_clicks(world: World, client: TestClient) -> None:
    check = world.check(approve=False)
    first = decide(client, check, verdict="verified")
    assert "Approve this check?" in first.text
    assert world.desk.get(check.check_id) == check, "the first click decides nothing"
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', first.text.split("<form", 1)[1]))
    done = client.post(f"/checks/{check.check_id}/decide", data=sent)
    assert "Approved" in done.text
    assert world.desk.get(check.check_id).decision.decided_by == ("Ada",)


def test_an_override_needs_its_reason_and_keeps_what_was_typed(world: World, client: TestClient) -> None:
    check = world.check(approve=False)
    refused = decide(client, check, verdict="refuted", comment="We asked them.", confirmed="yes")
    assert (refused.status_code, "an override needs a reason" in refused.text) == (422, True)
    assert "We asked them." in refused.text
    fields = {"verdict": "refuted", "reason_code": "outdated", "comment": "We asked them.", "confirmed": "yes"}
    page = decide(client, check, **fields).text
    assert "Overridden" in page
    assert "It was so, and has changed" in page


def test_of_two_editors_the_second_sees_who_was_first_and_keeps_their_words(world: World, client: TestClient) -> None:
    check = world.check(approve=False)
    fields = {"version": str(check.version), "by": "Ada", "note": "from Ada"}
    client.post(f"/checks/{check.check_id}/edit", data=fields)
    lost = client.post(f"/checks/{check.check_id}/edit", data=fields | {"by": "Ben", "note": "from Ben"})
    assert lost.status_code == 409
    assert "Ada changed this check" in lost.text
    assert "from Ben" in lost.text
    assert world.desk.get(check.check_id).note == "from Ada"


def test_an_edit_writes_all_fields(world: World, client: TestClient) -> None:
    check = world.check(approve=False)
    fields = {
        "version": str(check.version),
        "owner": "Ada",
        "claim_author": "The minister",
        "claim_appearance": "https://tv.example/1",
        "published_url": "https://our.example/check",
        "done": ["quotes_read", "dates_checked"],
    }
    client.post(f"/checks/{check.check_id}/edit", data=fields)
    now = world.desk.get(check.check_id)
    assert (now.owner, now.claim_author, now.published_url) == ("Ada", "The minister", "https://our.example/check")
    assert {item for item, done in now.checklist.items() if done} == {"quotes_read", "dates_checked"}
    bad = client.post(
        f"/checks/{check.check_id}/edit", data={"version": str(now.version), "published_url": "javascript:alert(1)"}
    )
    assert bad.status_code == 422


def test_the_board_sorts_filters_and_counts(world: World, client: TestClient) -> None:
    world.check()
    other = world.check("The Elm Creek bridge is closed.", approve=False)
    board = client.get("/desk").text
    assert "100 %</strong> agreement" in board
    assert "Nothing to look at again." in board
    found = client.get("/desk", params={"text": "bridge", "state": "open"}).text
    assert other.check_id in found
    assert "1 found" in found
    assert client.get("/desk", params={"state": "lost"}).status_code == 422
    moved = {"version": str(other.version), "state": "in_review"}
    assert "In review" in client.post(f"/checks/{other.check_id}/move", data=moved).text


def test_what_changed_is_shown_side_by_side(world: World, client: TestClient) -> None:
    check = world.check()
    world.index.put(make_article("dam", f"{REFUTE}\n\n{SECOND}\n\nCorrection: not so.", correction=True, day=2))
    world.look()
    assert "was corrected" in client.get("/changes").text
    page = client.get("/changes/1").text
    assert "<ins>Correction: not so.</ins>" in page
    assert page.index('id="answer-1">Before') < page.index('id="answer-2">Now')
    shown = client.get(f"/checks/{check.check_id}").text
    assert "The evidence has changed, and nobody has decided since." in shown
    decide(client, world.desk.get(check.check_id), verdict="refuted", confirmed="yes")
    assert "Nothing: no check rests on evidence" in client.get("/changes").text
    assert "Decided by Ada" in client.get("/changes", params={"settled": True}).text


def test_hostile_texts_stay_text(world: World, client: TestClient) -> None:
    mark = "<script>alert(1)</script>\u202egnp"
    check = world.check(f"{CLAIM} {mark}", approve=False)
    fields = {"version": str(check.version), "by": mark, "owner": mark, "note": f"</textarea>{mark}"}
    client.post(f"/checks/{check.check_id}/edit", data=fields)
    world.index.put(make_article("dam", f"{REFUTE} {mark}", headline=f"Dam {mark}", correction=True, day=2))
    world.look()
    for path in ("/desk", f"/checks/{check.check_id}", "/changes", "/changes/1"):
        page = client.get(path).text
        assert "<script>alert" not in page, path
        assert "\u202e" not in page, path


def test_what_is_not_there_is_said(client: TestClient) -> None:
    assert client.get("/checks/none").status_code == 404
    assert client.get("/changes/999").status_code == 404
    assert client.get("/changes/x").status_code == 422
    assert client.get(f"/changes/{10**20}").status_code == 422
    assert client.get("/changes", params={"before": 10**20}).status_code == 422
    assert client.post("/checks/none/edit", data={"version": "1"}).status_code == 404
