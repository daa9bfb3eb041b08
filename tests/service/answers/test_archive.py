"""The archive: one store for every way of asking, searched, grouped, tagged and deleted."""

import json
import sqlite3
import zlib
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from core.errors import ConflictError, InputError, NotFoundError
from core.settings import Settings, load_settings
from core.types import Request, Verdict
from service.answers.archive import Archive, RunQuery
from service.answers.caller import Caller, Via
from service.answers.deletion import delete_person
from service.answers.run_files import import_run_files
from service.answers.runs import Runs
from service.app import create_app
from service.auth.keys import Keys, Scope
from service.cli.main import app as command
from service.desk import CheckPatch, CheckState, Desk, Reviewer
from service.state.database import FILE_NAME, MIGRATIONS, Database
from service.state.functions import claim_key
from tests.service.fakes import FakeAsker, make_result

runner = CliRunner()


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "var" / FILE_NAME)


@pytest.fixture
def runs(database: Database) -> Runs:
    return Runs(database, keep=100)


def save(runs: Runs, run_id: str, text: str, *, person: str | None = None, **changes: object) -> None:
    runs.save(make_result(Request(text=text), run_id=run_id, **changes), caller=Caller(person, Via.REST))


def ids(database: Database, *, grouped: bool = False, **wanted: object) -> list[str]:
    query = RunQuery.model_validate(wanted)
    return [run.run_id for run in Archive(database).search(query, limit=50, grouped=grouped)]


def test_runs_are_found_by_what_is_known_of_them(runs: Runs, database: Database) -> None:
    save(runs, "a", "The bridge was closed on Monday.", person="Ada")
    save(runs, "b", "Inflation rose in May.", person="Ben", verdict=Verdict.REFUTED, answer="It fell Doc[1].")
    save(runs, "c", "Das Café schließt.", person="Ada", verdict=Verdict.UNVERIFIED, references=())
    assert ids(database, text="bridges closing") == ["a"]  # in any form of the words
    assert ids(database, text="fell") == ["b"]  # words of the answer, too
    assert ids(database, text="cafe") == ["c"]
    assert ids(database, text="bridge inflation") == []
    assert ids(database, verdict="refuted") == ["b"]
    assert ids(database, person="Ada") == ["c", "a"]
    assert ids(database, source="example NEWS") == ["b", "a"]
    assert ids(database, asked_from="2024-01-02T00:00:00Z") == []
    assert ids(database, asked_to="2024-01-02T00:00:00Z") == ["c", "b", "a"]
    Archive(database).set_tags("b", ["Economy", "economy", "May"])
    assert ids(database, tag="economy") == ["b"]
    check, _ = Desk(database).add("a", who=Reviewer("Ada"))
    assert ids(database, state="open") == ["a"]
    assert Archive(database).summary("a").check_id == check.check_id


@pytest.mark.parametrize("words", ['" OR 1', "NEAR(a b)", "text:bridge", "bridge*", "(", "a AND", "-bridge", "ﷺ'; --"])
def test_any_words_can_be_searched(runs: Runs, database: Database, words: str) -> None:
    save(runs, "a", "The bridge was closed.")
    try:
        assert isinstance(ids(database, text=words), list)
    except InputError as error:
        assert "holds no word" in error.message  # noqa: PT017 - one or the other


def test_repeats_of_one_claim_are_one_line_that_counts_them(runs: Runs, database: Database) -> None:
    save(runs, "a", "The bridge was closed!")
    save(runs, "b", "Something else.")
    save(runs, "c", "the  BRIDGE was closed", verdict=Verdict.REFUTED)
    assert ids(database, grouped=True) == ["c", "b"]
    assert [run.repeats for run in Archive(database).search(limit=9, grouped=True)] == [2, 1]
    assert ids(database, repeats_of="a") == ["c", "a"]
    assert ids(database, grouped=True, verdict="verified") == ["b", "a"]  # the latest that fits, not hidden by "c"
    first = Archive(database).search(limit=1, grouped=True)
    rest = Archive(database).search(limit=9, grouped=True, before=first[0].run_id)
    assert [run.run_id for run in rest] == ["b"]


