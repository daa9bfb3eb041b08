"""
A long load on the service, with crawls and index jobs beside it: errors, memory, and whether readers see new commits.

Needs the port of the sample site, 8080. `python -m evaluation.benchmarks.service_soak --answers 20000`
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
from collections import Counter
from itertools import accumulate, count
from pathlib import Path
from typing import Any

from core.types import Model
from evaluation.benchmarks.service import DOCUMENTED, Client, memory_mb, read_queries, serving

CLIENTS = 4
CRAWL_LIMIT = 40
"""Articles of one crawl: many small crawls, each with a commit."""
WARM_UP = 0.2
"""Share of the answers after which memory is to stay flat."""
MOST_GROWTH = 0.05
POLL_S = 0.5
LOOKSY = [sys.executable, "-c", "from service.cli.main import main; main()"]


class SoakReport(Model):
    """What came of the load."""

    answers: int
    seconds: float
    statuses: dict[str, int]
    p50_ms: float
    p99_ms: float
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
    :param answers: Stop after so many.
    :param seconds: Stop after so many, too.
    """

    def __init__(self, port: int, process_id: int, *, answers: int, seconds: float) -> None:
        self.port = port
        self.process_id = process_id
        self.answers = answers
        self.ends = time.monotonic() + seconds
        self.statuses: Counter[str] = Counter()
        self.times: list[float] = []
        self.memory: list[float] = []
        self.articles: list[int] = []
        self.jobs: list[str] = []
        self._numbers = count()
        self._lock = threading.Lock()

    def run(self) -> SoakReport:
        """Ask until there are enough answers or the time is over."""
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
        times, memory, articles = sorted(self.times) or [0.0], self.memory or [0.0], self.articles or [0]
        return SoakReport(
            answers=len(self.times),
            seconds=round(seconds, 1),
            statuses=dict(self.statuses),
            p50_ms=round(statistics.median(times), 1),
            p99_ms=round(times[int(len(times) * 0.99)], 1),
            jobs=dict(Counter(self.jobs)),
            articles=(articles[0], articles[-1]),
            commits_seen=len(set(accumulate(articles, max))) - 1,
            memory_mb=(
                round(statistics.median(memory[fifth : 2 * fifth] or memory), 1),
                round(statistics.median(memory[-fifth:]), 1),
            ),
        )

    def _goes_on(self) -> bool:
        return len(self.times) < self.answers and time.monotonic() < self.ends

    def _client(self) -> None:
        asking, queries = Client(self.port), read_queries()
        while self._goes_on():
            reply = asking.ask(queries[next(self._numbers) % len(queries)])
            with self._lock:
                self.statuses[reply.status] += 1
                if reply.own_ms is not None:
                    self.times.append(reply.took_ms)
                    self.memory.append(memory_mb(self.process_id))
                    self.articles.append(reply.articles)
        asking.close()

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


def main() -> None:
    """Run the load on a fresh index of a few articles; exit code 1 on errors, a leak, or commits that nobody saw."""
    parser = argparse.ArgumentParser(description="A long load on the service, with crawls and index jobs beside it.")
    parser.add_argument("--answers", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=6 * 3600.0, help="Stop after so long, too.")
    arguments = parser.parse_args()
    site = subprocess.Popen([*LOOKSY, "sample-site"], stdout=subprocess.PIPE)  # noqa: S603
    with site, tempfile.TemporaryDirectory() as folder:
        try:
            if site.stdout is not None:
                site.stdout.readline()
            data_dir = Path(folder) / "var"
            for command in (["crawl", "sample", "--limit", str(CRAWL_LIMIT)], ["index"]):
                subprocess.run([*LOOKSY, *command, "--data-dir", str(data_dir)], check=True, capture_output=True)  # noqa: S603
            with serving(data_dir) as (port, process_id):
                soak = Soak(port, process_id, answers=arguments.answers, seconds=arguments.seconds)
                report = soak.run()
        finally:
            site.terminate()
    print(report.model_dump_json(indent=2))
    sys.exit(0 if is_sound(report) else 1)


def is_sound(report: SoakReport) -> bool:
    """Say whether nothing went wrong, memory stayed flat, and answers saw what was committed."""
    early, late = report.memory_mb
    return (
        report.answers > 0
        and not report.statuses.keys() - DOCUMENTED
        and late <= early * (1 + MOST_GROWTH)
        and report.commits_seen > 0
        and set(report.jobs) == {"done"}
    )


if __name__ == "__main__":
    main()
