"""Runs, replay, approval, evidence, feedback, streams, chat and metrics over REST."""

import json
import re
import threading
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.errors import StoreMissingError
from core.settings import Settings
from core.types import Article, Request, Verdict
from service.answers.runs import Runs
from service.app import create_app
from service.desk import Desk
from service.desk.approvals import approve
from service.operations.metrics import Metrics
from service.state.database import FILE_NAME, Database
from service.state.jobs import JobKind, JobStatus
from tests.service.fakes import FakeAsker, make_result
from tests.service.waiting import until

QUERY = {"text": "How many died?"}


def ask(client: TestClient, **options: str) -> str:
    return str(client.post("/v1/verify", json=QUERY | options).json()["run_id"])


def test_a_run_can_be_listed_and_read_again(client: TestClient) -> None:
    run_id = ask(client)
    assert [run["run_id"] for run in client.get("/v1/runs").json()] == [run_id]
    body = client.get(f"/v1/runs/{run_id}").json()
    assert body["result"]["run"]["snapshot_id"] == "s1"
    assert body["approval"] is None
    assert client.get("/v1/runs/nothing").json()["code"] == "not_found"


@pytest.mark.parametrize("keep", [0, 2])
def test_a_service_starts_with_no_more_runs_than_are_kept(settings: Settings, asker: FakeAsker, keep: int) -> None:
    earlier = Runs(Database(settings.data_dir / FILE_NAME), keep=9)
    for number in range(5):
        earlier.save(make_result(Request(text="Who?"), run_id=f"r{number}"))
    approve(Desk(earlier.database), "r0", by="Ada Fisher")
    app = create_app(settings.model_copy(update={"keep_runs": keep}), asker=asker)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert [run["run_id"] for run in client.get("/v1/runs").json()] == [*["r4", "r3"][:keep], "r0"]


def test_a_replay_says_what_differs(client: TestClient, asker: FakeAsker, monkeypatch: pytest.MonkeyPatch) -> None:
    run_id = ask(client)
    again = client.post(f"/v1/runs/{run_id}/replay").json()
    assert (again["identical"], again["differences"], again["same_index"]) == (True, [], True)
    original = asker.run

    def changed(*arguments: Any, **named: Any) -> Any:
        return original(*arguments, **named).model_copy(update={"answer": "Another answer Doc[1]."})

    monkeypatch.setattr(asker, "run", changed)
    again = client.post(f"/v1/runs/{run_id}/replay").json()
    assert again["identical"] is False
    assert [difference["field"] for difference in again["differences"]] == ["answer"]


def test_a_replay_that_takes_too_long_is_stopped(settings: Settings, asker: FakeAsker) -> None:
    app, go_on = create_app(settings, asker=asker), threading.Event()
    with TestClient(app, base_url="http://127.0.0.1") as client:
        run_id = ask(client)
        asker.work = lambda _: go_on.wait(60) and None
        app.state.looksy.answers.time_limit_s = 1.0
        assert client.post(f"/v1/runs/{run_id}/replay").status_code == 504
        go_on.set()
        until(lambda: not app.state.looksy.answers.pending)
    assert (len(asker.asked), asker.count) == (2, 1)  # begun, and not finished


def test_claim_review_only_after_a_person_approved(client: TestClient) -> None:
    run_id = ask(client, kind="statement")
    assert client.get(f"/v1/runs/{run_id}/claim-review").status_code == 403
    approval = client.put(f"/v1/runs/{run_id}/approval", json={"approved_by": "Ada Fisher"}).json()
    assert approval["approved_by"] == "Ada Fisher"
    review = client.get(f"/v1/runs/{run_id}/claim-review")
    assert review.headers["content-type"].startswith("application/ld+json")
    body = review.json()
    assert (body["@type"], body["claimReviewed"], body["author"]["name"]) == (
        "ClaimReview",
        "How many died?",
        "Ada Fisher",
    )
    assert body["reviewRating"]["ratingValue"] == 5
    assert body["reviewBody"] == "In all, 81 people had lost their lives [1]."
    assert [(one["position"], one["url"]) for one in body["citation"]] == [(1, "https://news.example/samoa")]
    assert "appearance" not in body["itemReviewed"]  # evidence is not where the claim was made
    assert client.delete(f"/v1/runs/{run_id}/approval").status_code == 204
    assert client.get(f"/v1/runs/{run_id}/claim-review").status_code == 403


def test_who_is_not_noted_as_the_approver_is_told(client: TestClient) -> None:
    place = f"/v1/runs/{ask(client)}/approval"
    assert client.put(place, json={"approved_by": "Ada Fisher"}).status_code == 200
    assert client.put(place, json={"approved_by": " Ada Fisher "}).status_code == 200
    refused = client.put(place, json={"approved_by": "Bob Hunter"})
    assert (refused.status_code, refused.json()["field"]) == (422, "approved_by")
    assert "Ada Fisher" in refused.json()["message"]
    assert client.delete(place).status_code == 204
    assert client.put(place, json={"approved_by": "Bob Hunter"}).json()["approved_by"] == "Bob Hunter"


