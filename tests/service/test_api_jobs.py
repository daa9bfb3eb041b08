"""Jobs over REST: batches, index and crawl; observed, cancelled, recovered."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.errors import ConfigError
from core.paths import SAMPLE
from core.settings import Settings
from core.types import Request, Status
from scraper.samplesite.server import SampleServer
from scraper.samplesite.stories import read_stories
from service.api.app_state import AppState
from service.app import create_app
from service.auth.keys import Keys, Scope
from service.jobs.batches import KEPT_BATCHES, results_file
from service.jobs.runner import MAX_BATCHES_OF_KEY, MAX_UNFINISHED
from service.jobs.tasks import CrawlParameters
from service.state.database import FILE_NAME, Database
from service.state.jobs import Job, JobKind, Jobs, JobStatus
from tests.scraper.crawling.playsite import Answer, PlaySite
from tests.service.fakes import FakeAsker
from tests.service.waiting import until, wait_for

QUERY = {"text": "How many died?"}
STORIES = 12


def test_a_batch_answers_every_query(client: TestClient) -> None:
    queries = [{"id": "a", "text": "Who died?"}, {"id": 2, "text": "Who won?", "kind": "question"}]
    started = client.post("/v1/batch", json={"queries": queries})
    assert started.status_code == 202
    job = wait_for(client, started.json()["job_id"])
    assert (job["status"], job["result"]) == ("done", {"queries": 2, "failed": 0})
    lines = client.get(f"/v1/jobs/{job['job_id']}/results").text.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["a", 2]
    assert json.loads(lines[0])["verdict"] == "verified"


def test_answers_of_a_batch_are_their_owners_alone(client: TestClient, state: AppState) -> None:
    job = wait_for(client, client.post("/v1/batch", json={"queries": [QUERY]}).json()["job_id"])
    assert results_file(state.settings, job["job_id"]).stat().st_mode & 0o077 == 0


def test_answers_that_failed_count_as_failed(client: TestClient, asker: FakeAsker) -> None:
    failure = {"code": "generator_failed", "message": "no answer"}
    asker.changes = {"status": Status.FAILED, "verdict": None, "answer": "", "references": (), "failure": failure}
    started = client.post("/v1/batch", json={"queries": [QUERY] * 2}).json()
    assert wait_for(client, started["job_id"])["result"] == {"queries": 2, "failed": 2}


def test_lines_of_a_batch_tell_nothing_of_the_set_up(client: TestClient, asker: FakeAsker) -> None:
    def fail(_: Request) -> None:
        raise ConfigError("/secret/verify.yaml is not valid YAML", field="pipeline", hint="Mend /secret/verify.yaml.")

    asker.work = fail
    job = wait_for(client, client.post("/v1/batch", json={"queries": [QUERY]}).json()["job_id"])
    lines = client.get(f"/v1/jobs/{job['job_id']}/results").text
    assert json.loads(lines)["error"]["code"] == "invalid_config"
    assert "secret" not in lines


def test_results_that_are_no_longer_kept_are_not_found(client: TestClient, state: AppState) -> None:
    job = wait_for(client, client.post("/v1/batch", json={"queries": [QUERY]}).json()["job_id"])
    address = f"/v1/jobs/{job['job_id']}/results"
    assert client.get(address).status_code == 200
    results_file(state.settings, job["job_id"]).unlink()
    gone = client.get(address)
    assert (gone.status_code, gone.json()["code"]) == (404, "not_found")
    assert "no longer kept" in gone.json()["message"]
    assert str(KEPT_BATCHES) in gone.json()["hint"]
    never_begun = state.jobs.create(JobKind.BATCH, {})
    state.jobs.finish(never_begun.job_id, JobStatus.CANCELLED)
    assert client.get(f"/v1/jobs/{never_begun.job_id}/results").text == ""


def test_no_half_line_is_given_as_a_result(client: TestClient, state: AppState) -> None:
    job = wait_for(client, client.post("/v1/batch", json={"queries": [QUERY]}).json()["job_id"])
    file = results_file(state.settings, job["job_id"])
    whole = file.read_text()
    file.write_bytes(whole.encode() + '{"answer": "é'.encode()[:-1])  # it is being written, or the disk got full
    assert client.get(f"/v1/jobs/{job['job_id']}/results").text == whole


def test_a_batch_with_a_bad_query_is_refused_whole(client: TestClient) -> None:
    refused = client.post("/v1/batch", json={"queries": [{"text": "Who?"}, {"text": " "}]})
    assert (refused.status_code, refused.json()["field"]) == (422, "queries.1.text")
    assert client.post("/v1/batch", json={"system": "poem", "queries": [QUERY]}).status_code == 404
    assert client.get("/v1/jobs").json() == []


def test_a_batch_refuses_an_id_that_could_not_come_back(client: TestClient) -> None:
    body = b'{"queries": [{"text": "Who?", "id": "\\ud800"}]}'
    refused = client.post("/v1/batch", content=body, headers={"content-type": "application/json"})
    assert (refused.status_code, refused.json()["field"]) == (422, "queries.0.id")
    assert client.get("/v1/jobs").json() == []


def test_batches_and_operations_have_room_of_their_own(client: TestClient, state: AppState) -> None:
    batches = [state.jobs.create(JobKind.BATCH, {}) for _ in range(MAX_UNFINISHED)]
    refused = client.post("/v1/batch", json={"queries": [QUERY]})
    assert (refused.status_code, refused.json()["code"]) == (503, "busy")
    index = client.post("/v1/jobs/index")
    assert index.status_code == 202
    wait_for(client, index.json()["job_id"])
    for _ in range(MAX_UNFINISHED):
        state.jobs.create(JobKind.CRAWL, {"publisher": "bbc"})
    assert client.post("/v1/jobs/index").status_code == 503
    state.jobs.finish(batches[0].job_id, JobStatus.DONE)
    assert client.post("/v1/batch", json={"queries": [QUERY]}).status_code == 202


def test_a_key_has_few_batches_at_one_time(settings: Settings, asker: FakeAsker) -> None:
    public, go_on = settings.model_copy(update={"host": "0.0.0.0"}), threading.Event()
    asker.work = lambda _: go_on.wait(60) and None
    with TestClient(create_app(public, asker=asker), base_url="https://looksy.example") as outside:
        keys = Keys(Database(public.data_dir / FILE_NAME))
        texts = [keys.create(name, scope=Scope.RUN)[1] for name in ("desk", "other")]
        desk, other = ({"authorization": f"Bearer {text}"} for text in texts)
        body = {"queries": [QUERY]}
        sent = [outside.post("/v1/batch", json=body, headers=desk) for _ in range(MAX_BATCHES_OF_KEY + 1)]
        assert [one.status_code for one in sent] == [202] * MAX_BATCHES_OF_KEY + [503]
        assert outside.post("/v1/batch", json=body, headers=other).status_code == 202
        go_on.set()
        outside.headers.update(desk)
        for started in sent[:-1]:
            wait_for(outside, started.json()["job_id"])
        until(lambda: not outside.app.state.looksy.runner._batches)
        assert outside.post("/v1/batch", json=body).status_code == 202


def test_a_batch_begins_even_if_old_answers_cannot_be_cleared_away(client: TestClient, state: AppState) -> None:
    folder = results_file(state.settings, "gone").parent
    folder.mkdir(parents=True)
    (folder / "gone.jsonl").symlink_to(folder / "deleted meanwhile")
    started = client.post("/v1/batch", json={"queries": [QUERY]})
    assert started.status_code == 202
    assert wait_for(client, started.json()["job_id"])["status"] == "done"


def test_batches_are_answered_one_query_at_a_time(client: TestClient, asker: FakeAsker) -> None:
    answering = threading.Semaphore(1)
    beside_each_other: list[bool] = []

    def work(_: Any) -> None:
        is_first = answering.acquire(blocking=False)
        beside_each_other.append(not is_first)
        time.sleep(0.02)
        if is_first:
            answering.release()

    asker.work = work
    started = [client.post("/v1/batch", json={"queries": [QUERY] * 5}).json() for _ in range(3)]
    assert {wait_for(client, job["job_id"])["status"] for job in started} == {"done"}
    assert beside_each_other == [False] * 15


def test_a_batch_can_be_cancelled(client: TestClient, asker: FakeAsker) -> None:
    go_on = threading.Event()
    asker.work = lambda _: go_on.wait(60) and None
    started = client.post("/v1/batch", json={"queries": [QUERY] * 200}).json()
    client.delete(f"/v1/jobs/{started['job_id']}")
    go_on.set()
    assert wait_for(client, started["job_id"])["status"] == "cancelled"


def test_crawl_jobs_name_known_publishers_only(client: TestClient) -> None:
    assert client.post("/v1/jobs/crawl", json={"publisher": "nowhere"}).status_code == 404
    assert client.post("/v1/jobs/crawl", json={"publisher": "../../etc/passwd"}).status_code == 422
    assert client.post("/v1/jobs/crawl", json={"publisher": "/tmp/x.yaml"}).status_code == 422


def test_an_index_job_runs_in_a_process_and_reports_its_failure(client: TestClient) -> None:
    started = client.post("/v1/jobs/index")
    assert started.status_code == 202
    job = wait_for(client, started.json()["job_id"])
    assert job["status"] == "failed"
    assert "no articles" in job["error"]["message"]


def test_a_job_takes_no_modules_from_the_folder_where_the_service_was_started(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("core", "yaml"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    job = wait_for(client, client.post("/v1/jobs/index").json()["job_id"])
    assert "no articles" in job["error"]["message"]


def test_a_second_crawl_is_refused_while_one_goes_on(client: TestClient, state: AppState) -> None:
    going_on = state.jobs.create(JobKind.CRAWL, {"publisher": "bbc"})
    refused = client.post("/v1/jobs/crawl", json={"publisher": "sample"})
    assert (refused.status_code, refused.json()["code"]) == (503, "busy")
    assert f"bbc is being crawled by job {going_on.job_id}" in refused.json()["message"]
    assert int(refused.headers["retry-after"]) > 0


@pytest.fixture
def state(client: TestClient) -> AppState:
    return client.app.state.looksy


@pytest.fixture
def site() -> Iterator[SampleServer]:
    with SampleServer(read_stories(SAMPLE / "articles.jsonl.gz")[:STORIES]) as server:
        yield server


def test_a_crawl_job_fetches_indexes_and_makes_readers_see_it(
    client: TestClient, state: AppState, site: SampleServer
) -> None:
    """The same job that POST /v1/jobs/crawl starts, told where the site is served on this machine."""
    started = state.runner.start_crawl(CrawlParameters(publisher="sample", home=site.address))
    refused = client.post("/v1/jobs/crawl", json={"publisher": "sample"})
    assert (refused.status_code, refused.json()["code"]) == (503, "busy")
    job = wait_for(client, started.job_id)
    assert job["status"] == "done", job
    assert job["result"]["crawl"]["new"] == STORIES
    assert job["progress"]["done"] > 0
    assert client.get("/v1/sources").json()["counts"]["articles"] == STORIES
    assert client.get("/v1/search", params={"q": site.stories[0].headline}).json()


def test_a_crawl_that_waits_for_its_site_is_cancelled_promptly(client: TestClient, state: AppState) -> None:
    slow = PlaySite()
    try:
        slow.routes["/robots.txt"] = Answer(delay_s=300)
        started = state.runner.start_crawl(CrawlParameters(publisher="sample", home=slow.home))
        until(lambda: slow.asked)
        process = state.runner._processes[started.job_id]
        assert client.delete(f"/v1/jobs/{started.job_id}").json()["status"] == "cancelled"
        process.wait(timeout=60)
        assert state.jobs.get(started.job_id).status is JobStatus.CANCELLED
    finally:
        slow.close()


def test_a_batch_is_stopped_within_a_query(client: TestClient, state: AppState, asker: FakeAsker) -> None:
    begun, go_on = threading.Event(), threading.Event()
    asker.work = lambda _: begun.set() or (go_on.wait(60) and None)
    started = client.post("/v1/batch", json={"queries": [QUERY] * 3}).json()
    assert begun.wait(60)
    assert client.delete(f"/v1/jobs/{started['job_id']}").json()["status"] == "cancelled"
    thread = state.runner._batches[started["job_id"]].thread
    go_on.set()
    thread.join(timeout=60)
    assert asker.count == 0
    assert client.get(f"/v1/jobs/{started['job_id']}/results").text == ""


def test_a_job_of_another_process_stops_when_its_row_says_so(settings: Settings) -> None:
    from core.errors import CancelledError
    from core.progress import ProgressEvent, Stage
    from service.jobs.execute import do_job

    jobs = Jobs(Database(settings.data_dir / FILE_NAME))
    job = jobs.create(JobKind.CRAWL, {"publisher": "sample"})

    def work(progress: Any) -> dict[str, Any]:
        progress(ProgressEvent(stage=Stage.CRAWL))
        jobs.finish(job.job_id, JobStatus.CANCELLED)
        progress(ProgressEvent(stage=Stage.INDEX))
        raise AssertionError("the job went on")

    assert do_job(jobs, job.job_id, work) is JobStatus.CANCELLED
    other = jobs.create(JobKind.CRAWL, {"publisher": "sample"})

    def stopped(_: Any) -> dict[str, Any]:
        raise KeyboardInterrupt

    with pytest.raises(CancelledError):  # the scheduler's own stop is passed on
        do_job(jobs, other.job_id, stopped)
    assert jobs.get(other.job_id).status is JobStatus.CANCELLED


def test_a_restart_notes_the_lost_jobs_of_its_own_host_alone(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = Jobs(Database(settings.data_dir / FILE_NAME))

    def lost(host: str) -> Job:
        monkeypatch.setattr("service.state.jobs.socket.gethostname", lambda: host)
        job = jobs.create(JobKind.CRAWL, {"publisher": "sample"})
        jobs.start(job.job_id, process_id=2**22 + 1)
        return job

    scheduler, ours = lost("scheduler"), lost("api")
    jobs.recover()
    assert jobs.get(scheduler.job_id).status is JobStatus.RUNNING
    assert jobs.get(ours.job_id).status is JobStatus.FAILED
