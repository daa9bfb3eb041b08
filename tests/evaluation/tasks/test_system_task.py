"""A task that asks a system is a command, and an entry of benchmarks, without being registered anywhere."""

import json

import pytest
from typer.testing import CliRunner

from core.errors import InputError, NotFoundError
from core.requests import parse_request
from core.settings import load_settings
from evaluation.benchmarks.models import Entry
from evaluation.benchmarks.run import run_entry
from evaluation.data.formats.qa_rows import read_qa
from evaluation.measures.stats.bootstrap import mean_with_interval
from evaluation.reports.models import Scores
from evaluation.runs.ask_system import answered, ask_system
from evaluation.runs.models import Item, Output
from evaluation.tasks import registry
from evaluation.tasks.system_task import SystemOptions, SystemTask, evaluate_system
from service.cli.main import app
from tests.evaluation.data.test_formats import write


class LengthOutput(Output):
    """How long the answer is."""

    words: int


def score(items, predictions):
    words = {one.id: {"words": float(one.output.words)} for one in predictions if one.output}
    return Scores(measures={"words": mean_with_interval([one["words"] for one in words.values()])}, per_item=words)


def predictor(engine, options):
    def predict(item):
        result = ask_system(engine, "verify", parse_request({"text": item.text, "options": dict(options)}))
        return answered(result, LengthOutput(words=len(result.answer.split())))

    return predict


def read(path, split):
    return [Item(id=row.id, text=row.question) for row in read_qa(path) if split in {None, row.split}]


LENGTH = SystemTask(
    name="length",
    item_type=Item,
    output_type=LengthOutput,
    score=score,
    system="verify",
    summary="Count the words of answers.",
    read=read,
    predictor=predictor,
)


@pytest.fixture
def length(monkeypatch):
    found = registry.tasks() | {"length": LENGTH}
    monkeypatch.setattr(registry, "tasks", lambda: found)


@pytest.fixture
def data(tmp_path):
    article = {"id": "a", "url": "https://example.org/a", "headline": "Flood", "body": "81 people died in the flood."}
    write(tmp_path, "articles.jsonl", json.dumps(article | {"published_at": "2020-01-02"}))
    return write(tmp_path, "qa.jsonl", json.dumps({"id": "q", "question": "How many people died in the flood?"}))


def test_it_is_a_command_with_a_report(tmp_path, data, length):
    shown = CliRunner().invoke(app, ["evaluate", "--help"]).output
    assert "Count the words of answers." in shown
    arguments = ["evaluate", "length", "--data", data, "--out", tmp_path / "out", "--data-dir", tmp_path / "var"]
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "out/report.json").read_text())
    assert report["measures"]["words"]["value"] > 1
    assert report["run"]["task"] == "length"
    run = report["run"]["run_id"]
    again = CliRunner().invoke(app, ["evaluate", "score", run, "--data-dir", str(tmp_path / "var")])
    assert again.exit_code == 0, again.output


@pytest.mark.parametrize(("setting", "option"), [({"retriever": "hybrid"}, {}), ({}, {"retriever": "embedding"})])
def test_a_retriever_that_needs_vectors_gets_them(tmp_path, data, setting, option):
    settings = load_settings({"data_dir": tmp_path / "var", **setting})
    _, report = evaluate_system(LENGTH, data, settings, SystemOptions(options=option))
    assert report.failed == 0
    assert report.measures["words"].value > 1


def test_it_is_an_entry_of_benchmarks(tmp_path, data, length):
    result = run_entry(Entry(label="x", task="length", data=str(data)), load_settings({"data_dir": tmp_path / "var"}))
    assert result.skipped == ""
    assert result.measures["words"][0] > 1


def test_a_benchmark_of_an_unknown_task_is_told(tmp_path, data):
    with pytest.raises(NotFoundError, match="there is no task 'nonsense'"):
        run_entry(Entry(label="x", task="nonsense", data=str(data)), load_settings({"data_dir": tmp_path}))


def test_data_must_be_named_where_none_ships(tmp_path):
    with pytest.raises(InputError, match="no data"):
        evaluate_system(LENGTH, None, load_settings({"data_dir": tmp_path}), SystemOptions())


def test_unknown_options_of_the_system_are_refused(tmp_path, data):
    with pytest.raises(InputError, match="nonsense"):
        evaluate_system(LENGTH, data, load_settings({"data_dir": tmp_path}), SystemOptions(options={"nonsense": "1"}))