def test_an_unverified_claim_gets_no_rating(client: TestClient, asker: FakeAsker) -> None:
    asker.changes = {"verdict": Verdict.UNVERIFIED}
    run_id = ask(client, kind="statement")
    assert client.put(f"/v1/runs/{run_id}/approval", json={"approved_by": "  "}).status_code == 422
    client.put(f"/v1/runs/{run_id}/approval", json={"approved_by": "Ada Fisher"})
    rating = client.get(f"/v1/runs/{run_id}/claim-review").json()["reviewRating"]
    assert rating == {"@type": "Rating", "alternateName": "unverified"}


def test_a_question_is_no_claim_to_review(client: TestClient) -> None:
    run_id = ask(client)
    client.put(f"/v1/runs/{run_id}/approval", json={"approved_by": "Ada Fisher"})
    refused = client.get(f"/v1/runs/{run_id}/claim-review")
    assert (refused.status_code, refused.json()["field"]) == (422, "run_id")
    assert "claim-review" not in client.get(f"/runs/{run_id}").text


def test_feedback_is_kept(client: TestClient) -> None:
    given = client.post("/v1/feedback", json={"run_id": ask(client), "helpful": False, "reason": "wrong date"})
    assert given.status_code == 201
    assert [word["reason"] for word in client.get("/v1/feedback").json()] == ["wrong date"]
    assert client.post("/v1/feedback", json={"run_id": "nothing", "helpful": True}).status_code == 404


@pytest.mark.parametrize(("path", "name"), [("jobs", "job_id"), ("feedback", "feedback_id")])
def test_lists_have_a_next_page(path: str, name: str, client: TestClient) -> None:
    for number in range(3):
        run_id = ask(client)
        client.post("/v1/feedback", json={"run_id": run_id, "helpful": True})
        client.post("/v1/batch", json={"queries": [{"id": str(number), "text": "Who?"}]})
    everything = [one[name] for one in client.get(f"/v1/{path}").json()]
    listed: list[str] = []
    while page := client.get(f"/v1/{path}", params={"limit": 2} | ({"before": listed[-1]} if listed else {})).json():
        listed += [one[name] for one in page]
    assert listed == everything
    assert len(set(listed)) == 3
    assert client.get(f"/v1/{path}?before=gone").status_code in {404, 422}


def test_feedback_on_a_part_of_a_result(client: TestClient, asker: FakeAsker) -> None:
    asker.changes = {"sections": [{"kind": "question", "title": "Who?"}, {"kind": "question", "title": "When?"}]}
    run = ask(client)
    given = client.post("/v1/feedback", json={"run_id": run, "helpful": True, "part": 2})
    assert (given.status_code, given.json()["part"]) == (201, 2)
    assert [word["part"] for word in client.get("/v1/feedback").json()] == [2]
    wrong = client.post("/v1/feedback", json={"run_id": run, "helpful": True, "part": 3})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "part")
    for part in (0, "two", 1.5):
        bad = client.post("/v1/feedback", json={"run_id": run, "helpful": True, "part": part})
        assert (bad.status_code, bad.json()["field"]) == (422, "part")


def test_search_articles_and_sources(client: TestClient, article: Article) -> None:
    found = client.get("/v1/search", params={"q": "emergency"}).json()
    assert [one["article_id"] for one in found] == [article.article_id]
    assert article.body[found[0]["start"] : found[0]["end"]] == found[0]["text"]
    name = article.source.upper()
    assert client.get("/v1/search", params={"q": "emergency", "source": name}).json() == found
    for bound in ({"published_to": "2019-01-01"}, {"source": "Other"}):
        refused = client.get("/v1/search", params={"q": "emergency"} | bound)
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_input")
    body = client.get(f"/v1/articles/{article.article_id}").json()
    assert body["article"]["headline"] == article.headline
    assert len(body["revisions"]) == 1
    assert client.get("/v1/articles/nothing").status_code == 404
    sources = client.get("/v1/sources").json()
    assert sources["counts"]["sources"][0]["by_month"] == {"2019-12": 1}


@pytest.mark.parametrize("query", [{"q": ""}, {"q": "a", "top_k": "0"}, {"q": "a", "published_from": "x"}, {}])
def test_bad_searches_are_422(client: TestClient, article: Article, query: dict[str, str]) -> None:
    assert client.get("/v1/search", params=query).status_code == 422


def test_searching_without_an_index_is_503(client: TestClient) -> None:
    assert client.get("/v1/search", params={"q": "a"}).json()["code"] == "store_missing"


