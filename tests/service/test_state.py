"""What the service remembers: runs, approvals, feedback, keys, jobs, migrations."""

import sqlite3
import threading
import time
import zlib
from pathlib import Path

import pytest

from core.errors import InputError, NotFoundError, StoreError, StoreVersionError
from core.progress import ProgressEvent, Stage
from core.types import Failure, Request
from service.answers import runs as runs_module
from service.answers.runs import Runs
from service.auth.keys import Keys, Scope
from service.desk import Desk, Reviewer
from service.desk.approvals import approval, approve, withdraw
from service.state.database import MIGRATIONS, Database
from service.state.feedback import FeedbackBox
from service.state.functions import add_functions
from service.state.jobs import JobKind, Jobs, JobStatus
from tests.service.fakes import make_result

REQUEST = Request(text="How many died?")
_DESK_SINCE = 7
"""Version of the database since which an approval is a check."""
_APPROVED = {
    False: "INSERT INTO approvals (run_id, approved_by, approved_at) VALUES (?, 'Ada', '2024-01-02T00:00:00+00:00')",
    True: "INSERT INTO checks (check_id, run_id, text, claim_key, verdict, state, decided_verdict, decided_at,"
    " decided_by, created_at, updated_at) SELECT 'c1', run_id, text, '', verdict, 'approved', verdict, created_at,"
    """ '["Ada"]', created_at, created_at FROM runs WHERE run_id = ?""",
}


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "state" / "service.sqlite")


def test_a_run_comes_back_whole(database: Database) -> None:
    runs = Runs(database, keep=10)
    saved = make_result(REQUEST)
    runs.save(saved)
    assert runs.get("run-1") == saved
    assert [run.text for run in runs.list(limit=5)] == ["How many died?"]


def test_runs_of_older_versions_are_read(database: Database) -> None:
    runs = Runs(database, keep=10)
    saved = make_result(REQUEST)
    runs.save(saved)
    with database.open() as connection:
        connection.execute("UPDATE runs SET result = ?", (zlib.compress(saved.model_dump_json().encode(), level=1),))
    assert runs.get("run-1") == saved


def test_runs_are_listed_newest_first_in_pages(database: Database) -> None:
    runs = Runs(database, keep=10)
    for number in range(5):
        runs.save(make_result(REQUEST, run_id=f"r{number}"))
    first = runs.list(limit=2)
    second = runs.list(limit=2, before=first[-1].run_id)
    assert [run.run_id for run in (*first, *second)] == ["r4", "r3", "r2", "r1"]


def test_a_page_after_a_run_that_is_not_kept_is_no_empty_end(database: Database) -> None:
    runs = Runs(database, keep=10)
    runs.save(make_result(REQUEST))
    assert runs.list(limit=2, before="run-1") == []
    with pytest.raises(NotFoundError, match="no longer kept") as refused:
        runs.list(limit=2, before="gone")
    assert refused.value.field == "before"


def test_the_oldest_runs_go_but_approved_ones_stay(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs_module, "PRUNE_EVERY", 1)
    runs = Runs(database, keep=2)
    runs.save(make_result(REQUEST, run_id="r0"))
    approve(Desk(database), "r0", by="Ada")
    for number in range(1, 5):
        runs.save(make_result(REQUEST, run_id=f"r{number}"))
    assert {run.run_id for run in runs.list(limit=9)} == {"r0", "r3", "r4"}


@pytest.mark.parametrize(("keep", "most"), [(5, 5), (20, 21), (0, 0)])
def test_few_more_runs_are_there_than_are_to_be_kept(database: Database, keep: int, most: int) -> None:
    runs = Runs(database, keep=keep)
    for number in range(30):
        runs.save(make_result(REQUEST, run_id=f"r{number:02d}"))
        assert len(runs.list(limit=99)) <= most
    runs.prune()
    assert len(runs.list(limit=99)) == keep


def test_no_run_is_kept_when_none_is_wanted(database: Database) -> None:
    Runs(database, keep=0).save(make_result(REQUEST))
    assert Runs(database, keep=0).list(limit=5) == []


def test_the_first_approval_stays_until_it_is_withdrawn(database: Database) -> None:
    runs, desk = Runs(database, keep=10), Desk(database)
    with pytest.raises(NotFoundError):
        approve(desk, "run-1", by="Ada")
    runs.save(make_result(REQUEST))
    assert approve(desk, "run-1", by="Ada", note="checked").approved_by == "Ada"
    assert approve(desk, "run-1", by="Bob").approved_by == "Ada"
    assert withdraw(desk, "run-1", who=Reviewer("Bob"))
    assert approval(desk, "run-1") is None


