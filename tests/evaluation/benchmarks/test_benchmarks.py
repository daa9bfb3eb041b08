import json

import pytest
from typer.testing import CliRunner

from core.errors import ConfigError, NotFoundError
from core.paths import SAMPLE
from core.settings import Settings
from evaluation.benchmarks import floors
from evaluation.benchmarks.floors import Floor, FloorCheck, check_floors, judge, read_floors, update_floors
from evaluation.benchmarks.load import list_suites, load_suite
from evaluation.benchmarks.models import Entry, EntryResult, Suite
from evaluation.benchmarks.run import find_data, run_entry
from evaluation.benchmarks.table import heading, rows, to_markdown
from service.cli.main import app

ENTRY = Entry(label="BM25", task="retrieval", retriever="bm25")
FLOOR = Floor(entry=ENTRY, measure="MRR", value=0.8, tolerance=0.01, data_sha256="a")


@pytest.mark.parametrize("name", list_suites())
def test_every_benchmark_loads_and_names_itself(name):
    suite = load_suite(name)
    assert suite.name == name
    assert suite.entries


def test_unknown_benchmarks_and_keys_are_refused(tmp_path):
    with pytest.raises(NotFoundError) as caught:
        load_suite("nonsense")
    assert "retrievers" in caught.value.hint
    file = tmp_path / "x.yaml"
    file.write_text("name: x\ntitel: x\n")
    with pytest.raises(ConfigError):
        load_suite(str(file))


def test_data_is_found_in_the_sample_and_below_the_root(tmp_path):
    assert find_data("sample", None) == SAMPLE
    assert find_data("sample/qrels_logic.yaml", None) == SAMPLE / "qrels_logic.yaml"
    assert find_data("root/x", None) is None
    (tmp_path / "x").touch()
    assert find_data("root/x", tmp_path) == tmp_path / "x"


def test_entries_without_data_are_skipped_aloud(tmp_path):
    entry = Entry(label="pack", task="verdict", data="root/pack.jsonl")
    assert "pack.jsonl" in run_entry(entry, Settings(data_dir=tmp_path)).skipped


def test_data_that_is_not_there_is_named_as_the_file_writes_it(tmp_path):
    entry = Entry(label="pack", task="verdict", data="mine/pack.jsonl")
    assert run_entry(entry, Settings(data_dir=tmp_path)).skipped == "mine/pack.jsonl is not there"


def test_an_entry_with_malformed_data_fails_and_ends_no_other(tmp_path):
    data = tmp_path / "claims.jsonl"
    data.write_text("this is not valid JSON\n")
    suite = {
        "name": "mine",
        "title": "Mine",
        "about": "Broken data first.",
        "show": ["macro_f1"],
        "entries": [
            {"label": "broken", "task": "verdict", "data": str(data)},
            {"label": "absent", "task": "verdict", "data": str(tmp_path / "none.jsonl")},
        ],
    }
    file = tmp_path / "mine.yaml"
    file.write_text(json.dumps(suite))
    out = tmp_path / "table.md"
    result = CliRunner().invoke(app, ["benchmark", str(file), "--out", str(out), "--data-dir", str(tmp_path / "var")])
    assert (result.exit_code, "1 of 2 entries failed: broken." in result.stderr) == (1, True)
    table = out.read_text()
    assert "| broken (failed) |" in table
    assert "- broken: failed, " in table
    assert "claims.jsonl" in table
    assert "| absent (skipped) |" in table


def test_a_bar_in_a_label_parts_no_row():
    suite = Suite(name="x", title="x", about="x", show=("MRR",), entries=())
    table = to_markdown(suite, [EntryResult(label="BM25 | stemmed", run_id="r")])
    assert "\n| BM25 \\| stemmed | " in table


