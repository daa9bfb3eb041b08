"""Backup, restore, doctor, watch and logs."""

import errno
import io
import json
import logging
import os
import sqlite3
import tarfile
import tempfile
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.errors import CancelledError, InputError, StoreError, StoreLockedError, StoreMissingError, UnavailableError
from core.settings import ReaderKind, Settings
from core.types import Article, Request
from indexing.stores.open import open_store
from scraper.state.report import CrawlReport
from service.answers.runs import Runs
from service.auth.keys import Keys, Scope
from service.cli.main import app
from service.cli.watch import read_interval
from service.jobs.watch import TURN_ARTICLES, Watch
from service.operations.backup import back_up, restore
from service.operations.doctor import Finding, Health, examine
from service.operations.logs import QUERY, REQUEST_ID, JsonFormatter
from service.state.database import FILE_NAME, Database
from service.state.jobs import Job, JobKind, Jobs, JobStatus
from tests.service.fakes import make_result

runner = CliRunner()


def test_a_backup_comes_back_whole(settings: Settings, article: Article, tmp_path: Path) -> None:
    Runs(Database(settings.data_dir / FILE_NAME), keep=9).save(make_result(Request(text="Who?")))
    file = tmp_path / "looksy.tar.gz"
    assert back_up(settings, file).files > 3
    elsewhere = settings.model_copy(update={"data_dir": tmp_path / "restored"})
    restore(file, elsewhere.data_dir)
    store = open_store(elsewhere)
    assert store.get_articles([article.article_id]) == {article.article_id: article}
    store.close()
    assert Runs(Database(elsewhere.data_dir / FILE_NAME), keep=9).get("run-1").answer


def test_a_backup_waits_for_no_writer(settings: Settings, article: Article, tmp_path: Path) -> None:
    store = open_store(settings)
    with store.writer(), pytest.raises(StoreLockedError):
        back_up(settings, tmp_path / "a.tar.gz")
    store.close()
    assert list(tmp_path.glob("*.tar.gz*")) == []


def test_a_backup_waits_for_no_first_index_job(settings: Settings, tmp_path: Path) -> None:
    store = open_store(settings, must_exist=False)
    with store.writer(), pytest.raises(StoreLockedError):  # nothing is committed yet
        back_up(settings, tmp_path / "a.tar.gz")
    store.close()


class IndexedStore:
    """Stands for Elasticsearch while another process writes to it."""

    @contextmanager
    def writer(self) -> Any:
        raise StoreLockedError("process 7 on scheduler is writing to the index")
        yield

    def close(self) -> None:
        return


def test_a_backup_asks_elasticsearch_whether_it_is_written_to(
    settings: Settings, article: Article, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexing.stores.open.open_store", lambda *_, **__: IndexedStore())
    with pytest.raises(StoreLockedError):
        back_up(settings.model_copy(update={"store_url": "http://localhost:9200"}), tmp_path / "a.tar.gz")
    assert list(tmp_path.glob("*.tar.gz*")) == []


def test_a_backup_of_a_data_folder_without_an_index_makes_none(settings: Settings, tmp_path: Path) -> None:
    Runs(Database(settings.data_dir / FILE_NAME), keep=9).save(make_result(Request(text="Who?")))
    back_up(settings, tmp_path / "a.tar.gz")
    with pytest.raises(StoreMissingError):
        open_store(settings)


def test_a_backup_holds_every_database_as_of_one_moment(settings: Settings, tmp_path: Path) -> None:
    file, origins = tmp_path / "a.tar.gz", settings.data_dir / "origins.sqlite3"
    origins.parent.mkdir()
    with closing(sqlite3.connect(origins)) as writing:
        writing.execute("CREATE TABLE signatures (number INTEGER)")
        writing.execute("INSERT INTO signatures VALUES (1)")
        writing.commit()
        writing.execute("INSERT INTO signatures VALUES (2)")  # never committed: its journal lies beside the file
        assert origins.with_name("origins.sqlite3-journal").exists()
        back_up(settings, file)
    restore(file, tmp_path / "new")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["origins.sqlite3"]
    with closing(sqlite3.connect(tmp_path / "new" / "origins.sqlite3")) as restored:
        assert restored.execute("SELECT number FROM signatures").fetchall() == [(1,)]


def test_a_backup_names_the_database_that_is_damaged(settings: Settings, tmp_path: Path) -> None:
    settings.data_dir.mkdir()
    (settings.data_dir / "origins.sqlite3").write_text("no database")
    with pytest.raises(StoreError, match=r"origins\.sqlite3 cannot be copied: file is not a database"):
        back_up(settings, tmp_path / "a.tar.gz")
    assert [path for path in tmp_path.iterdir() if path != settings.data_dir] == []


def test_a_backup_needs_room_only_where_it_is_written(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Runs(Database(settings.data_dir / FILE_NAME), keep=9).save(make_result(Request(text="Who?")))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "full"))
    back_up(settings, tmp_path / "a.tar.gz")
    assert [path.name for path in tmp_path.iterdir() if path != settings.data_dir] == ["a.tar.gz"]


