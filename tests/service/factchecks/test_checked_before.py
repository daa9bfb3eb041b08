"""Earlier fact-checks: imported, matched, shown above a verdict, and never part of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from core.settings import Settings
from core.types import Request, Result, Status
from indexing.factchecks.store import FactCheckStore
from indexing.factchecks.types import FactCheck
from pipelines.engine import Engine
from pipelines.rendering.render import to_markdown
from service.cli.main import app
from service.factchecks.checked_before import NOT_SEARCHED, CheckedBeforeAsker, EarlierChecks
from tests.service.fakes import FakeAsker, make_result

CLAIM = "A bridge over the river in Oslo collapsed and killed ten people."
ROW = {
    "id": "c1",
    "claim": CLAIM,
    "title": "Did a bridge in Oslo collapse?",
    "verdict": "False",
    "url": "https://checks.example/bridge",
    "publisher": "Checks <b>&</b> Co",
    "date": "2020-01-31",
}
ASKED = "A bridge in Oslo collapsed and killed ten people."


def run(*arguments: str, data_dir: Path) -> Any:
    return CliRunner().invoke(app, ["factchecks", *arguments, "--data-dir", str(data_dir)])


@pytest.fixture
def imported(settings: Settings, tmp_path: Path) -> Settings:
    file = tmp_path / "checks.jsonl"
    other = {"id": "c2", "claim": "The moon landing was filmed in a studio.", "url": "https://checks.example/moon"}
    file.write_text(f"{json.dumps(ROW)}\n{json.dumps(other)}\n{{broken\n", encoding="utf-8")
    done = run("import", str(file), "--json", data_dir=settings.data_dir)
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["taken"], report["refused"], report["total"]) == (2, 1, 2)
    assert report["refusals"][0]["place"] == "line 3"
    return settings


def test_importing_again_changes_nothing(imported: Settings, tmp_path: Path) -> None:
    done = run("import", str(tmp_path / "checks.jsonl"), data_dir=imported.data_dir)
    assert "0 taken, 0 changed, 2 unchanged, 0 removed, 1 refused; 2 in the index." in done.stdout
    assert "line 3: the line is not valid JSON" in done.stderr


def test_the_command_matches_a_text(imported: Settings) -> None:
    done = run("match", ASKED, "--top-k", "1", "--json", data_dir=imported.data_dir)
    (found,) = json.loads(done.stdout)["matches"]
    assert set(found) == {"id", "score", "claim", "url", "publisher", "date", "verdict"}
    assert (found["id"], found["date"], found["verdict"]) == ("c1", "2020-01-31", "False")
    assert found["score"] > 0.9
    shown = run("match", ASKED, data_dir=imported.data_dir)
    assert "https://checks.example/bridge" in shown.stdout


def test_a_batch_gives_one_object_a_line_in_order(imported: Settings, tmp_path: Path) -> None:
    file = tmp_path / "posts.jsonl"
    rows = [
        '{"id": "a", "text": "moon landing in a studio 😡 https://t.co/x"}',
        "[1]",
        '{"id": 7, "text": "#Oslo bridge"}',
    ]
    file.write_text("\n".join(rows), encoding="utf-8")
    done = run("match", "--batch", str(file), "--top-k", "1", data_dir=imported.data_dir)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["id"] for line in lines] == ["a", None, 7]
    assert [[one["id"] for one in line["matches"]] for line in lines] == [["c2"], [], ["c1"]]
    assert lines[1]["error"]["field"] == "line"
    assert done.exit_code == 1


def test_before_an_import_the_command_says_what_to_do(tmp_path: Path) -> None:
    done = run("match", ASKED, data_dir=tmp_path)
    assert done.exit_code == 2
    assert "looksy factchecks import" in done.stderr


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("nowhere.jsonl", "is not there"),
        ("http://127.0.0.1:9/feed.json", "private network"),
        ("http://localhost/feed.json", "private network"),
        ("http://169.254.169.254/latest", "private network"),
        ("https:///nothing", "does not answer"),
    ],
)
def test_a_source_that_cannot_be_read_is_named(source: str, problem: str, tmp_path: Path) -> None:
    done = run("import", source, data_dir=tmp_path)
    assert done.exit_code == 2
    assert problem in done.stderr
    assert not (tmp_path / "factchecks").exists()


def test_rest_matches(client: TestClient, imported: Settings) -> None:
    response = client.post("/v1/factchecks/match", json={"text": ASKED, "top_k": 1})
    assert [one["id"] for one in response.json()["matches"]] == ["c1"]
    refused = client.post("/v1/factchecks/match", json={"text": " "})
    assert (refused.status_code, refused.json()["field"]) == (422, "text")


def test_rest_without_an_import_matches_nothing(client: TestClient) -> None:
    assert client.post("/v1/factchecks/match", json={"text": ASKED}).json() == {"matches": []}


def test_an_answer_shows_it_above_the_verdict_which_does_not_change(client: TestClient, imported: Settings) -> None:
    body = {"text": ASKED, "kind": "statement"}
    seen = client.post("/v1/verify", json=body).json()
    blind = client.post("/v1/verify", json=body | {"blind": True}).json()
    assert [one["id"] for one in seen["checked_before"]] == ["c1"]
    assert blind["checked_before"] == []
    changed = {name for name in seen if seen[name] != blind[name]}
    assert changed == {"checked_before", "request", "run_id"}
    markdown = client.post("/v1/verify", json=body, headers={"accept": "text/markdown"}).text
    assert markdown.index("Checked before") < markdown.index("# Verified")
    assert "<b>" not in markdown
    page = client.get(f"/runs/{seen['run_id']}").text
    assert page.index("Checked before") < page.index(">Verified<")
    assert "Checks &lt;b&gt;" in page or "Checks &amp; Co" in page
    assert 'rel="noopener noreferrer external"' in page


def test_another_matter_shows_nothing(client: TestClient, imported: Settings) -> None:
    body = {"text": "The mayor of Springfield opened a library.", "kind": "statement"}
    assert client.post("/v1/verify", json=body).json()["checked_before"] == []


def test_what_was_published_after_as_of_was_not_known_then(client: TestClient, imported: Settings) -> None:
    body = {"text": ASKED, "kind": "statement"}
    assert client.post("/v1/verify", json=body | {"as_of": "2020-01-30"}).json()["checked_before"] == []
    assert client.post("/v1/verify", json=body | {"as_of": "2020-01-31"}).json()["checked_before"] != []


def test_a_check_is_no_earlier_check_of_itself(imported: Settings) -> None:
    own = FactCheck(id="check-9", claim=ASKED, url="http://127.0.0.1:8000/checks/9", check_id="9")
    FactCheckStore(imported.data_dir).add([own])
    earlier = EarlierChecks(imported)
    earlier.matcher.embed_new()
    result = make_result(Request(text=ASKED))
    shown = earlier.add_to(result).checked_before
    without = earlier.add_to(result, without=frozenset({"check-9"})).checked_before
    assert {one.id for one in shown} == {"check-9", "c1"}
    assert {one.id for one in without} == {"c1"}


def test_a_damaged_index_is_a_notice_and_no_failure(settings: Settings) -> None:
    store = FactCheckStore(settings.data_dir)
    store.path.parent.mkdir(parents=True)
    store.path.write_bytes(b"no database" * 1000)
    result = CheckedBeforeAsker(FakeAsker(), EarlierChecks(settings)).run("verify", Request(text=ASKED))
    assert (result.status, result.checked_before) == (Status.OK, ())
    assert NOT_SEARCHED in result.warnings


def test_the_engine_and_so_every_evaluation_knows_nothing_of_it(imported: Settings) -> None:
    """Evaluation asks the engine, which never opens the index of fact-checks."""
    import sys
    from subprocess import run as start

    code = "import evaluation.tasks.registry, evaluation.runs.ask_system, sys; print('service' in sys.modules)"
    done = start([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
    engine = Engine(imported)
    assert not any("factcheck" in name.lower() for name in vars(engine))


def test_markdown_names_what_is_known(settings: Settings) -> None:
    result = make_result(Request(text=ASKED))
    bare = {"id": "x", "score": 0.95, "claim": "A *claim*.", "url": "", "publisher": "", "date": None, "verdict": ""}
    shown = Result.model_validate(result.model_dump() | {"checked_before": [bare]})
    assert "- unknown publisher. Claim: A \\*claim\\*." in to_markdown(shown)