def test_claims_are_one_in_any_case_form_and_punctuation() -> None:
    assert claim_key("Müller — won!") == claim_key("mu\u0308ller won")
    assert claim_key("He won 3 of 4.") != claim_key("He won 3 of 5.")
    assert claim_key("?") != claim_key("!")


def test_every_way_of_asking_says_who_and_how(settings: Settings) -> None:
    proxied = settings.model_copy(update={"user_header": "X-Forwarded-User"})
    with TestClient(create_app(proxied, asker=FakeAsker()), base_url="http://127.0.0.1") as client:
        named = {"X-Forwarded-User": "Zoë Ünal".encode()}
        client.post("/v1/verify", json={"text": "How many died?"}, headers=named)
        client.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": "How many died?"}]})
        client.post("/", data={"text": "How many died?", "system": "verify"}, headers=named)
        client.post("/v1/runs/run-1/replay")
        listed = client.get("/v1/runs").json()
        assert client.get("/v1/runs", params={"person": "Zoë Ünal"}).json() == [listed[1], listed[3]]
    found = [(run["asked_by"], run["via"], run["replay_of"]) for run in listed]
    assert found == [
        (None, "rest", "run-1"),
        ("Zoë Ünal", "page", None),
        (None, "chat", None),
        ("Zoë Ünal", "rest", None),
    ]


def test_a_header_names_nobody_unless_it_is_trusted(settings: Settings) -> None:
    public = settings.model_copy(update={"host": "0.0.0.0"})
    _, text = Keys(Database(settings.data_dir / FILE_NAME)).create("News desk", scope=Scope.RUN)
    with TestClient(create_app(public, asker=FakeAsker())) as client:
        sent = {"authorization": f"Bearer {text}", "X-Forwarded-User": "Boss"}
        client.post("/v1/verify", json={"text": "How many died?"}, headers=sent)
        assert client.get("/v1/runs", headers=sent).json()[0]["asked_by"] == "News desk"


def test_bad_filters_are_refused_by_name(client: TestClient) -> None:
    for parameters, field in (
        ({"asked_from": "yesterday"}, "asked_from"),
        ({"text": "?!"}, "text"),
        ({"verdict": "maybe"}, "verdict"),
        ({"persn": "Ada"}, "persn"),
    ):
        refused = client.get("/v1/runs", params=parameters)
        assert (refused.status_code, refused.json()["field"].split(".")[-1]) == (422, field)


def test_all_of_a_person_is_deleted_by_one_command(runs: Runs, database: Database, tmp_path: Path) -> None:
    save(runs, "a", "One.", person="Ada")
    save(runs, "b", "Two.", person="Ada")
    save(runs, "c", "Three.", person="Ben")
    Desk(database).add("b", who=Reviewer("Ben"))
    batch = tmp_path / "var" / "jobs" / "1.jsonl"
    batch.parent.mkdir()
    batch.write_text('{"run_id": "a"}\n{"run_id": "c"}\n{"error": {}}\n', encoding="utf-8")
    done = runner.invoke(command, ["runs", "delete", "--person", "Ada", "--json", "--data-dir", str(tmp_path / "var")])
    assert json.loads(done.stdout) == {"deleted": 1, "made_anonymous": 1, "batch_lines": 1}
    assert ids(database) == ["c", "b"]
    assert ids(database, person="Ada") == ids(database, text="one") == []
    assert batch.read_text(encoding="utf-8") == '{"run_id": "c"}\n{"error": {}}\n'
    with database.open() as connection:
        assert connection.execute("SELECT count(*) FROM run_words").fetchone()[0] == 2