def test_a_backup_of_a_file_that_grows_can_be_restored(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, growing = tmp_path / "a.tar.gz", settings.data_dir / "jobs" / "batch.jsonl"
    growing.parent.mkdir(parents=True)
    growing.write_text("{}\n")
    look = tarfile.TarFile.gettarinfo

    def grow(self: tarfile.TarFile, *arguments: Any, **named: Any) -> tarfile.TarInfo:
        with growing.open("a") as lines:
            lines.write("{}\n")
        return look(self, *arguments, **named)

    monkeypatch.setattr(tarfile.TarFile, "gettarinfo", grow)
    back_up(settings, file)
    restore(file, tmp_path / "new")
    assert (tmp_path / "new" / "jobs" / "batch.jsonl").read_text() == "{}\n{}\n"


def test_a_backup_is_its_owners_alone(settings: Settings, article: Article, tmp_path: Path) -> None:
    file = tmp_path / "a.tar.gz"
    Keys(Database(settings.data_dir / FILE_NAME)).create("desk", scope=Scope.READ)
    before = os.umask(0o022)
    try:
        back_up(settings, file)
        restore(file, tmp_path / "new")
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o077 == 0
    assert (tmp_path / "new" / FILE_NAME).stat().st_mode & 0o077 == 0


def test_a_backup_holds_what_links_lead_to(settings: Settings, tmp_path: Path) -> None:
    elsewhere, data_dir = tmp_path / "disk", settings.data_dir
    (elsewhere / "articles").mkdir(parents=True)
    (elsewhere / "articles" / "a.jsonl").write_text("{}\n")
    (elsewhere / "service.json").write_text("[]")
    data_dir.mkdir()
    (data_dir / "articles").symlink_to(elsewhere / "articles")
    (data_dir / "service.json").symlink_to(elsewhere / "service.json")
    (data_dir / "nowhere").symlink_to(elsewhere / "nowhere")
    (elsewhere / "articles" / "back").symlink_to(data_dir)
    file = elsewhere / "articles" / "a.tar.gz"
    assert back_up(settings, file).files == 2
    restore(file, tmp_path / "new")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["articles", "service.json"]
    assert [path.name for path in (tmp_path / "new" / "articles").iterdir()] == ["a.jsonl"]
    assert not list((tmp_path / "new").rglob("*.partial"))
    assert not any(path.is_symlink() for path in (tmp_path / "new").rglob("*"))


def test_restore_keeps_a_folder_that_is_a_mount_of_its_own(
    settings: Settings, article: Article, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, mount = tmp_path / "a.tar.gz", tmp_path / "mount"
    Runs(Database(settings.data_dir / FILE_NAME), keep=9).save(make_result(Request(text="Who?")))
    back_up(settings, file)
    (mount / "lost+found").mkdir(parents=True)
    before, beside = mount.stat().st_ino, set(tmp_path.iterdir())
    move, moved = os.replace, []

    def fail_at_the_second(source: Path, target: Path) -> None:
        moved.append(target)
        if len(moved) == 2:
            raise OSError("the disk is gone")
        move(source, target)

    monkeypatch.setattr(os, "replace", fail_at_the_second)
    with pytest.raises(OSError, match="the disk is gone"):
        restore(file, mount)
    assert [path.name for path in mount.iterdir()] == ["lost+found"]
    restore(file, mount)
    assert (mount.stat().st_ino, set(tmp_path.iterdir())) == (before, beside)
    assert {path.name for path in mount.iterdir()} == {"index", FILE_NAME, "lost+found"}


def test_what_went_on_during_a_backup_has_ended_where_it_is_restored(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs, file, new = Jobs(Database(settings.data_dir / FILE_NAME)), tmp_path / "a.tar.gz", tmp_path / "new"
    running, queued, done = (jobs.create(JobKind.BATCH, {}).job_id for _ in range(3))
    jobs.start(running, process_id=os.getppid())
    jobs.finish(done, JobStatus.DONE, result={})
    back_up(settings, file)
    monkeypatch.setattr("service.state.jobs.socket.gethostname", lambda: "another")
    restore(file, new)
    assert [path.name for path in new.iterdir()] == [FILE_NAME]  # no journal is left beside it
    restored = Jobs(Database(new / FILE_NAME))
    ended = [restored.get(one) for one in (running, queued)]
    assert {(job.status, job.error and job.error.code) for job in ended} == {(JobStatus.FAILED, "interrupted")}
    assert restored.get(done).status is JobStatus.DONE
    assert jobs.get(running).status is JobStatus.RUNNING


def test_restore_refuses_damaged_compression(tmp_path: Path) -> None:
    file = tmp_path / "damaged.tar.gz"
    with tarfile.open(file, "w:gz", compresslevel=0) as archive:
        info = tarfile.TarInfo("articles.jsonl")
        info.size = 300_000
        archive.addfile(info, io.BytesIO(bytes(info.size)))
    packed = file.read_bytes()
    file.write_bytes(packed[:50_000] + b"\xff" * 100_000 + packed[150_000:])  # over the head of a block: zlib's to find
    with pytest.raises(InputError, match="not a backup"):
        restore(file, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_restore_without_room_does_not_blame_the_backup(
    settings: Settings, article: Article, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "looksy.tar.gz"
    back_up(settings, file)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tarfile, "copyfileobj", full)
    with pytest.raises(InputError, match=r"cannot be unpacked in .*No space left") as refused:
        restore(file, tmp_path / "new")
    assert (refused.value.field, "not a backup" in str(refused.value)) == ("data_dir", False)
    assert not (tmp_path / "new").exists()


def test_restore_refuses_full_folders_and_damaged_files(settings: Settings, article: Article, tmp_path: Path) -> None:
    file = tmp_path / "looksy.tar.gz"
    back_up(settings, file)
    with pytest.raises(InputError, match="not empty"):
        restore(file, settings.data_dir)
    with pytest.raises(InputError, match="is there already"):
        back_up(settings, file)
    with pytest.raises(InputError, match="there is no folder"):
        back_up(settings, tmp_path / "nowhere" / "looksy.tar.gz")
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(InputError, match="not a backup"):
        restore(cut, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_restore_refuses_files_outside_the_folder(tmp_path: Path) -> None:
    file = tmp_path / "evil.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        info = tarfile.TarInfo("../evil.txt")
        info.size = 4
        archive.addfile(info, io.BytesIO(b"evil"))
    with pytest.raises(InputError):
        restore(file, tmp_path / "new" / "data")
    assert not list(tmp_path.rglob("evil.txt"))


def test_doctor_tells_what_is_missing(settings: Settings) -> None:
    findings = {finding.part: finding for finding in examine(settings)}
    assert findings["index"].health is Health.TODO
    assert findings["models"].health is Health.OK
    public = settings.model_copy(update={"host": "0.0.0.0"})
    access = {finding.part: finding for finding in examine(public)}["access"]
    assert access.health is Health.BROKEN
    assert "looksy keys create" in (access.hint or "")


def test_doctor_finds_a_reader_that_onnx_cannot_open(settings: Settings, tmp_path: Path) -> None:
    def models(reader: ReaderKind) -> Finding:
        changed = settings.model_copy(update={"reader": reader, "reader_model": str(tmp_path)})
        return {finding.part: finding for finding in examine(changed)}["models"]

    assert models(ReaderKind.ONNX).health is Health.BROKEN
    assert "LOOKSY_READER=transformers" in (models(ReaderKind.ONNX).hint or "")
    assert models(ReaderKind.TRANSFORMERS).health is Health.OK


def test_doctor_says_who_judges(settings: Settings, tmp_path: Path) -> None:
    def judge(name: str) -> Finding:
        return {finding.part: finding for finding in examine(settings.model_copy(update={"judge": name}))}["judge"]

    assert judge("small").message.startswith("evidence-minilm-l6@")
    assert judge(str(tmp_path / "nothing")).health is Health.BROKEN
    assert "generator" in judge("chat").message


def test_doctor_exits_1_when_something_is_broken(settings: Settings) -> None:
    where = ["--data-dir", str(settings.data_dir)]
    assert runner.invoke(app, ["doctor", "--json", *where]).exit_code == 0
    done = runner.invoke(app, ["doctor", "--json", "--set", "host=0.0.0.0", *where])
    assert done.exit_code == 1
    assert {finding["part"] for finding in json.loads(done.stdout)} >= {"python", "index", "models", "judge", "access"}


def test_keys_on_the_command_line(settings: Settings) -> None:
    where = ["--data-dir", str(settings.data_dir)]
    made = runner.invoke(app, ["keys", "create", "desk", "--scope", "admin", *where])
    text = made.stdout.strip()
    keys = Keys(Database(settings.data_dir / FILE_NAME))
    key = keys.recognise(text)
    assert key is not None
    listed = runner.invoke(app, ["keys", "list", "--json", *where]).stdout
    assert text.split("_", 2)[2] not in listed
    assert runner.invoke(app, ["keys", "revoke", key.key_id, *where]).exit_code == 0
    assert keys.recognise(text) is None
    assert runner.invoke(app, ["keys", "create", "desk", "--scope", "god", *where]).exit_code == 2
    assert runner.invoke(app, ["keys", "revoke", "nothing", *where]).exit_code == 2


def test_watch_goes_round_and_survives_a_failing_publisher(settings: Settings) -> None:
    crawled: list[str] = []

    def task(_: Settings, parameters: Any, __: Any) -> dict[str, object]:
        crawled.append(parameters.publisher)
        if parameters.publisher == "down":
            raise UnavailableError("the host does not answer")
        return {"crawl": {}}

    assert Watch(settings, {"up": 0.01, "down": 0.01}, task=task).run(rounds=2) == ["down"]
    assert sorted(crawled) == ["down", "down", "up", "up"]
    statuses = [job.status for job in Jobs(Database(settings.data_dir / FILE_NAME)).list()]
    assert sorted(statuses) == [JobStatus.DONE, JobStatus.DONE, JobStatus.FAILED, JobStatus.FAILED]


def test_watch_stops_on_a_signal_also_while_its_job_is_being_cancelled(settings: Settings) -> None:
    jobs = Jobs(Database(settings.data_dir / FILE_NAME))

    def task(*_: Any) -> dict[str, object]:
        (job,) = jobs.list()
        jobs.finish(
            job.job_id, JobStatus.CANCELLED
        )  # over REST; the crawl, which waits for its site, has not heard of it
        raise KeyboardInterrupt

    with pytest.raises(CancelledError):
        Watch(settings, {"bbc": 3600}, task=task).run(rounds=1)


@pytest.mark.parametrize(("fails", "code"), [(True, 1), (False, 0)])
def test_watch_for_cron_says_by_its_exit_code_how_it_went(
    fails: bool, code: int, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def task(*_: Any) -> dict[str, object]:
        if fails:
            raise UnavailableError("the host does not answer")
        return {"crawl": {}}

    monkeypatch.setattr("service.operations.logs.set_up_logs", lambda: None)  # for the whole process
    monkeypatch.setitem(Watch.__init__.__kwdefaults__, "task", task)
    done = runner.invoke(app, ["watch", "bbc", "--rounds", "1", "--data-dir", str(settings.data_dir)])
    assert done.exit_code == code
    assert ("the last turn of bbc failed" in done.stderr) is fails


def report_of(publisher: str, *, taken: int, complete: bool) -> dict[str, object]:
    report = CrawlReport(
        publisher=publisher, run_id="r", started_at=datetime.now(UTC), duration_s=1, sessions=1, complete=complete,
        taken=taken,
    )  # fmt: skip
    return {"crawl": report.model_dump(mode="json")}


def test_watch_takes_a_long_archive_in_turns_with_the_others(settings: Settings) -> None:
    crawled: list[str] = []

    def task(_: Settings, parameters: Any, __: Any) -> dict[str, object]:
        name = parameters.publisher
        assert parameters.limit == TURN_ARTICLES
        crawled.append(name)
        left = (1200 if name == "archive" else 3) - (crawled.count(name) - 1) * TURN_ARTICLES
        return report_of(name, taken=min(left, TURN_ARTICLES), complete=left <= TURN_ARTICLES)

    Watch(settings, {"archive": 3600, "small": 3600}, task=task).run(rounds=1)
    assert crawled == ["archive", "small", "archive", "archive"]


def test_watch_pauses_for_a_site_that_asks_to_be_left_alone(settings: Settings) -> None:
    crawled: list[str] = []

    def task(_: Settings, parameters: Any, __: Any) -> dict[str, object]:
        crawled.append(parameters.publisher)
        return report_of("shy", taken=TURN_ARTICLES if len(crawled) == 1 else 3, complete=False)

    Watch(settings, {"shy": 3600}, task=task).run(rounds=1)
    assert crawled == ["shy", "shy"]  # the first turn was cut by its limit, the second by the site


def test_watch_notes_what_an_earlier_one_was_killed_over(settings: Settings) -> None:
    jobs = Jobs(Database(settings.data_dir / FILE_NAME))

    def left_behind(process_id: int) -> Job:
        job = jobs.create(JobKind.CRAWL, {"publisher": "bbc"})
        jobs.start(job.job_id, process_id=process_id)
        return job

    lost, others = left_behind(2**22 + 1), left_behind(os.getppid())
    Watch(settings, {"bbc": 0.01}, task=lambda *_: {"crawl": {}}).run(rounds=1)
    ended = jobs.get(lost.job_id)
    assert (ended.status, ended.error and ended.error.code) == (JobStatus.FAILED, "interrupted")
    assert jobs.get(others.job_id).status is JobStatus.RUNNING


def test_watch_survives_a_full_disk_and_notes_what_it_could_not(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawled: list[str] = []
    room = iter([False, False, True])
    whole = Database.open

    def open_if_room(self: Database) -> Any:
        if not next(room, True):
            raise StoreError("database or disk is full")
        return whole(self)

    def task(_: Settings, parameters: Any, __: Any) -> dict[str, object]:
        crawled.append(parameters.publisher)
        if len(crawled) == 1:
            monkeypatch.setattr(Database, "open", open_if_room)
        return {"crawl": {}}

    watch = Watch(settings, {"bbc": 0.01}, task=task)
    assert watch.run(rounds=3) == []  # first end not noted, second turn not begun, third well
    assert crawled == ["bbc", "bbc"]
    statuses = [job.status for job in Jobs(Database(settings.data_dir / FILE_NAME)).list()]
    assert statuses == [JobStatus.DONE, JobStatus.FAILED]


def test_a_job_whose_process_has_not_begun_is_not_lost(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = Jobs(Database(settings.data_dir / FILE_NAME))
    with monkeypatch.context() as of_the_service:
        of_the_service.setattr("service.state.jobs.os.getpid", os.getppid)
        queued = jobs.create(JobKind.CRAWL, {"publisher": "bbc"})
    Watch(settings, {"bbc": 0.01}, task=lambda *_: {"crawl": {}}).run(rounds=1)
    assert jobs.get(queued.job_id).status is JobStatus.QUEUED


def test_watch_takes_the_interval_that_is_typed_or_else_the_publishers_own(tmp_path: Path) -> None:
    file = tmp_path / "site.yaml"
    file.write_text("name: site\nhome: https://a.example\ninterval_minutes: 20\n", encoding="utf-8")
    assert read_interval(str(file), None) == (str(file), 20)
    assert read_interval(str(file), 15) == (str(file), 15)
    assert read_interval(f"{file}=5", 15) == (str(file), 5)
    assert read_interval("sample", None) == ("sample", 60)


@pytest.mark.parametrize("interval", ["sample=0", "sample=x", "sample=-5", "sample=nan", "sample=inf", "nowhere"])
def test_watch_refuses_bad_intervals(interval: str, settings: Settings) -> None:
    assert runner.invoke(app, ["watch", interval, "--data-dir", str(settings.data_dir)]).exit_code == 2


def test_logs_are_json_and_name_the_request() -> None:
    token = REQUEST_ID.set("abc")
    try:
        record = logging.makeLogRecord({"name": "looksy", "levelname": "INFO", "msg": "answered", "run_id": "r1"})
        entry = json.loads(JsonFormatter().format(record))
    finally:
        REQUEST_ID.reset(token)
    assert (entry["message"], entry["run_id"], entry["request_id"]) == ("answered", "r1", "abc")


@pytest.mark.parametrize("asked", ["error", str(datetime.now(UTC).year), "service", "r1"])
def test_no_query_makes_a_log_illegible(asked: str) -> None:
    token = QUERY.set(asked)
    try:
        record = logging.makeLogRecord({"name": "service", "levelname": "ERROR", "msg": f"no {asked}", "run_id": "r1"})
        record.__dict__["_of_a_library"] = 1
        entry = json.loads(JsonFormatter().format(record))
    finally:
        QUERY.reset(token)
    assert datetime.fromisoformat(entry.pop("time"))
    assert entry == {"level": "error", "logger": "service", "message": "no [query]", "run_id": "r1"}
