"""
Load on the service: throughput, latency, memory, and what HTTP adds.

Starts `looksy serve` on a free loopback port over a data folder that holds an index, and asks it queries from 1, 8 and
64 clients, with each `--judge` in turn. `python -m evaluation.performance.service --data-dir var/demo --seconds 30`
"""

import argparse
import http.client
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from core.errors import UnavailableError
from core.paths import SAMPLE
from core.types import Model, Status
from pipelines.contracts.verifier import SHIPPED

CLIENTS = (1, 8, 64)
START_S = 60.0
REFUSED_S = 0.05
CLIENT_TIMEOUT_S = 120.0
READ_BYTES = 65536
_OK = "200"
_HOST = "Host: 127.0.0.1\r\n"
_HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
DOCUMENTED = frozenset({"200", "503"})


class Reply(Model):
    """What came back for one query."""

    status: str
    """Of HTTP; `failed` for a reply with 200 whose result is a failure; or the name of what broke the connection."""
    took_ms: float = 0.0
    own_ms: float | None = None
    """What the pipeline took by itself; None: there is no answer."""
    articles: int = 0
    """In the index that the answer was made from."""
    run_id: str = ""
    quoted: tuple[str, ...] = ()
    """Ids of the articles that the answer quotes."""


class LoadReport(Model):
    """One load."""

    judge: str = SHIPPED
    clients: int
    seconds: float
    answers: int
    """Replies with status 200."""
    statuses: dict[str, int]
    per_second: float
    p50_ms: float
    p99_ms: float
    overhead_p50_ms: float
    """Median of the time beyond the pipeline's own `timings.total`: HTTP on both sides, and keeping the run."""
    cpu_ms_per_answer: float
    """Processor time that the service spent, by answer: telling on a busy machine, too."""
    cores: float
    """Processors that the service kept busy."""
    memory_mb: float
    """Of the service, after the load."""