def test_a_run_on_the_desk_is_not_deleted(runs: Runs, database: Database) -> None:
    save(runs, "a", "One.")
    Desk(database).add("a", who=Reviewer())
    with pytest.raises(ConflictError, match="history is kept"):
        Archive(database).delete("a")
    with pytest.raises(NotFoundError):
        Archive(database).delete("b")


def test_runs_with_a_check_or_a_tag_are_not_pruned(database: Database) -> None:
    runs = Runs(database, keep=2)
    for name in "abcde":
        save(runs, name, name)
        if name == "a":
            Desk(database).add("a", who=Reviewer())
        if name == "b":
            Archive(database).set_tags("b", ["kept"])
    runs.prune()
    assert ids(database) == ["e", "d", "b", "a"]


def test_runs_of_older_command_lines_come_into_the_archive(runs: Runs, database: Database, tmp_path: Path) -> None:
    folder = tmp_path / "var" / "runs"
    folder.mkdir(parents=True)
    old = make_result(Request(text="The old bridge."), run_id="old1")
    (folder / "old1.json").write_text(old.model_dump_json(indent=1), encoding="utf-8")
    (folder / "no-run.json").write_text("{}", encoding="utf-8")
    (folder / "an-evaluation").mkdir()
    assert import_run_files(database, tmp_path / "var") == 1
    assert runs.get("old1") == old
    assert ids(database, text="bridge", via="cli") == ["old1"]
    assert sorted(path.name for path in folder.iterdir()) == ["an-evaluation", "no-run.json"]
    assert import_run_files(database, tmp_path / "var") == 0


def old_database(path: Path, version: int) -> sqlite3.Connection:
    """Make a database as an older version left it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    for script in sorted(MIGRATIONS.glob("*.sql"))[:version]:
        connection.executescript(script.read_text(encoding="utf-8"))
    connection.execute(f"PRAGMA user_version = {version}")
    return connection


def test_databases_of_older_versions_are_searched_and_keep_their_approvals(tmp_path: Path) -> None:
    path = tmp_path / "var" / FILE_NAME
    result = make_result(Request(text="The bridge was closed."), run_id="r1")
    with old_database(path, version=5) as old:
        row = ("2024-01-01T00:00:00.000000+00:00", "verify", result.request.text, "ok", "verified")
        for run_id, blob in (("r1", zlib.compress(result.model_dump_json().encode())), ("r2", b"broken")):
            old.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", (run_id, *row, blob))
        old.execute("INSERT INTO approvals VALUES ('r1', 'Ada', '2024-01-02T00:00:00+00:00', 'seen', 'k1, desk')")
        old.execute("INSERT INTO feedback VALUES (1, 'r1', '2024-01-02', 1, NULL, NULL)")
    old.close()
    database = Database(path)
    assert ids(database, text="lives", source="Example News") == ["r1"]
    assert ids(database, grouped=True, text="bridge") == ["r2"]
    check = Desk(database).of_run("r1")
    assert check is not None
    assert check.decision is not None
    assert (check.state, check.note, check.decision.decided_by) == (CheckState.APPROVED, "seen", ("Ada",))
    assert [entry.action for entry in Desk(database).history(check.check_id)] == ["approved"]
    assert (
        Desk(database).change(check.check_id, CheckPatch(state=CheckState.IN_REVIEW), who=Reviewer("Ben")).version == 2
    )
    with database.open() as connection:
        assert connection.execute("SELECT count(*) FROM feedback").fetchone()[0] == 1
        assert connection.execute("SELECT count(*) FROM check_articles").fetchone()[0] == 1


def test_old_files_are_deleted_with_their_run(database: Database, runs: Runs, tmp_path: Path) -> None:
    settings = load_settings({"data_dir": tmp_path / "var"}, environment={})
    save(runs, "a", "One.", person="Ada")
    (tmp_path / "var" / "runs").mkdir()
    (tmp_path / "var" / "runs" / "a.json").write_text("{}", encoding="utf-8")
    assert delete_person(settings, Archive(database), "Ada").deleted == 1
    assert not list((tmp_path / "var" / "runs").iterdir())
