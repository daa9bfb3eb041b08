"""Killed in mid-load and started again: clients see refusals, never wrong answers, and what was answered is kept."""

import contextlib
import http.client
import json
import random
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core.errors import UnavailableError
from core.settings import Settings
from core.types import Article
from service.answers.runs import Runs
from service.operations.server import bind
from service.state.database import FILE_NAME, Database
from tests.service.waiting import until

QUESTION = "How many people had lost their lives in Samoa?"
CLIENTS = 4


def free_port() -> int:
    """Find one below those that systems give to clients: else one of ours may take it, or connect to itself."""
    while True:
        port = random.randrange(20_000, 30_000)
        with contextlib.suppress(UnavailableError):
            bind("127.0.0.1", port).close()
            return port


class Service:
    """The service in a process of its own, on a fixed port."""

    def __init__(self, data_dir: Path) -> None:
        self.port = free_port()
        self.data_dir = data_dir
        self.start()

    def start(self) -> None:
        code = "from service.cli.main import main; main()"
        command = [sys.executable, "-c", code, "serve", "--port", str(self.port), "--data-dir", str(self.data_dir)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        assert re.search(rf":{self.port}", self.process.stdout.readline())

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.mark.slow
def test_killed_in_mid_load_and_started_again(settings: Settings, article: Article) -> None:
    service, stop = Service(settings.data_dir), threading.Event()
    seen: list[tuple[str, str, str]] = []  # status, answer, run
    threads = [threading.Thread(target=client, args=(service.port, stop, seen)) for _ in range(CLIENTS)]
    try:
        for thread in threads:
            thread.start()
        until(lambda: answers(seen) >= 5)
        service.kill()
        until(lambda: "refused" in {status for status, _, _ in seen})
        before = answers(seen)
        service.start()
        until(lambda: answers(seen) >= before + 5)
    finally:
        stop.set()
        for thread in threads:
            thread.join(timeout=60)
        service.kill()
    assert {status for status, _, _ in seen} <= {"200", "refused", "503"}
    assert len({answer for status, answer, _ in seen if status == "200"}) == 1
    runs = Runs(Database(settings.data_dir / FILE_NAME), keep=100)
    assert all(runs.get(run).request.text == QUESTION for status, _, run in seen if status == "200")
    with Database(settings.data_dir / FILE_NAME).open() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def client(port: int, stop: threading.Event, seen: list[tuple[str, str, str]]) -> None:
    while not stop.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request(
                "POST", "/v1/verify", json.dumps({"text": QUESTION}), {"Content-Type": "application/json"}
            )
            response = connection.getresponse()
            body = json.loads(response.read())
        except (OSError, http.client.HTTPException):
            seen.append(("refused", "", ""))
            time.sleep(0.05)
        else:
            told = json.dumps([body.get("verdict"), body.get("answer"), body.get("references")])
            seen.append((str(response.status), told, str(body.get("run_id"))))
        finally:
            connection.close()


def answers(seen: list[tuple[str, str, str]]) -> int:
    return sum(status == "200" for status, _, _ in seen)