def stream_events(text: str) -> list[tuple[str, dict[str, Any]]]:
    parts = [part.split("\n") for part in text.strip().split("\n\n") if part.startswith("event")]
    return [(event.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for event, data in parts]


def test_a_stream_tells_stages_and_then_the_result(client: TestClient) -> None:
    response = client.post("/v1/verify/stream", json=QUERY)
    assert response.headers["content-type"].startswith("text/event-stream")
    events = stream_events(response.text)
    assert [name for name, _ in events] == ["stage", "stage", "result"]
    assert [data["stage"] for _, data in events[:2]] == ["retrieve", "read"]
    assert events[2][1]["verdict"] == "verified"


def test_a_stream_ends_with_the_error(client: TestClient, asker: FakeAsker) -> None:
    def fail(_: Request) -> None:
        raise StoreMissingError("nothing has been indexed yet")

    asker.work = fail
    name, data = stream_events(client.post("/v1/verify/stream", json=QUERY).text)[-1]
    assert (name, data["code"]) == ("error", "store_missing")
    assert client.post("/v1/verify/stream", json={"text": ""}).status_code == 422


def test_chat_clients_can_ask(client: TestClient) -> None:
    messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "How many died?"}]
    body = client.post("/v1/chat/completions", json={"model": "looksy", "messages": messages, "temperature": 0}).json()
    assert body["object"] == "chat.completion"
    assert "Samoa lifts state of emergency" in body["choices"][0]["message"]["content"]
    parts = [{"role": "user", "content": [{"type": "text", "text": "How many died?"}]}]
    streamed = client.post("/v1/chat/completions", json={"messages": parts, "stream": True}).text
    assert streamed.endswith("data: [DONE]\n\n")
    chunks = [json.loads(line[6:]) for line in streamed.splitlines() if line.startswith("data: {")]
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
    assert deltas[0] == {"role": "assistant", "content": ""}
    assert "".join(delta.get("content", "") for delta in deltas) == body["choices"][0]["message"]["content"]
    assert len(chunks) > 5
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert streamed.index(": retrieve") < streamed.index("Samoa lifts")
    unset = client.post("/v1/chat/completions", json={"messages": messages, "stream": None}).json()  # as clients may
    assert unset["object"] == "chat.completion"
    assert {"looksy", "looksy-verify"} <= {model["id"] for model in client.get("/v1/models").json()["data"]}


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"messages": []}, 422, "messages"),
        ({"messages": [{"role": "user", "content": ""}]}, 422, "messages"),
        ({"messages": [{"role": "user", "content": "Who? " * 500}]}, 422, "messages"),
        ({"messages": [{"role": "assistant", "content": "Hello"}]}, 422, "messages"),
        ({"model": "gpt-4o", "messages": [{"role": "user", "content": "Who?"}]}, 404, "model"),
    ],
)
def test_bad_chats_are_refused(client: TestClient, body: dict[str, Any], status: int, field: str) -> None:
    refused = client.post("/v1/chat/completions", json=body)
    assert (refused.status_code, refused.json()["field"]) == (status, field)


def test_metrics_count_results_and_requests(client: TestClient, article: Article) -> None:
    ask(client)
    text = client.get("/metrics").text
    assert 'looksy_results_total{status="ok",system="verify",verdict="verified"} 1' in text
    assert 'looksy_requests_total{method="POST",route="/v1/verify",status="200"} 1' in text
    assert 'looksy_stage_seconds_count{stage="read"} 1' in text
    assert "looksy_index_articles 1" in text
    assert "How many" not in text


def test_metrics_look_at_all_jobs(client: TestClient) -> None:
    jobs = client.app.state.looksy.jobs
    jobs.create(JobKind.BATCH, {})
    crawled = jobs.create(JobKind.CRAWL, {"publisher": "bbc"})
    jobs.finish(crawled.job_id, JobStatus.DONE, result={"crawl": {}})
    assert "looksy_index_job_age_seconds" not in client.get("/metrics").text
    indexed = jobs.create(JobKind.CRAWL, {"publisher": "bbc"})
    jobs.finish(indexed.job_id, JobStatus.DONE, result={"crawl": {}, "index": {}})
    for _ in range(201):
        jobs.finish(jobs.create(JobKind.BATCH, {}).job_id, JobStatus.DONE, result={"queries": 1, "failed": 0})
    jobs.finish(jobs.create(JobKind.CRAWL, {"publisher": "bbc"}).job_id, JobStatus.FAILED)
    text = client.get("/metrics").text
    assert "looksy_jobs_unfinished 1\n" in text
    ages = dict(re.findall(r"^looksy_(crawl|index_job)_age_seconds (\S+)$", text, re.MULTILINE))
    assert set(ages) == {"crawl", "index_job"}
    assert all(0 <= float(age) < 600 for age in ages.values())


def test_metrics_have_all_digits() -> None:
    metrics = Metrics()
    metrics._counters["looksy_results_total"][()] = 12_345_678.0
    lines = metrics.render({"looksy_index_articles": 1_234_567, "looksy_crawl_age_seconds": 1_234_567.5}).splitlines()
    assert {"looksy_results_total 12345678", "looksy_index_articles 1234567"} <= set(lines)
    assert "looksy_crawl_age_seconds 1234567.5" in lines