def read_queries() -> list[str]:
    """Return the texts of the sample's queries."""
    with (SAMPLE / "queries.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


@contextmanager
def serving(data_dir: Path, *, judge: str = SHIPPED) -> Iterator[tuple[int, int]]:
    """
    Run the service.

    :param judge: As in the setting.
    :returns: Its port and process id.
    :raises UnavailableError: If it does not become ready.
    """
    code = "from service.cli.main import main; main()"
    options = ["--port", "0", "--data-dir", str(data_dir), "--set", f"judge={judge}"]
    command = [sys.executable, "-c", code, "serve", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found is None:
                raise UnavailableError("the service did not start", hint="Try 'looksy serve' by itself.")
            port = int(found[1])
            _wait_ready(port)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(timeout=30)


def run_load(port: int, process_id: int, *, clients: int, seconds: float, queries: list[str]) -> LoadReport:
    """Ask from `clients` threads for some seconds, each waiting for its answer before it asks again."""
    ends, numbers, lock = time.monotonic() + seconds, count(), threading.Lock()
    statuses: Counter[str] = Counter()
    times: list[float] = []
    overheads: list[float] = []

    def client() -> None:
        asking = Client(port)
        while time.monotonic() < ends:
            reply = asking.ask(queries[next(numbers) % len(queries)])
            with lock:
                statuses[reply.status] += 1
                if reply.own_ms is not None:
                    times.append(reply.took_ms)
                    overheads.append(reply.took_ms - reply.own_ms)
        asking.close()

    started, cpu_before = time.monotonic(), cpu_s(process_id)
    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took, used = time.monotonic() - started, cpu_s(process_id) - cpu_before
    p50_ms, p99_ms = percentiles(times)
    return LoadReport(
        clients=clients,
        seconds=round(took, 1),
        answers=statuses["200"],
        statuses=dict(statuses),
        per_second=round(statuses["200"] / took, 2),
        p50_ms=p50_ms,
        p99_ms=p99_ms,
        overhead_p50_ms=round(statistics.median(overheads), 2) if overheads else 0.0,
        cpu_ms_per_answer=round(used * 1000 / max(statuses["200"], 1), 1),
        cores=round(used / took, 2),
        memory_mb=round(memory_mb(process_id), 1),
    )


def percentiles(times: Sequence[float]) -> tuple[float, float]:
    """Return the 50th and the 99th percentile, rounded; 0 of no times."""
    if not times:
        return 0.0, 0.0
    return round(statistics.median(times), 1), round(sorted(times)[int(len(times) * 0.99)], 1)


class Client:
    """
    One kept connection. It sends prepared bytes and parses what came only afterwards: the client's own work, which is
    none of the service's, stays out of the time, as with wrk.

    :param port: Of the service, on loopback.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self._socket: socket.socket | None = None

    def ask(self, text: str) -> Reply:
        """Ask one query; after a refusal, wait a moment."""
        body = json.dumps({"text": text}).encode()
        head = (
            f"POST /v1/verify HTTP/1.1\r\n{_HOST}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        reply, raw = self._exchange(head.encode() + body)
        if reply.status != _OK:
            return reply
        result = json.loads(raw)
        if result["status"] == Status.FAILED:
            return reply.model_copy(update={"status": "failed"})
        return Reply(
            status=_OK,
            took_ms=reply.took_ms,
            own_ms=result["timings"]["total"],
            articles=result["searched"]["articles"],
            run_id=result["run_id"],
            quoted=tuple(reference["article_id"] for reference in result["references"]),
        )

    def get(self, path: str) -> Reply:
        """Fetch a page or a resource; after a refusal, wait a moment."""
        reply, _ = self._exchange(f"GET {path} HTTP/1.1\r\n{_HOST}\r\n".encode())
        return reply

    def close(self) -> None:
        """Give the connection back; the next query opens another."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _exchange(self, request: bytes) -> tuple[Reply, bytes]:
        try:
            connection = self._connect()
            started = time.perf_counter()
            connection.sendall(request)
            status, body = _read_reply(connection)
        except OSError as error:
            self.close()
            return Reply(status=type(error).__name__), b""
        took = (time.perf_counter() - started) * 1000
        if status != http.client.OK:
            time.sleep(REFUSED_S)
        return Reply(status=str(status), took_ms=took), body

    def _connect(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self.port), timeout=CLIENT_TIMEOUT_S)
        return self._socket


def _read_reply(connection: socket.socket) -> tuple[int, bytes]:
    """
    Read one reply with a Content-Length, which all but streams have.

    :returns: Its status and body.
    :raises ConnectionError: If the connection ends before the reply does.
    """
    head, length, received = b"", 0, b""
    while not head or len(received) < length:
        part = connection.recv(READ_BYTES)
        if not part:
            raise ConnectionAbortedError("the reply is not whole")
        received += part
        if not head and _HEAD_END in received:
            head, _, received = received.partition(_HEAD_END)
            found = _LENGTH.search(head)
            length = int(found[1]) if found else 0
    return int(head.split(b" ", 2)[1]), received


def _wait_ready(port: int) -> None:
    ends = time.monotonic() + START_S
    while time.monotonic() < ends:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_S)
            connection.request("GET", "/readyz")
            if connection.getresponse().status == http.client.OK:
                return
        except OSError:
            pass
        time.sleep(0.2)
    raise UnavailableError("the service is not ready", hint="GET /readyz says which part is missing.")


def cpu_s(process_id: int) -> float:
    """Return the processor time that a process has used, of all its threads; 0 where the system does not tell."""
    path = Path(f"/proc/{process_id}/stat")
    if not path.is_file():
        return 0.0
    user, system = path.read_text(encoding="utf-8").rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def memory_mb(process_id: int) -> float:
    """Return the memory that a process holds; 0 where the system does not tell."""
    status = Path(f"/proc/{process_id}/status")
    if not status.is_file():
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text(encoding="ascii"))
    return int(found[1]) / 1024 if found else 0.0


def main() -> None:
    """Run the loads and print one JSON object each; exit code 1 if a reply was none of the documented ones."""
    parser = argparse.ArgumentParser(description="Load on the service.")
    parser.add_argument("--data-dir", type=Path, required=True, help="Holds an index, e.g. of looksy demo.")
    parser.add_argument("--seconds", type=float, default=30.0, help="Length of each load.")
    parser.add_argument("--clients", type=int, nargs="+", default=list(CLIENTS))
    parser.add_argument("--judge", nargs="+", default=[SHIPPED], help="As in the setting; one or several.")
    arguments = parser.parse_args()
    unexpected: set[str] = set()
    for judge in arguments.judge:
        with serving(arguments.data_dir, judge=judge) as (port, process_id):
            for clients in arguments.clients:
                report = run_load(port, process_id, clients=clients, seconds=arguments.seconds, queries=read_queries())
                print(report.model_copy(update={"judge": judge}).model_dump_json(), flush=True)
                unexpected |= report.statuses.keys() - DOCUMENTED
    sys.exit(1 if unexpected else 0)


if __name__ == "__main__":
    main()
