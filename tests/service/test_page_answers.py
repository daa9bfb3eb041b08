"""The page of answers: what finds them, what stands beside them, and repeats of one claim as one."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from core.settings import Settings
from core.types import Request, Verdict
from service.answers.archive import Archive
from service.answers.caller import Caller, Via
from service.answers.runs import write_run
from service.app import create_app
from service.desk import Desk, Reviewer
from service.state.database import FILE_NAME, Database
from tests.service.conftest import LOOPBACK
from tests.service.fakes import FakeAsker, make_result

ADA = Caller(person="Ada Fisher", via=Via.REST)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    database = Database(settings.data_dir / FILE_NAME)
    asked = (
        ("dam", "The dam holds 40 million litres.", Verdict.VERIFIED, ADA),
        ("again", "the dam holds 40 million litres", Verdict.REFUTED, ADA),
        ("bread", "Bread is <dearer> than last year.", Verdict.REFUTED, replace(ADA, person="Ben")),
    )
    with database.open() as connection:
        for run_id, text, verdict, caller in asked:
            write_run(connection, make_result(Request(text=text), run_id=run_id, verdict=verdict), caller)
    Desk(database).add("bread", who=Reviewer("Ben"))
    Archive(database).set_tags("bread", ["prices & wages"])
    with TestClient(create_app(settings, asker=FakeAsker()), base_url=LOOPBACK) as opened:
        yield opened


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {"dam", "bread"}),
        ("text=dam+litres", {"dam"}),
        ("verdict=refuted", {"again", "bread"}),
        ("state=open", {"bread"}),
        ("person=Ben", {"bread"}),
        ("source=example+news", {"dam", "bread"}),
        ("source=Other", set()),
        ("tag=prices+%26+wages", {"bread"}),
        ("asked_from=2024-01-01&asked_to=2024-01-01", {"dam", "bread"}),
        ("asked_from=2024-01-02", set()),
        ("text=dam&person=Ben", set()),
    ],
)
def test_answers_are_found(client: TestClient, query: str, found: set[str]) -> None:
    page = client.get(f"/runs?{query}").text
    assert set(re.findall(r'<li><a href="/runs/([a-z]+)"', page)) == found
    assert ("No answer fits." in page) is (not found)


def test_repeats_are_one_and_open_up(client: TestClient) -> None:
    page = client.get("/runs").text
    assert len(re.findall(r'<li><a href="/runs/(?:dam|again)"', page)) == 1
    place = re.search(r'href="(/runs\?repeats_of=[a-z]+)">asked 2 times', page)
    assert place is not None
    every = client.get(place[1]).text
    assert re.findall(r'<li><a href="/runs/([a-z]+)"', every) == ["dam", "again"]


def test_who_asked_state_and_tags_stand_beside_an_answer(client: TestClient) -> None:
    page = client.get("/runs?text=bread").text
    assert "Ben" in page
    assert "Bread is &lt;dearer&gt; than last year." in page
    assert re.search(r'<a href="/checks/[0-9a-f]{32}">Open</a>', page)
    assert '<a href="/runs?tag=prices+%26+wages">prices &amp; wages</a>' in page


def test_what_was_typed_stays_and_what_cannot_be_is_said(client: TestClient) -> None:
    assert 'value="dam"' in client.get("/runs?text=dam").text
    for query in ("verdict=maybe", "asked_from=yesterday", "text=%21%21"):
        refused = client.get(f"/runs?{query}")
        assert refused.status_code == 422, query
        assert 'role="alert"' in refused.text
