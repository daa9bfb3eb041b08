"""Files and state agree after a kill, a full disk and a power cut."""

import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core.errors import StoreError
from scraper.state.archive import archive_path, make_reference
from scraper.state.crawls import Crawls
from scraper.state.database import AppendedFile, Database
from scraper.state.frontier import Frontier, Listed, Outcome, Settled
from scraper.state.ledger import Ledger
from scraper.state.summary import articles_path
from tests.scraper.crawling.nearly_full import NearlyFull
from tests.scraper.crawling.playsite import HOME
from tests.scraper.crawling.test_parts import article


def test_files_and_state_agree_after_a_torn_write(tmp_path: Path) -> None:
    database = Database(tmp_path).open()
    lines = AppendedFile(tmp_path, Path("articles/play/1.jsonl"))
    with database.transaction() as sql:
        lines.append(sql, b"whole\n")
    with pytest.raises(sqlite3.OperationalError), database.transaction() as sql:
        sql.execute("SELECT 1 FROM no_table", lines.append(sql, b"torn") and ())
    lines.close()
    assert len(database.repair_files()) == 1
    assert (tmp_path / lines.path).read_bytes() == b"whole\n"
    assert database.repair_files() == []
    database.close()


def test_write_that_the_system_cuts_short_is_gone_on_with(tmp_path: Path) -> None:
    database = Database(tmp_path).open()
    lines = AppendedFile(tmp_path, Path("articles/play/1.jsonl"))
    lines._file = NearlyFull(lines._file, room=100)  # type: ignore[assignment]
    with database.transaction() as sql:
        lines.append(sql, b"a line that is longer than one write takes\n")
    lines.close()
    assert (tmp_path / lines.path).read_bytes() == b"a line that is longer than one write takes\n"
    assert database.repair_files() == []
    database.close()


def test_full_disk_is_not_called_a_file_that_is_no_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def full(path: Path, **options: Any) -> sqlite3.Connection:
        connection = connect(path, **options)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(sqlite3, "connect", full)
    with pytest.raises(StoreError, match=r"state\.sqlite could not be written: database or disk is full") as caught:
        Database(tmp_path).open()
    assert caught.value.code == "store_unusable"
    assert "Make room" in str(caught.value.hint)


def test_state_that_became_full_can_be_written_again_once_there_is_room(tmp_path: Path) -> None:
    database = Database(tmp_path).open()
    pages = database.sql.execute("PRAGMA page_count").fetchone()[0]
    database.sql.execute(f"PRAGMA max_page_count = {pages}")

    def add() -> None:
        with database.transaction() as sql:
            sql.execute("INSERT INTO files (path, bytes) VALUES (?, 1)", ("x" * 100_000,))

    for _ in range(2):
        with pytest.raises(sqlite3.OperationalError, match="database or disk is full"):
            add()
    database.sql.execute(f"PRAGMA max_page_count = {pages + 1000}")
    add()
    database.close()


@pytest.mark.parametrize("finished", [False, True])
def test_file_that_lost_its_end_ends_with_a_whole_line_and_the_rest_is_due(tmp_path: Path, finished: bool) -> None:
    now = datetime(2024, 3, 5, tzinfo=UTC)
    database = Database(tmp_path).open()
    run = Crawls(database).begin("play", config="c", now=now)
    frontier, ledger = Frontier(database, run), Ledger(database, "play")
    lines = AppendedFile(tmp_path, articles_path("play", run.run_id))
    with database.transaction() as sql:
        frontier.add(sql, [Listed("a", f"{HOME}/a"), Listed("b", f"{HOME}/b")])
    for page, name in zip(frontier.due(after=0, limit=9), ("a" * 16, "b" * 16), strict=True):
        with database.transaction() as sql:
            ledger.write(sql, lines, article(None).model_copy(update={"article_id": name}), url_id=page.id)
            settled = Settled(Outcome.NEW, article_id=name, next_due=now + timedelta(days=365))
            frontier.settle(sql, page, settled, now=now)
    lines.close()
    assert not finished or Crawls(database).finish(run)
    path = tmp_path / lines.path
    first = path.read_bytes().splitlines(keepends=True)[0]
    os.truncate(path, len(first) + 10)
    assert "1 pages will be fetched again" in database.repair_files()[0]
    assert path.read_bytes() == first
    assert database.repair_files() == []
    later = Crawls(database).begin("play", config="c", now=now + timedelta(days=1))
    assert later.resumed is not finished
    assert [page.url for page in Frontier(database, later).due(after=0, limit=9)] == [f"{HOME}/b"]
    database.close()


@pytest.mark.parametrize(("size", "kept"), [(250, ["a", "b"]), (200, ["a"]), (150, ["a"]), (0, [])])
def test_pages_whose_records_an_archive_may_have_lost_are_asked_for_anew(
    tmp_path: Path, size: int, kept: list[str]
) -> None:
    now = datetime(2024, 3, 5, tzinfo=UTC)
    database = Database(tmp_path).open()
    run = Crawls(database).begin("play", config="c", now=now)
    frontier, path = Frontier(database, run), archive_path("play", run.run_id)
    archive = AppendedFile(tmp_path, path)
    with database.transaction() as sql:
        frontier.add(sql, [Listed(name, f"{HOME}/{name}") for name in "abc"])
    for page in frontier.due(after=0, limit=9):
        with database.transaction() as sql:
            reference = make_reference(path, archive.append(sql, b"x" * 100))
            settled = Settled(
                Outcome.NEW, etag="e", last_modified="m", page_hash="h", raw_ref=reference,
                next_due=now + timedelta(days=365),
            )  # fmt: skip
            frontier.settle(sql, page, settled, now=now)
    archive.close()
    assert Crawls(database).finish(run)
    os.truncate(tmp_path / path, size)
    assert f"{3 - len(kept)} pages will be fetched again" in database.repair_files()[0]
    assert database.repair_files() == []
    rows = database.sql.execute("SELECT key FROM urls WHERE raw_ref IS NOT NULL ORDER BY id")
    assert [row["key"] for row in rows] == kept
    later = Crawls(database).begin("play", config="c", now=now + timedelta(days=1))
    due = Frontier(database, later).due(after=0, limit=9)
    assert [page.url for page in due] == [f"{HOME}/{name}" for name in "abc" if name not in kept]
    assert {(page.etag, page.last_modified, page.page_hash) for page in due} == {(None, None, None)}
    database.close()
