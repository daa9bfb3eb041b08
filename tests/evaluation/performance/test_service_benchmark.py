"""The load and the soak, against a small service that behaves or does not."""

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

import pytest

from evaluation.performance import service, service_soak
from evaluation.performance.service import DOCUMENTED, run_load
from evaluation.performance.service_soak import Soak, SoakReport, is_sound
from evaluation.performance.service_traffic import ANSWER, PAGES, SHARES, Traffic

QUERIES = ["Who?", "Where?"]
REQUESTS = 300


class SmallService(ThreadingHTTPServer):
    """Answers as the service does; `fault` says what is wrong with it."""

    daemon_threads = True

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.answered = count(1)
        super().__init__(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: SmallService

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        if self.path.startswith("/v1/jobs/"):
            self._reply(202, {"job_id": "j1", "finished_at": None, "status": "queued"})
            return
        number, fault = next(self.server.answered), self.server.fault
        if fault == "error" and number == 1:
            self._reply(500, {})
        elif fault == "busy" and number % 5 == 0:
            self._reply(503, {})
        else:
            articles = 40 if fault == "unseen" else 40 + number // 5
            status = "failed" if fault == "failure" and number == 1 else "ok"
            facts = {"timings": {"total": 0.1}, "searched": {"articles": articles}}
            self._reply(200, {"status": status, "run_id": "r1", "references": [{"article_id": "a1"}], **facts})

    def do_GET(self) -> None:
        if not self.path.startswith("/v1/jobs/"):
            self._reply(404 if self.server.fault == "lost" and self.path == "/v1/runs/r1" else 200, {})
            return
        status = "failed" if self.server.fault == "job" else "done"
        self._reply(200, {"job_id": "j1", "finished_at": "2026-01-31", "status": status})

    def _reply(self, status: int, body: dict[str, Any]) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallService]:
    monkeypatch.setattr(service_soak, "POLL_S", 0.01)
    monkeypatch.setattr(service, "REFUSED_S", 0.0)
    server = SmallService(getattr(request, "param", ""))
    yield server
    server.shutdown()
    server.server_close()


def soak(small: SmallService) -> SoakReport:
    traffic = Traffic(QUERIES)
    return Soak(small.server_address[1], os.getpid(), traffic=traffic, requests=REQUESTS, seconds=30).run()


def test_a_load_counts_answers_and_what_http_adds(small: SmallService) -> None:
    report = run_load(small.server_address[1], os.getpid(), clients=2, seconds=0.5, queries=QUERIES)
    assert report.statuses == {"200": report.answers}
    assert report.answers
    assert 0 < report.overhead_p50_ms < report.p50_ms  # the pipeline's own 0.1 ms are taken off
    assert report.p50_ms <= report.p99_ms


@pytest.mark.parametrize(("small", "status"), [("failure", "failed"), ("error", "500")], indirect=["small"])
def test_a_load_tells_failures_from_answers(small: SmallService, status: str) -> None:
    report = run_load(small.server_address[1], os.getpid(), clients=2, seconds=0.5, queries=QUERIES)
    assert report.statuses.keys() - DOCUMENTED == {status}


@pytest.mark.parametrize("small", ["", "busy"], indirect=True)
def test_a_good_service_is_sound(small: SmallService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_soak, "memory_mb", lambda _: 400.0)
    report = soak(small)
    assert is_sound(report), report
    assert report.kinds.keys() == SHARES.keys()
    assert report.commits_seen >= 1
    assert set(report.jobs) == {"done"}


@pytest.mark.parametrize("small", ["error", "failure", "unseen", "job", "lost"], indirect=True)
def test_a_bad_service_is_not(small: SmallService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_soak, "memory_mb", lambda _: 400.0)
    assert not is_sound(soak(small))


def test_a_leak_is_seen(small: SmallService, monkeypatch: pytest.MonkeyPatch) -> None:
    grown = count(6000)
    monkeypatch.setattr(service_soak, "memory_mb", lambda _: next(grown) / 10)
    assert is_sound(soak(small))  # 300 requests, 4 % after warm-up
    grown = count(1000)
    assert not is_sound(soak(small))


def test_a_service_that_is_not_there_is_not_sound() -> None:
    server = SmallService()
    port = server.server_address[1]
    server.shutdown()
    server.server_close()
    loaded = run_load(port, os.getpid(), clients=1, seconds=0.05, queries=QUERIES)
    assert loaded.answers == 0
    assert loaded.statuses.keys() == {"ConnectionRefusedError"}


def test_traffic_follows_what_answers_lead_to_and_repeats_by_its_seed() -> None:
    first, second = Traffic(QUERIES, seed=3), Traffic(QUERIES, seed=3)
    assert [first.next() for _ in range(50)] == [second.next() for _ in range(50)]
    first.follow("r1", ["a1"])
    seen = [first.next() for _ in range(500)]
    links = {wanted for kind, wanted in seen if kind == "link"}
    assert links == {"/v1/runs/r1", "/runs/r1", "/v1/articles/a1", "/articles/a1"}
    assert {wanted for kind, wanted in seen if kind == "page"} == set(PAGES)
    assert 0.04 < sum(kind == ANSWER for kind, _ in seen) / len(seen) < 0.14


def test_traffic_of_answers_alone() -> None:
    traffic = Traffic(QUERIES, answers_only=True)
    assert {traffic.next()[0] for _ in range(50)} == {ANSWER}
