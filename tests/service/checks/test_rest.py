"""`POST /v1/check` and `GET /v1/check/{id}`: result, stream, job and reports."""

import json
import time

import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from tests.service.checks.samples import TEXT, FakeAnswerer

KEYS = {
    "id", "text", "start", "end", "standalone", "check_worthiness", "kind", "status", "verdict", "confidence",
    "conflicts", "references", "run_id",
}  # fmt: skip


class _Asker(FakeAnswerer):
    def warm_up(self):
        pass

    def close(self):
        pass


@pytest.fixture
def client(settings):
    with TestClient(create_app(settings, asker=_Asker()), base_url="http://127.0.0.1") as opened:
        yield opened


def _done(client, check_id):
    for _ in range(200):
        reply = client.get(f"/v1/check/{check_id}").json()
        if not reply["running"]:
            return reply
        time.sleep(0.05)
    raise AssertionError("the check did not end")


def test_a_short_text_gets_its_result(client):
    reply = client.post("/v1/check", json={"text": TEXT})
    assert reply.status_code == 200
    body = reply.json()
    assert {"id", "text_sha256", "claims", "skipped", "summary", "warnings"} <= body.keys()
    assert all(body["claims"][number].keys() >= KEYS for number in range(4))
    assert [claim["verdict"] for claim in body["claims"]] == ["verified", "refuted", None, "verified"]
    assert all(TEXT[one["start"] : one["end"]] == one["text"] for one in body["claims"] + body["skipped"])
    assert client.get(f"/v1/check/{body['id']}").json() == body
    assert client.get(f"/v1/runs/{body['claims'][0]['run_id']}").status_code == 200


def test_a_stream_tells_of_the_claims_as_they_settle(client):
    reply = client.post("/v1/check", json={"text": TEXT}, headers={"Accept": "text/event-stream"})
    events = [
        (part.split("\n")[0].removeprefix("event: "), json.loads(part.split("data: ", 1)[1]))
        for part in reply.text.strip().split("\n\n")
        if part.startswith("event: ")
    ]
    names = [name for name, _ in events]
    assert names[0] == "claims"
    assert names[-1] == "result"
    assert names.count("claim") == 3
    assert "stage" in names
    assert events[-1][1]["summary"]["waiting"] == 0


def test_a_long_text_and_one_for_the_background_become_jobs(client):
    long = f"{TEXT} " + "It was a long day for all of us here. " * 130
    for body in ({"text": long}, {"text": TEXT, "background": True}):
        reply = client.post("/v1/check", json=body)
        assert reply.status_code == 202
        assert reply.headers["location"] == f"/v1/check/{reply.json()['id']}"
        assert _done(client, reply.json()["id"])["summary"]["refuted"] == 1


@pytest.mark.parametrize(
    ("kind", "begins"), [("text/html", "<!doctype html>"), ("text/markdown", "# Checked"), ("text/csv", "id,order")]
)
def test_reports_come_in_the_form_that_the_client_accepts(client, kind, begins):
    check_id = client.post("/v1/check", json={"text": TEXT}).json()["id"]
    reply = client.get(f"/v1/check/{check_id}", headers={"Accept": kind})
    assert reply.headers["content-type"].startswith(kind)
    assert reply.text.startswith(begins)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": "word " * 20_001}, "text"),
        ({"text": "a", "max_claims": 0}, "max_claims"),
        ({"text": "a", "colour": 1}, "colour"),
        ({"text": "a", "written_on": "soon"}, "written_on"),
    ],
)
def test_what_cannot_be_used_is_named(client, body, field):
    reply = client.post("/v1/check", json=body)
    assert reply.status_code == 422
    assert reply.json()["field"] == field


def test_an_unknown_check_is_not_found(client):
    assert client.get(f"/v1/check/{'0' * 32}").status_code == 404


def test_a_claim_goes_to_the_desk_once_and_is_published_when_people_have_decided(client):
    sent = {"text": TEXT, "speaker": "Ada Moreau", "url": "https://news.example/speech", "written_on": "2026-06-30"}
    check_id = client.post("/v1/check", json=sent).json()["id"]
    address = f"/v1/check/{check_id}"
    nobody = client.get(f"{address}/claim-review")
    assert (nobody.status_code, nobody.json()["code"]) == (403, "forbidden")
    put = client.post(f"{address}/claims/c2/desk")
    assert put.status_code == 201
    check = put.json()
    assert check["claim_author"] == "Ada Moreau"
    assert check["claim_appearance"] == "https://news.example/speech"
    assert check["claim_date"] == "2026-06-30"
    again = client.post(f"{address}/claims/c2/desk")
    assert (again.status_code, again.json()["check_id"]) == (200, check["check_id"])
    decided = client.patch(f"/v1/checks/{check['check_id']}", json={"state": "approved"})
    assert decided.status_code == 200, decided.text
    reply = client.get(f"{address}/claim-review")
    assert reply.headers["content-type"].startswith("application/ld+json")
    (review,) = reply.json()["@graph"]
    assert review["claimReviewed"] == check["text"]
    assert review["reviewRating"]["alternateName"] == "refuted"
    assert review["itemReviewed"]["author"]["name"] == "Ada Moreau"
    alone = client.get(f"/v1/checks/{check['check_id']}/claim-review").json()
    assert review == {name: value for name, value in alone.items() if name != "@context"}


@pytest.mark.parametrize(("claim", "status"), [("c99", 404), ("c3", 409)])
def test_a_claim_that_is_not_there_or_was_not_judged_goes_to_no_desk(client, claim, status):
    check_id = client.post("/v1/check", json={"text": TEXT}).json()["id"]
    reply = client.post(f"/v1/check/{check_id}/claims/{claim}/desk")
    assert (reply.status_code, reply.json()["field"]) == (status, "claim_id")
