"""A report that the newsroom published, and that was crawled, is no evidence for whoever asks the same claim anew."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from core.types import Request, Verdict
from service.app import create_app
from service.desk import CheckPatch, CheckState, DecisionPatch
from service.desk.report_filter import LEFT_OUT, NOT_LOOKED_UP, OwnReportFilter
from service.state.database import Database
from tests.service.conftest import LOOPBACK
from tests.service.desk.conftest import ADA, World
from tests.service.desk.evidence import CLAIM, REFUTE, make_article

COMMENT = "We called the ministry, which sent us the plans; the basin was measured twice in May."


@pytest.fixture
def client(world: World) -> Iterator[TestClient]:
    with TestClient(create_app(world.settings, asker=world.asker), base_url=LOOPBACK) as opened:
        yield opened


def publish(world: World, *, known_by: str, state: CheckState | None = None) -> None:
    """Decide a check, and let the crawler find the report and three copies under other names."""
    check = world.check(approve=False)
    decision = DecisionPatch(verdict=Verdict.REFUTED, reason_code="other", comment=COMMENT)
    url = "https://news.example/our-report" if known_by == "address" else None
    world.desk.change(check.check_id, CheckPatch(decision=decision, published_url=url), who=ADA)
    if state is not None:
        world.desk.change(check.check_id, CheckPatch(state=state), who=ADA)
    text = {"address": "", "name": f" Check {check.check_id}.", "comment": f" {COMMENT}"}[known_by]
    report = make_article("our-report", f"We checked it. {REFUTE}{text}", headline="Fact check: Elm Creek dam")
    world.index.put(report, make_article("copy", report.body, headline="Copied", origin_id=report.article_id))


@pytest.mark.parametrize("known_by", ["address", "name", "comment"])
def test_the_claim_asked_anew_does_not_rest_on_our_report(world: World, client: TestClient, known_by: str) -> None:
    publish(world, known_by=known_by)
    anew = client.post("/v1/verify", json={"text": f"  {CLAIM.upper()} "}).json()
    assert anew["verdict"] == "verified"
    assert [one["headline"] for one in anew["references"]] == ["Elm Creek dam opens"]
    assert LEFT_OUT.code in [one["code"] for one in anew["warnings"]]
    run = client.get(f"/v1/runs/{anew['run_id']}").json()
    assert run["result"]["request"]["filters"]["excluded_origins"], "its record says what was left out"


def test_another_claim_may_rest_on_it(world: World, client: TestClient) -> None:
    publish(world, known_by="address")
    other = client.post("/v1/verify", json={"text": "The ministry says the dam at Elm Creek holds less."}).json()
    assert "Fact check: Elm Creek dam" in [one["headline"] for one in other["references"]]
    assert other["warnings"] == []


def test_a_report_stays_no_evidence_when_its_check_is_withdrawn(world: World, client: TestClient) -> None:
    publish(world, known_by="address", state=CheckState.WITHDRAWN)
    assert client.post("/v1/verify", json={"text": CLAIM}).json()["verdict"] == "verified"


def test_a_check_without_a_report_changes_nothing(world: World, client: TestClient) -> None:
    world.check()
    anew = client.post("/v1/verify", json={"text": CLAIM}).json()
    assert (anew["verdict"], anew["warnings"]) == ("verified", [])
    assert anew["request"]["filters"].get("excluded_origins", []) == []


def test_copies_under_many_names_cost_few_rounds(world: World, client: TestClient) -> None:
    publish(world, known_by="comment")
    world.index.put(*(make_article(f"reprint-{n}", f"{REFUTE} {COMMENT} Part {n}.") for n in range(30)))
    before = len(world.asker.asked)
    assert client.post("/v1/verify", json={"text": CLAIM}).json()["verdict"] == "verified"
    assert len(world.asker.asked) - before == 1


def test_a_desk_that_cannot_be_read_keeps_nobody_from_asking(world: World, tmp_path: Path) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_text("no database", encoding="utf-8")
    asker = OwnReportFilter(world.asker, Database(broken), lambda: world.index.store)
    assert asker.run("verify", Request(text=CLAIM)).warnings == (NOT_LOOKED_UP,)
