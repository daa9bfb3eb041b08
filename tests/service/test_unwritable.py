"""A database that cannot be written takes no answer away."""

import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.errors import StoreVersionError
from core.settings import Settings
from service.answers.runs import MAX_UNKEPT
from service.app import create_app
from service.state.database import FILE_NAME, Database
from service.state.jobs import JobKind, Jobs, JobStatus
from tests.service.conftest import LOOPBACK
from tests.service.fakes import FakeAsker
from tests.service.waiting import wait_for

QUERY = {"text": "How many died?"}
FAULT = "BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"


@pytest.fixture
def full(client: TestClient, settings: Settings) -> TestClient:
    """A service whose database takes no more runs and no progress of jobs."""
    database = sqlite3.connect(settings.data_dir / FILE_NAME)
    database.execute(f"CREATE TRIGGER no_runs BEFORE INSERT ON runs {FAULT}")
    database.execute(f"CREATE TRIGGER no_progress BEFORE UPDATE OF progress ON jobs {FAULT}")
    database.close()
    return client


@contextmanager
def no_ends(settings: Settings) -> Iterator[None]:
    """Let the database take the end of no job meanwhile."""
    database = sqlite3.connect(settings.data_dir / FILE_NAME)
    database.execute(f"CREATE TRIGGER no_ends BEFORE UPDATE OF finished_at ON jobs {FAULT}")
    yield
    database.execute("DROP TRIGGER no_ends")
    database.close()


def started(settings: Settings) -> TestClient:
    return TestClient(create_app(settings, asker=FakeAsker()), base_url=LOOPBACK, raise_server_exceptions=False)


def codes(result: dict[str, Any]) -> list[str]:
    return [warning["code"] for warning in result["warnings"]]


def test_an_answer_that_cannot_be_kept_is_given_and_says_so(full: TestClient) -> None:
    answered = full.post("/v1/verify", json=QUERY)
    assert answered.status_code == 200
    assert (answered.json()["verdict"], codes(answered.json())) == ("verified", ["run_not_kept"])
    events = full.post("/v1/verify/stream", json=QUERY).text.strip().split("\n\n")
    assert events[-1].startswith("event: result")
    assert codes(json.loads(events[-1].split("data: ")[1])) == ["run_not_kept"]


def test_the_page_shows_an_answer_that_cannot_be_kept(full: TestClient) -> None:
    shown = full.post("/", data=QUERY, headers={"accept": "text/html"})
    assert shown.status_code == 200
    assert "81 people" in shown.text
    assert "could not keep this answer" in shown.text
    assert "Link to this answer" not in shown.text
    assert "Was this helpful?" not in shown.text
    assert full.put("/v1/runs/run-1/approval", json={"approved_by": "Ada"}).status_code == 404
    assert full.get("/v1/runs").json() == []


def test_answers_in_memory_make_room_for_later_ones(full: TestClient) -> None:
    for _ in range(MAX_UNKEPT + 1):
        assert full.post("/v1/verify", json=QUERY).status_code == 200
    assert full.get("/v1/runs/run-1").status_code == 404
    assert full.get(f"/v1/runs/run-{MAX_UNKEPT + 1}").status_code == 200


def test_a_batch_goes_on_where_its_progress_cannot_be_kept(full: TestClient) -> None:
    job_id = full.post("/v1/batch", json={"queries": [QUERY] * 2}).json()["job_id"]
    job = wait_for(full, job_id)
    assert (job["status"], job["result"]) == ("done", {"queries": 2, "failed": 0})
    lines = full.get(f"/v1/jobs/{job_id}/results").text.splitlines()
    assert [codes(json.loads(line)) for line in lines] == [["run_not_kept"]] * 2


@pytest.mark.parametrize(("path", "body"), [("/v1/batch", {"queries": [QUERY]}), ("/v1/jobs/index", None)])
def test_a_job_whose_end_cannot_be_kept_is_failed_as_soon_as_it_can(
    path: str, body: dict[str, Any] | None, client: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.jobs.runner.NOTE_AGAIN_S", 0.1)
    monkeypatch.setattr("service.jobs.runner.sys.executable", shutil.which("false"))
    tries = threading.Semaphore(0)
    finish = client.app.state.looksy.jobs.finish

    def counted(*arguments: Any, **named: Any) -> bool:
        tries.release()
        return finish(*arguments, **named)

    monkeypatch.setattr(client.app.state.looksy.jobs, "finish", counted)
    with no_ends(settings):
        job_id = client.post(path, json=body).json()["job_id"]
        for _ in range(3):
            assert tries.acquire(timeout=60)
        assert client.get(f"/v1/jobs/{job_id}").json()["status"] in {"queued", "running"}
    assert wait_for(client, job_id)["status"] == "failed"


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_job_whose_process_cannot_be_started_is_failed(
    is_kept: bool, client: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("service.jobs.runner.NOTE_AGAIN_S", 0.1)
    with nullcontext() if is_kept else no_ends(settings), monkeypatch.context() as patched:
        patched.setattr("service.jobs.runner.subprocess.Popen", fail)
        refused = client.post("/v1/jobs/index")
    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
    (job,) = client.get("/v1/jobs").json()
    assert wait_for(client, job["job_id"])["error"]["code"] == "unavailable"
    monkeypatch.setattr("service.jobs.runner.sys.executable", shutil.which("false"))
    assert client.post("/v1/jobs/index").status_code == 202


def test_a_service_that_cannot_tidy_up_at_its_start_answers(settings: Settings) -> None:
    jobs = Jobs(Database(settings.data_dir / FILE_NAME))
    lost = jobs.create(JobKind.CRAWL, {"publisher": "sample"}).job_id
    jobs.start(lost, process_id=2**22 + 1)
    with no_ends(settings), started(settings) as client:
        assert client.post("/v1/verify", json=QUERY).json()["verdict"] == "verified"
    assert jobs.get(lost).status is JobStatus.RUNNING
    with started(settings):
        assert jobs.get(lost).status is JobStatus.FAILED


def test_a_service_does_not_start_over_a_newer_ones_database(settings: Settings) -> None:
    with Database(settings.data_dir / FILE_NAME).open() as connection:
        connection.execute("PRAGMA user_version = 999")
    with pytest.raises(StoreVersionError), started(settings):
        pass
