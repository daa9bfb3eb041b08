"""
Measure a pass over many checks: `python -m tests.service.desk.scale --articles 20000 --checks 10000`.

Print how long a pass takes when nothing that is quoted has changed, and when some quoted articles were corrected, and
how long the pages of the desk take then. Passages have 100 words each.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from core.settings import load_settings
from core.types import Article, Request, Result, Verdict
from indexing.documents import article_documents
from service.answers.caller import Caller
from service.answers.runs import write_run
from service.desk import CheckPatch, CheckState, Desk, Reviewer
from service.desk.changes import Changes
from service.desk.recheck import Recheck
from service.state.database import FILE_NAME, Database
from tests.service.desk.evidence import Index, ReadingAsker, make_article, reference

_WORDS = ("river", "dam", "water", "town", "council", "engineers", "valley", "storm", "bridge", "winter", "levels")
_BATCH = 500


def main() -> None:
    """Build index and desk, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=20_000)
    parser.add_argument("--passages", type=int, default=5, help="of an article, about")
    parser.add_argument("--checks", type=int, default=10_000)
    parser.add_argument("--corrected", type=int, default=50)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings({"data_dir": Path(folder)}, environment={})
        index, database = Index(settings), Database(Path(folder) / FILE_NAME)
        _timed("index", lambda: _fill(index, (_article(n, chosen.passages) for n in range(chosen.articles))))
        asker = ReadingAsker(index.store)
        _timed("checks", lambda: _check(database, asker, chosen.checks, chosen.articles, chosen.passages))

        def look() -> str:
            report = Recheck(settings, database, asker=asker, store=index.store).run()
            return f"{report.by_article} by article, {report.noted} noted, {report.searched} searched"

        _timed("first pass", look)
        _fill(index, [make_article("other", "Another matter altogether, in another valley.")])
        _timed("pass, nothing quoted has changed", look)
        changed = [_article(number, chosen.passages, correction=True) for number in range(chosen.corrected)]
        _fill(index, changed)
        _timed(f"pass, {chosen.corrected} quoted articles corrected", look)
        _timed("open changes", lambda: f"{len(Changes(database).find(limit=50, open_only=True))} listed")
        _timed("desk", lambda: f"{len(Desk(database).find(limit=50))} listed")
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _timed(name: str, work: Callable[[], str | None]) -> None:
    began = time.perf_counter()
    said = work()
    print(f"{name}: {time.perf_counter() - began:.2f} s {said or ''}", flush=True)


def _article(number: int, passages: int, *, correction: bool = False) -> Article:
    filling = " ".join(_WORDS[(number * 7 + at * 3) % len(_WORDS)] for at in range(100 * passages))
    figure = number + (1 if correction else 0)
    told = f"Dam {number} holds {figure} million litres, engineers said."
    return make_article(f"dam-{number}", f"{told}\n\n{filling}.", headline=f"Dam {number}", correction=correction)


def _fill(index: Index, articles: Iterator[Article] | list[Article]) -> None:
    waiting = iter(articles)
    while batch := list(islice(waiting, _BATCH)):
        with index.store.writer() as writer:
            for one in batch:
                writer.put(one, article_documents(one))


def _check(database: Database, asker: ReadingAsker, count: int, articles: int, passages: int) -> None:
    pattern = asker.run("verify", Request(text="Dam 1 holds 1 million litres."))
    desk = Desk(database)
    for number in range(count):
        result = _result(pattern, f"run-{number}", _article(number % articles, passages), number)
        with database.open() as connection:
            write_run(connection, result, Caller())
        check, _ = desk.add(result.run_id, who=Reviewer("Ada"))
        desk.change(check.check_id, CheckPatch(state=CheckState.APPROVED), who=Reviewer("Ada"))


def _result(pattern: Result, run_id: str, article: Article, number: int) -> Result:
    assert pattern.run is not None
    request = Request(text=f"Dam {number} holds {number} million litres.")
    record = pattern.run.model_copy(update={"run_id": run_id, "request": request})
    references = (reference(1, article),)
    return pattern.model_copy(
        update={
            "run_id": run_id,
            "request": request,
            "references": references,
            "run": record,
            "verdict": Verdict.VERIFIED,
        }
    )


if __name__ == "__main__":
    main()
