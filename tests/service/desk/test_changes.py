"""Changes over REST, as a feed, and what ClaimReview says while nobody has decided."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from core.types import Article
from service.app import create_app
from service.cli.main import app as commands
from service.desk.difference import Edit, compare_revisions
from tests.service.conftest import LOOPBACK
from tests.service.desk.conftest import World
from tests.service.desk.evidence import REFUTE, SECOND, SUPPORT, make_article

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def client(world: World) -> Iterator[TestClient]:
    app = create_app(world.settings, asker=world.asker)
    with TestClient(app, base_url=LOOPBACK) as opened:
        yield opened


def test_a_change_shows_both_answers_and_what_changed(world: World, client: TestClient) -> None:
    check = world.check()
    world.index.put(make_article("dam", f"{REFUTE}\n\n{SECOND}\n\nCorrection: not so.", correction=True, day=2))
    world.look()
    [listed] = client.get("/v1/changes").json()
    assert (listed["kind"], listed["old_verdict"], listed["new_verdict"]) == ("corrected", "verified", "refuted")
    assert client.get("/v1/checks", params={"changed": True}).json()[0]["check_id"] == check.check_id
    shown = client.get(f"/v1/changes/{listed['change_id']}").json()
    assert (shown["old"]["verdict"], shown["new"]["verdict"]) == ("verified", "refuted")
    assert "was corrected" in shown["reason"]
    [difference] = shown["articles"]
    assert (difference["old_revision"], difference["new_revision"]) == (1, 2)
    edits = [(piece["edit"], piece["text"]) for block in difference["blocks"] for piece in block["pieces"]]
    assert ("added", "Correction: not so.") in edits
    assert any(edit == "removed" and "engineers" in text for edit, text in edits)


def test_a_claim_review_is_refused_until_somebody_decides(world: World, client: TestClient) -> None:
    check = world.check()
    address = f"/v1/checks/{check.check_id}"
    assert client.get(f"{address}/claim-review").status_code == 200
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    world.look()
    for path in (f"{address}/claim-review", f"{address}/report?format=claimreview"):
        refused = client.get(path)
        assert (refused.status_code, "was corrected" in refused.json()["message"]) == (409, True)
        assert f"/checks/{check.check_id}." in refused.json()["hint"]
    where = ["--data-dir", str(world.settings.data_dir)]
    by_command = CliRunner().invoke(commands, ["report", check.check_id, "--format", "claimreview", *where])
    assert (by_command.exit_code, "was corrected" in by_command.stderr) == (1, True)
    client.patch(address, json={"state": "approved"})
    review = client.get(f"{address}/claim-review").json()
    assert review["reviewRating"]["alternateName"] == "refuted"
    assert client.get(f"{address}/report?format=claimreview").json() == review
    assert client.get("/v1/changes", params={"open_only": True}).json() == []
    assert len(client.get("/v1/changes").json()) == 1


def test_changes_come_in_pages_and_by_check(world: World, client: TestClient) -> None:
    checks = [world.check(), world.check()]
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    world.look()
    latest, first = client.get("/v1/changes").json()
    assert client.get("/v1/changes", params={"before": latest["change_id"]}).json() == [first]
    ours = client.get("/v1/changes", params={"check_id": checks[0].check_id}).json()
    assert [one["check_id"] for one in ours] == [checks[0].check_id]
    assert client.get("/v1/changes/999").status_code == 404
    assert client.get("/v1/changes", params={"since": 1}).status_code == 422


def test_the_feed_is_atom_whatever_the_texts_hold(world: World, client: TestClient) -> None:
    assert ET.fromstring(client.get("/v1/changes.atom").content).findall(f"{ATOM}entry") == []
    world.check("<b>The dam</b> at Elm Creek holds 40 million litres & \x0c more.")
    world.index.put(make_article("dam", REFUTE, headline="Dam <script>]]></script>", correction=True, day=2))
    world.look()
    reply = client.get("/v1/changes.atom")
    assert reply.headers["content-type"].startswith("application/atom+xml")
    [entry] = ET.fromstring(reply.content).findall(f"{ATOM}entry")
    assert "Dam <script>]]></script>" in (entry.findtext(f"{ATOM}summary") or "")
    assert (entry.findtext(f"{ATOM}id") or "").endswith("/changes/1")


def test_metrics_count_changes(world: World, client: TestClient) -> None:
    world.check()
    world.index.put(make_article("dam", REFUTE, correction=True, day=2))
    world.look()
    told = client.get("/metrics").text
    assert 'looksy_evidence_changes{kind="corrected"} 1' in told
    assert "looksy_checks_changed 1" in told


def _pieces(old: str, new: str) -> list[tuple[Edit, str]]:
    blocks = compare_revisions(_article(old), _article(new))
    return [(piece.edit, piece.text) for block in blocks for piece in block.pieces]


def _article(body: str) -> Article:
    return make_article("dam", body)


def test_a_difference_reads_as_phrases() -> None:
    found = _pieces(f"{SUPPORT}\n\n{SECOND}", f"{SUPPORT.replace('40 million', '35,000')}\n\n{SECOND}")
    assert found == [
        (Edit.SAME, "The dam at Elm Creek holds "),
        (Edit.REMOVED, "40 million"),
        (Edit.ADDED, "35,000"),
        (Edit.SAME, " litres, engineers said."),
    ]


def test_a_paragraph_that_is_new_stands_alone() -> None:
    found = _pieces(f"{SUPPORT}\n\n{SECOND}", f"{SUPPORT}\n\nCorrection: the dam was opened in May.\n\n{SECOND}")
    assert found == [(Edit.ADDED, "Correction: the dam was opened in May.")]


def test_the_same_text_has_no_difference() -> None:
    assert compare_revisions(_article(SUPPORT), _article(f"{SUPPORT}\n")) == ()


def test_a_huge_article_is_compared_in_time() -> None:
    old = "\n\n".join(f"Paragraph {number} on the river and its {number % 7} bridges." for number in range(5000))
    new = "\n\n".join(f"Sentence {number} about another town with {number % 5} mills." for number in range(5000))
    assert len(_pieces(old, new)) >= 5000