def test_feedback_needs_a_run(database: Database) -> None:
    box = FeedbackBox(database)
    with pytest.raises(NotFoundError):
        box.add("run-1", helpful=True)
    Runs(database, keep=10).save(make_result(REQUEST))
    box.add("run-1", helpful=False, reason=" wrong date ")
    assert [(word.helpful, word.reason) for word in box.list()] == [(False, "wrong date")]


def test_feedback_can_be_on_one_part(database: Database) -> None:
    box, runs = FeedbackBox(database), Runs(database, keep=10)
    parts = [{"kind": "question", "title": title} for title in ("Who?", "When?")]
    runs.save(make_result(REQUEST, sections=parts))
    runs.save(make_result(REQUEST, run_id="run-2"))
    box.add("run-1", helpful=True, part=2)
    box.add("run-1", helpful=False)
    assert [(word.helpful, word.part) for word in box.list()] == [(False, None), (True, 2)]
    for run, part in (("run-1", 3), ("run-1", 0), ("run-1", -1), ("run-2", 1)):
        with pytest.raises(InputError, match=f"no part {part}"):
            box.add(run, helpful=True, part=part)
    with pytest.raises(NotFoundError):
        box.add("run-9", helpful=True, part=1)
    assert len(box.list()) == 2


def test_a_key_is_recognised_until_it_is_revoked(database: Database) -> None:
    keys = Keys(database)
    key, text = keys.create("desk", scope=Scope.RUN)
    assert keys.recognise(text) == key
    assert key.allows(Scope.READ)
    assert not key.allows(Scope.ADMIN)
    for wrong in ("", text[:-1], text + "x", text.upper(), "looksy_x_y", f"looksy_{key.key_id}_"):
        assert keys.recognise(wrong) is None
    assert keys.revoke(key.key_id).revoked_at is not None
    assert keys.recognise(text) is None


def test_no_secret_is_at_rest(database: Database) -> None:
    _, text = Keys(database).create("desk", scope=Scope.READ)
    with database.open() as connection:
        dump = "\n".join(connection.iterdump())
    assert text.split("_", 2)[2] not in dump
    assert database.path.stat().st_mode & 0o077 == 0


def test_the_database_and_its_journals_are_their_owners_alone(database: Database) -> None:
    with database.open():
        made = [path for path in database.path.parent.iterdir() if path.stat().st_mode & 0o077]
        assert len(list(database.path.parent.iterdir())) > 1
    assert made == []


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_keys_need_a_name(database: Database, name: str) -> None:
    with pytest.raises(InputError):
        Keys(database).create(name, scope=Scope.READ)


def test_a_job_runs_once_and_ends_once(database: Database) -> None:
    jobs = Jobs(database)
    job = jobs.create(JobKind.CRAWL, {"publisher": "sample"})
    assert jobs.start(job.job_id, process_id=7)
    assert not jobs.start(job.job_id)
    jobs.report(job.job_id, ProgressEvent(stage=Stage.CRAWL, done=3, total=9, unit="pages"))
    assert jobs.get(job.job_id).progress == ProgressEvent(stage=Stage.CRAWL, done=3, total=9, unit="pages")
    jobs.finish(job.job_id, JobStatus.FAILED, error=Failure(code="unavailable", message="down"))
    jobs.finish(job.job_id, JobStatus.DONE, result={})
    ended = jobs.get(job.job_id)
    assert (ended.status, ended.result, ended.process_id) == (JobStatus.FAILED, None, None)
    assert jobs.list(unfinished=True) == []


