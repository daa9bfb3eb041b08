"""Runs of the command line: saved by `ask`, found and done again by `replay`."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.settings import Settings
from core.types import Result
from indexing.job import run_index
from indexing.stores.open import open_store
from pipelines.engine import Engine
from service.answers.runs import Runs
from service.cli.main import app
from service.state.database import FILE_NAME, Database

runner = CliRunner()
QUESTION = "Who opened the bridge over the Avon?"
BODY = "The bridge over the Avon was opened on Tuesday by Mayor Ellen Marsh. It cost 48 million pounds."


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("runs")
    article = {"url": "https://post.example/avon", "headline": "Bridge opened", "body": BODY, "source": "Post"}
    (folder / "a.jsonl").write_text(json.dumps(article), encoding="utf-8")
    store = open_store(Settings(data_dir=folder), must_exist=False)
    run_index(store, data_dir=folder, articles=folder / "a.jsonl")
    store.close()
    return folder


def looksy(data_dir: Path, *arguments: str):
    return runner.invoke(app, [*arguments, "--data-dir", str(data_dir)])


def test_every_run_of_a_batch_is_saved_and_can_be_replayed(data_dir: Path, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    lines = [{"id": "1", "text": QUESTION}, {"id": "2", "text": ""}, {"id": "3", "text": "The bridge cost 48 million."}]
    batch.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = looksy(data_dir, "ask", "--batch", str(batch))
    answered = [json.loads(line) for line in done.stdout.splitlines()]
    ids = [row["run_id"] for row in answered if "run_id" in row]
    assert len(ids) == 2
    for run_id in ids:
        assert Runs(Database(data_dir / FILE_NAME), keep=9).get(run_id).run_id == run_id
        replayed = looksy(data_dir, "replay", run_id)
        assert replayed.exit_code == 0, replayed.output
        assert "identical" in replayed.stdout


def test_an_odd_line_of_a_batch_does_not_stop_the_others(data_dir: Path, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    lines = (
        '{"id": "\\ud800", "text": "Who won?"}',
        '{"id": NaN, "text": "Who won?"}',
        '{"id": 1e999, "text": "Who won?"}',
        '{"id": 4, "text": "Who won?", "filters": {"sources": ["\\udfff"]}}',
        '{"id": 5, "text": "Who won?", "\\ud800": {"\\ud800": 1}}',
        json.dumps({"id": 6, "text": QUESTION}),
    )
    batch.write_text("\n".join(lines), encoding="utf-8")
    done = looksy(data_dir, "ask", "--batch", str(batch))
    assert done.exit_code == 1, done.output
    assert "5 of 6 lines could not be answered" in done.stderr
    answered = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row.get("error", {}).get("field") for row in answered] == ["line"] * 5 + [None]
    assert [row.get("line") for row in answered[:-1]] == [1, 2, 3, 4, 5]
    assert answered[-1]["id"] == 6


def test_a_batch_whose_answers_failed_exits_1(data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError("full")

    monkeypatch.setattr("pipelines.reading.span_reader.best_pieces", fail)
    batch = tmp_path / "batch.jsonl"
    batch.write_text(json.dumps({"text": QUESTION}), encoding="utf-8")
    done = looksy(data_dir, "ask", "--batch", str(batch))
    assert (done.exit_code, json.loads(done.stdout)["status"]) == (1, "failed")
    assert "1 of 1 lines could not be answered" in done.stderr


def test_answers_are_printed_where_their_records_cannot_be_kept(tmp_path: Path, data_dir: Path) -> None:
    folder = tmp_path / "full"
    shutil.copytree(data_dir / "index", folder / "index")
    (folder / FILE_NAME).mkdir()
    for arguments in (["--explain"], ["--json"]):
        done = looksy(folder, "ask", QUESTION, *arguments)
        assert done.exit_code == 0, done.output
        assert "Ellen Marsh" in done.stdout
        assert "Warning: the record of run" in done.stderr
        assert "Do it again" not in done.stdout
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join([json.dumps({"text": QUESTION})] * 2), encoding="utf-8")
    done = looksy(folder, "ask", "--batch", str(batch))
    assert (done.exit_code, len(done.stdout.splitlines())) == (0, 2)


def test_explanation_ends_with_a_command_that_replays(data_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "my own"
    shutil.copytree(data_dir / "index", folder / "index")
    done = looksy(folder, "ask", QUESTION, "--explain", "--set", "top_k=7", "--profile", "embedded")
    said = shlex.split(done.stdout.strip().splitlines()[-1])
    typed = ["--data-dir", str(folder), "--profile", "embedded", "--set", "top_k=7"]
    assert said[:5] == ["Do", "it", "again:", "looksy", "replay"]
    assert said[6:] == typed
    replayed = runner.invoke(app, said[4:])
    assert "identical" in replayed.stdout, replayed.output


def test_run_of_the_service_is_found_by_its_id(data_dir: Path) -> None:
    from core.requests import parse_request

    engine = Engine(Settings(data_dir=data_dir))
    result: Result = engine.run("verify", parse_request({"text": QUESTION}))
    engine.close()
    Runs(Database(data_dir / FILE_NAME), keep=10).save(result)
    assert "identical" in looksy(data_dir, "replay", result.run_id).stdout
    missing = looksy(data_dir, "replay", "0" * 32)
    assert missing.exit_code == 2
    assert "no run" in missing.stderr


def test_record_of_somebody_else_decides_no_address(data_dir: Path, tmp_path: Path) -> None:
    run_id = json.loads(looksy(data_dir, "ask", QUESTION, "--json").stdout)["run_id"]
    kept = Runs(Database(data_dir / FILE_NAME), keep=9).get(run_id)
    record = kept.model_dump(mode="json")
    record["run"]["settings"] |= {"store_url": "http://evil.example:9200", "telemetry_url": "http://evil.example"}
    (tmp_path / "foreign.json").write_text(json.dumps(record), encoding="utf-8")
    replayed = looksy(data_dir, "replay", str(tmp_path / "foreign.json"))
    assert replayed.exit_code == 0, replayed.output
    assert "differ from those of the run: store_url, telemetry_url." in replayed.stdout
    assert "identical" in replayed.stdout


def test_run_that_failed_is_saved_and_says_nothing_but_where_to_look(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError("s3cret words")

    monkeypatch.setattr("pipelines.reading.span_reader.best_pieces", fail)
    done = looksy(data_dir, "ask", QUESTION)
    assert done.exit_code == 1
    assert "s3cret" not in done.output
    assert "Traceback" not in done.output
    assert "s3cret words" in (data_dir / "logs" / "looksy.log").read_text(encoding="utf-8")
    runs = Runs(Database(data_dir / FILE_NAME), keep=9)
    saved = runs.get(runs.list(limit=1)[0].run_id)
    assert saved.run is not None
    assert saved.run_id in done.stdout
    assert saved.run.retrieved
