"""A fake engine and results, for tests of what lies above the engine."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime

from core.errors import NotFoundError
from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from core.types import (
    QueryKind,
    Quote,
    Reference,
    Relation,
    Request,
    Result,
    RunRecord,
    Searched,
    Status,
    Verdict,
)

BODY = "Samoa lifted its state of emergency. In all, 81 people had lost their lives."


def make_result(request: Request, *, run_id: str = "run-1", **changes: object) -> Result:
    """Return a result with one quote."""
    quote = Quote(
        text="81 people had lost their lives",
        start=BODY.index("81"),
        end=BODY.index("81") + len("81 people had lost their lives"),
        relation=Relation.SUPPORTS,
        score=0.93,
        content_hash="0" * 64,
        link="https://news.example/samoa#:~:text=81%20people",
    )
    reference = Reference(
        number=1,
        article_id="a" * 16,
        revision=1,
        url="https://news.example/samoa",
        headline="Samoa lifts state of emergency",
        published_at=datetime(2019, 12, 30, tzinfo=UTC),
        source="Example News",
        origin_id="a" * 16,
        quotes=(quote,),
    )
    record = RunRecord(
        run_id=run_id,
        created_at=datetime(2024, 1, 1, tzinfo=UTC),
        version="0.1.0",
        system="verify",
        request=request,
        settings={"top_k": 20},
        snapshot_id="s1",
        models={"reader": "m1"},
        pipeline_hash="p1",
    )
    fields: dict[str, object] = {
        "system": "verify",
        "request": request,
        "kind": request.kind or QueryKind.QUESTION,
        "status": Status.OK,
        "verdict": Verdict.VERIFIED,
        "answer": "In all, 81 people had lost their lives Doc[1].",
        "references": (reference,),
        "articles_supporting": 1,
        "origins_supporting": 1,
        "searched": Searched(
            queries=(request.text,), articles=1, passages=1, sources=("Example News",), snapshot_id="s1"
        ),
        "timings": {"read": 10.0, "total": 12.0},
        "run_id": run_id,
        "run": record,
    }
    return Result.model_validate(fields | changes)


class FakeAsker:
    """
    Answers every request with the same result.

    :param work: Called with the request before the answer; may raise or wait.
    """

    def __init__(self, work: Callable[[Request], None] | None = None) -> None:
        self.work = work
        self.asked: list[tuple[str, Request]] = []
        self.closed = threading.Event()
        self.count = 0
        self.changes: dict[str, object] = {}
        """Fields of the result that are to be others."""

    def run(self, system: str, request: Request, *, progress: Progress = ignore_progress) -> Result:
        if system != "verify":
            raise NotFoundError(f"there is no system {system!r}", field="system", hint="Use verify.")
        self.asked.append((system, request))
        progress(ProgressEvent(stage=Stage.RETRIEVE))
        if self.work is not None:
            self.work(request)
        progress(ProgressEvent(stage=Stage.READ, done=1, total=1))
        self.count += 1
        return make_result(request, run_id=f"run-{self.count}", **self.changes)

    def warm_up(self) -> None:
        return

    def close(self) -> None:
        self.closed.set()