def test_published_figures_stand_beside_ours():
    suite = load_suite("retrievers")
    result = EntryResult(label="BM25", run_id="r", measures={"MRR": (0.8, 0.7, 0.9)}, n=50)
    table = rows(suite, [result, EntryResult(label="x", run_id=None, skipped="no data")])
    assert {len(row) for row in table} == {len(heading(suite))}
    assert table[0][:2] == ("BM25", "0.800 [0.70, 0.90]")
    assert "published: BM25" in [row[0] for row in table]
    assert "x: skipped, no data" in to_markdown(suite, [result, EntryResult(label="x", run_id=None, skipped="no data")])


@pytest.mark.parametrize(
    ("reached", "digest", "problem"),
    [(0.8, "a", ""), (0.79, "a", ""), (0.789, "a", "below"), (0.9, "b", "data changed"), (None, "a", "not measured")],
)
def test_a_floor_holds_within_its_tolerance_on_its_data(reached, digest, problem):
    found = judge(FLOOR, reached, digest)
    assert (problem in found) if problem else found == ""


def test_a_floor_does_not_hold_where_items_failed(tmp_path, monkeypatch):
    file = tmp_path / "floors.json"
    file.write_text("[" + FLOOR.model_dump_json() + "]")
    result = EntryResult(
        label="x", run_id="r", measures={FLOOR.measure: (1.0, None, None)}, n=60, failed=59, data_sha256="a"
    )
    monkeypatch.setattr(floors, "run_entry", lambda *_, **__: result)
    checks = check_floors(Settings(data_dir=tmp_path), path=file)
    assert [check.problem for check in checks] == ["59 of 60 items failed"]
    assert update_floors(checks, lower=True, path=file)[0].value == FLOOR.value


def test_floors_rise_freely_and_fall_only_on_purpose(tmp_path):
    file = tmp_path / "floors.json"
    file.write_text("[" + FLOOR.model_dump_json() + "]")
    better = FloorCheck(floor=FLOOR, reached=0.9, data_sha256="a")
    assert update_floors([better], lower=False, path=file)[0].value == 0.9
    worse = FloorCheck(floor=read_floors(file)[0], reached=0.5, data_sha256="a", problem="0.5 is below")
    with pytest.raises(ConfigError, match="is below"):
        update_floors([worse], lower=False, path=file)
    assert update_floors([worse], lower=True, path=file)[0].value == 0.5


@pytest.mark.parametrize(("reached", "problem"), [(0.0, ""), (0.81, ""), (0.82, "above")])
def test_a_ceiling_holds_from_above(reached, problem):
    found = judge(FLOOR.model_copy(update={"is_ceiling": True}), reached, "a")
    assert (problem in found) if problem else found == ""


def test_a_ceiling_falls_freely(tmp_path):
    file = tmp_path / "floors.json"
    ceiling = FLOOR.model_copy(update={"is_ceiling": True})
    file.write_text("[" + ceiling.model_dump_json() + "]")
    lower = FloorCheck(floor=ceiling, reached=0.5, data_sha256="a")
    assert update_floors([lower], lower=False, path=file)[0].value == 0.5
    higher = FloorCheck(floor=read_floors(file)[0], reached=0.505, data_sha256="a")
    assert update_floors([higher], lower=False, path=file)[0].value == 0.5


def test_the_quick_floors_hold(tmp_path):
    checks = check_floors(Settings(data_dir=tmp_path), slow=False)
    assert len(checks) >= 3
    assert [check.problem for check in checks if check.problem] == []


def test_floors_name_every_kind_that_the_sample_can_measure():
    assert {floor.entry.task for floor in read_floors()} >= {"retrieval", "rag", "verdict", "claims"}
    assert all(floor.tolerance >= 0 and len(floor.data_sha256) == 64 for floor in read_floors())


def test_a_suite_forbids_unknown_keys():
    with pytest.raises(ValueError, match="Extra"):
        Suite.model_validate({"name": "x", "title": "x", "about": "x", "show": [], "entries": [], "extra": 1})
