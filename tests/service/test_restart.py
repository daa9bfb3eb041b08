"""Killed in mid-load and started again: clients see refusals, never wrong answers, and what was answered is kept."""

import http.client
import json
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core.settings import Settings
from core.types import Article
from service.server import bind
from service.state.database import FILE_NAME, Database
from service.state.runs import Runs

QUESTION = "How many people had lost their lives in Samoa?"
CLIENTS = 4


class Service:
    """The service in a process of its own, on a fixed port."""

    def __init__(self, data_dir: Path) -> None:
        listener = bind("127.0.0.1", 0)
        self.port = int(listener.getsockname()[1])
        listener.close()
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
        self.process.wait(timeout=10)
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
        wait(lambda: answers(seen) >= 5)
        service.kill()
        wait(lambda: "refused" in {status for status, _, _ in seen})
        before = answers(seen)
        service.start()
        wait(lambda: answers(seen) >= before + 5)
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


def wait(condition: "object") -> None:
    ends = time.monotonic() + 120
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < ends, "it does not happen"
        time.sleep(0.05)
