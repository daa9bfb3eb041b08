"""
A long load on the service, with crawls and index jobs beside it: errors, memory, and whether readers see new commits.

Needs the port of the sample site, 8080. `python -m evaluation.performance.service_soak --requests 20000`
"""

import argparse
import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from itertools import accumulate
from pathlib import Path
from typing import Any

from core.types import Model
from evaluation.performance.service import DOCUMENTED, Client, Reply, memory_mb, percentiles, read_queries, serving
from evaluation.performance.service_traffic import ANSWER, Traffic

CLIENTS = 4
CRAWL_LIMIT = 40
"""Articles of one crawl: many small crawls, each with a commit."""
WARM_UP = 0.2
"""Share of the requests after which memory is to stay flat."""
MOST_GROWTH = 0.05
POLL_S = 0.5
LOOKSY = [sys.executable, "-c", "from service.cli.main import main; main()"]


class KindReport(Model):
    """What came of one kind of requests."""

    requests: int
    """With status 200."""
    p50_ms: float
    p99_ms: float


class SoakReport(Model):
    """What came of the load."""

    requests: int
    seconds: float
    statuses: dict[str, int]
    kinds: dict[str, KindReport]
    """Those of `service_traffic.SHARES`."""
    jobs: dict[str, int]
    """How the crawl and index jobs ended."""
    articles: tuple[int, int]
    """In the index, as the first and the last answer saw it; (0, 0): there is no answer."""
    commits_seen: int
    """How often an answer saw more articles than any before it."""
    memory_mb: tuple[float, float]
    """Of the service after warm-up and at the end: medians of a fifth of the load each; 0: not known."""


class Soak:
    """
    One load.

    :param port: Of the service.
    :param process_id: Of the service.
    :param traffic: What to ask for.
    :param requests: Stop after so many that were served.
    :param seconds: Stop after so many, too.
    """

    def __init__(self, port: int, process_id: int, *, traffic: Traffic, requests: int, seconds: float) -> None:
        self.port = port
        self.process_id = process_id
        self.traffic = traffic
        self.requests = requests
        self.ends = time.monotonic() + seconds
        self.statuses: Counter[str] = Counter()
        self.times: dict[str, list[float]] = defaultdict(list)
        self.memory: list[float] = []
        self.articles: list[int] = []
        self.jobs: list[str] = []
        self._lock = threading.Lock()

    def run(self) -> SoakReport:
        """Ask until enough was served or the time is over."""
        started = time.monotonic()
        threads = [threading.Thread(target=self._client) for _ in range(CLIENTS)]
        threads.append(threading.Thread(target=self._disturb))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self._report(time.monotonic() - started)

    def _report(self, seconds: float) -> SoakReport:
        fifth = max(1, int(len(self.memory) * WARM_UP))
        memory, articles = self.memory or [0.0], self.articles or [0]
        return SoakReport(
            requests=len(self.memory),
            seconds=round(seconds, 1),
            statuses=dict(self.statuses),
            kinds={kind: _kind_report(times) for kind, times in sorted(self.times.items())},
            jobs=dict(Counter(self.jobs)),
            articles=(articles[0], articles[-1]),
            commits_seen=len(set(accumulate(articles, max))) - 1,
            memory_mb=(
                round(statistics.median(memory[fifth : 2 * fifth] or memory), 1),
                round(statistics.median(memory[-fifth:]), 1),
            ),
        )

    def _goes_on(self) -> bool:
        return len(self.memory) < self.requests and time.monotonic() < self.ends

    def _client(self) -> None:
        client = Client(self.port)
        while self._goes_on():
            kind, wanted = self.traffic.next()
            reply = client.ask(wanted) if kind == ANSWER else client.get(wanted)
            self._note(kind, wanted, reply)
        client.close()

    def _note(self, kind: str, wanted: str, reply: Reply) -> None:
        with self._lock:
            self.statuses[reply.status] += 1
            if reply.status not in DOCUMENTED:
                print(f"{reply.status}: {kind} {wanted}", file=sys.stderr)
            if reply.status != "200":
                return
            self.times[kind].append(reply.took_ms)
            self.memory.append(memory_mb(self.process_id))
            if kind == ANSWER:
                self.articles.append(reply.articles)
                self.traffic.follow(reply.run_id, reply.quoted)

    def _disturb(self) -> None:
        """Crawl some more articles and index them, again and again."""
        body = {"publisher": "sample", "limit": CRAWL_LIMIT, "index": True}
        while self._goes_on():
            for path, sent in (("/v1/jobs/crawl", body), ("/v1/jobs/index", None)):
                self.jobs.append(self._do_job(path, sent))

    def _do_job(self, path: str, sent: dict[str, object] | None) -> str:
        """Start a job and wait for it; return how it ended, or why it was refused."""
        job = self._request("POST", path, sent)
        while "job_id" in job and job["finished_at"] is None:
            time.sleep(POLL_S)
            job = self._request("GET", f"/v1/jobs/{job['job_id']}")
        return str(job.get("status") or job.get("code"))

    def _request(self, method: str, path: str, body: dict[str, object] | None = None) -> dict[str, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
        answer = json.loads(connection.getresponse().read())
        connection.close()
        return dict(answer)


def _kind_report(times: list[float]) -> KindReport:
    p50_ms, p99_ms = percentiles(times)
    return KindReport(requests=len(times), p50_ms=p50_ms, p99_ms=p99_ms)


def main() -> None:
    """Run the load on a fresh index of a few articles; exit code 1 on errors, a leak, or commits that nobody saw."""
    parser = argparse.ArgumentParser(description="A long load on the service, with crawls and index jobs beside it.")
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--answers-only", action="store_true", help="Ask for answers alone: no pages, no searches.")
    parser.add_argument("--seconds", type=float, default=6 * 3600.0, help="Stop after so long, too.")
    arguments = parser.parse_args()
    site = subprocess.Popen([*LOOKSY, "sample-site"], stdout=subprocess.PIPE)
    with site, tempfile.TemporaryDirectory() as folder:
        try:
            if site.stdout is not None:
                site.stdout.readline()
            data_dir = Path(folder) / "var"
            for command in (["crawl", "sample", "--limit", str(CRAWL_LIMIT)], ["index"]):
                subprocess.run([*LOOKSY, *command, "--data-dir", str(data_dir)], check=True, capture_output=True)
            with serving(data_dir) as (port, process_id):
                traffic = Traffic(read_queries(), answers_only=arguments.answers_only)
                soak = Soak(port, process_id, traffic=traffic, requests=arguments.requests, seconds=arguments.seconds)
                report = soak.run()
        finally:
            site.terminate()
    print(report.model_dump_json(indent=2))
    sys.exit(0 if is_sound(report) else 1)


def is_sound(report: SoakReport) -> bool:
    """Say whether nothing went wrong, memory stayed flat, and answers saw what was committed."""
    early, late = report.memory_mb
    return (
        report.requests > 0
        and not report.statuses.keys() - DOCUMENTED
        and late <= early * (1 + MOST_GROWTH)
        and report.commits_seen > 0
        and set(report.jobs) == {"done"}
    )


if __name__ == "__main__":
    main()