def test_jobs_are_listed_page_by_page(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([f"2026-01-0{day}T00:00:00+00:00" for day in (1, 1, 1, 2, 3)])
    monkeypatch.setattr("service.state.jobs.now", times.__next__)
    jobs = Jobs(database)
    made = [jobs.create(JobKind.INDEX, {}).job_id for _ in range(5)]
    listed: list[str] = []
    while page := jobs.list(limit=2, before=listed[-1] if listed else None):
        listed += [job.job_id for job in page]
    assert listed == [made[4], made[3], *sorted(made[:3], reverse=True)]
    with pytest.raises(NotFoundError) as refused:
        jobs.list(before="gone")
    assert refused.value.field == "before"


def test_feedback_is_listed_page_by_page(database: Database) -> None:
    Runs(database, keep=10).save(make_result(REQUEST))
    box = FeedbackBox(database)
    given = [box.add("run-1", helpful=True, reason=str(number)) for number in range(3)]
    first = box.list(limit=2)
    assert [*first, *box.list(limit=2, before=first[-1].feedback_id)] == given[::-1]
    assert box.list(before=given[0].feedback_id) == []


def test_migrations_run_from_any_version(tmp_path: Path) -> None:
    path = tmp_path / "service.sqlite"
    with Database(path).open() as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(list(MIGRATIONS.glob("*.sql")))
    with Database(path).open() as connection:  # again: nothing to do
        assert connection.execute("SELECT count(*) FROM runs").fetchone()[0] == 0


def test_two_processes_that_open_a_new_database_at_one_time_both_can(tmp_path: Path) -> None:
    path, found = tmp_path / "service.sqlite", []

    def open_too() -> None:
        try:
            with Database(path).open() as connection:
                found.append(connection.execute("SELECT count(*) FROM runs").fetchone()[0])
        except StoreError as error:
            found.append(error)

    scripts = sorted(MIGRATIONS.glob("*.sql"))
    with sqlite3.connect(path) as first:
        add_functions(first)
        first.execute("PRAGMA journal_mode = WAL")
        first.executescript("BEGIN IMMEDIATE;" + "".join(script.read_text() for script in scripts))
        first.execute(f"PRAGMA user_version = {len(scripts)}")
        second = threading.Thread(target=open_too)
        second.start()
        time.sleep(0.3)  # it has seen that there is nothing yet, and waits for its turn
        first.commit()
    second.join()
    assert found == [0]


def test_a_database_of_the_first_version_keeps_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "service.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript((MIGRATIONS / "0001_start.sql").read_text() + "PRAGMA user_version = 1;")
        connection.execute("INSERT INTO jobs (job_id, kind, parameters, status, created_at) VALUES (?, ?, ?, ?, ?)",
                           ("j1", "crawl", "{}", "running", "2024-01-01T00:00:00+00:00"))  # fmt: skip
    jobs = Jobs(Database(path))
    assert jobs.get("j1").status is JobStatus.RUNNING
    assert jobs.list(unfinished=True, of_this_host=True) == []


@pytest.mark.parametrize("version", range(1, len(list(MIGRATIONS.glob("*.sql")))))
def test_a_run_and_its_approval_are_kept_from_every_version(tmp_path: Path, version: int) -> None:
    path = tmp_path / "service.sqlite"
    saved = make_result(REQUEST)
    with sqlite3.connect(path) as connection:
        add_functions(connection)
        for script in sorted(MIGRATIONS.glob("*.sql"))[:version]:
            connection.executescript(script.read_text())
        connection.execute(f"PRAGMA user_version = {version}")
        packed = zlib.compress(saved.model_dump_json().encode())
        connection.execute(
            "INSERT INTO runs (run_id, created_at, system, text, status, verdict, result) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (saved.run_id, "2024-01-01T00:00:00+00:00", "verify", REQUEST.text, "ok", "verified", packed),
        )
        connection.execute(_APPROVED[version >= _DESK_SINCE], (saved.run_id,))
    database = Database(path)
    assert Runs(database, keep=9).get(saved.run_id) == saved
    (check,) = Desk(database).find(limit=9)
    assert (check.run_id, check.state.value, check.text) == (saved.run_id, "approved", REQUEST.text)
    with database.open() as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(list(MIGRATIONS.glob("*.sql")))


def test_feedback_of_the_second_version_is_on_the_whole(tmp_path: Path) -> None:
    path = tmp_path / "service.sqlite"
    scripts = [(MIGRATIONS / name).read_text() for name in ("0001_start.sql", "0002_job_host.sql")]
    with sqlite3.connect(path) as connection:
        connection.executescript("".join(scripts) + "PRAGMA user_version = 2;")
        connection.execute("INSERT INTO runs VALUES ('r', '2024-01-01', 'verify', 'x', 'ok', NULL, x'00')")
        connection.execute("INSERT INTO feedback (run_id, created_at, helpful) VALUES ('r', '2024-01-01T00:00:00Z', 1)")
    box = FeedbackBox(Database(path))
    assert [(word.run_id, word.helpful, word.part) for word in box.list()] == [("r", True, None)]


def test_connections_are_kept_until_the_file_is_another(database: Database, tmp_path: Path) -> None:
    with database.open() as first, database.open() as other:
        assert first is not other
    with database.open() as again:
        assert again in (first, other)
    with pytest.raises(StoreError), database.open() as broken:
        broken.execute("SELECT nothing FROM nowhere")
    Runs(database, keep=9).save(make_result(REQUEST))
    database.close()
    for file in database.path.parent.iterdir():
        file.unlink()
    assert Runs(database, keep=9).list(limit=9) == []
    database.close()
    assert not database.path.with_name("service.sqlite-wal").exists()


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "service.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    with pytest.raises(StoreVersionError, match="999"), Database(path).open():
        pass


def test_a_broken_database_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "service.sqlite"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="service database"), Database(path).open():
        pass
