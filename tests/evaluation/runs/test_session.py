import json
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import CancelledError, InputError, NotFoundError, StoreLockedError, StoreMissingError, UnavailableError
from core.settings import Settings
from core.types import Status
from evaluation.reports.html import to_html
from evaluation.reports.markdown import to_markdown
from evaluation.runs.compare import compare_runs
from evaluation.runs.folder import find_run, list_runs
from evaluation.runs.models import DataInfo
from evaluation.runs.predictions import Answered
from evaluation.runs.session import RunPlan, run_task, score_run
from evaluation.tasks.retrieval.task import TASK, Ranked, RetrievalItem, RetrievalOutput

DATA = DataInfo(path="somewhere", sha256="0" * 64, items=20, format="test")
ITEMS = [RetrievalItem(id=f"q{n}", text=f"query {n}", judgements={f"d{n}": 1}) for n in range(20)]


def answer(item, *, shift=0):
    number = int(item.id[1:])
    first = [f"x{n}" for n in range((number + shift) % 4)]
    return Answered(output=RetrievalOutput(ranked=tuple(Ranked(id=name) for name in [*first, f"d{number}"])))


def plan(predict=answer, **changes):
    fields = {"title": "t", "data": DATA, "items": ITEMS, "system": "s", "predict": predict}
    return RunPlan(**(fields | changes))


def settings(folder):
    return Settings(data_dir=folder)


def values(report):
    return {name: value.model_dump() for name, value in report.measures.items()}


def test_a_stopped_run_goes_on_and_gives_identical_scores(tmp_path):
    _, whole = run_task(TASK, plan(), settings(tmp_path / "whole"))
    asked = []

    def stops(item):
        asked.append(item.id)
        if len(asked) == 8:
            raise KeyboardInterrupt
        return answer(item)

    with pytest.raises(CancelledError, match=r"after \d+ of 20"):
        run_task(TASK, plan(stops), settings(tmp_path / "stopped"))
    folder, report = run_task(TASK, plan(stops), settings(tmp_path / "stopped"))
    assert len(asked) == 8 + 13
    assert values(report) == values(whole)
    assert len(list_runs(tmp_path / "stopped")) == 1
    assert (folder.path / "report.html").is_file()


KILLED = """
import sys, time
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.evaluation.runs.test_session import TASK, answer, plan, run_task, settings
def slow(item):
    time.sleep(0.05)
    return answer(item)
run_task(TASK, plan(slow), settings(Path({folder!r})))
"""


def test_a_killed_run_goes_on_and_gives_identical_scores(tmp_path):
    root = os.getcwd()
    process = subprocess.Popen([sys.executable, "-c", KILLED.format(root=root, folder=str(tmp_path / "killed"))])
    deadline = time.monotonic() + 60
    saved = None
    while time.monotonic() < deadline and process.poll() is None:
        saved = next(iter((tmp_path / "killed").glob("runs/*/predictions.jsonl")), None)
        if saved is not None and saved.read_bytes().count(b"\n") >= 3:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = saved.read_bytes().count(b"\n")
    assert 3 <= done < 20
    with saved.open("ab") as handle:
        handle.write(b'{"id": "q19", "torn')  # what a kill in the middle of a line leaves
    asked = []
    _, report = run_task(TASK, plan(lambda item: asked.append(item.id) or answer(item)), settings(tmp_path / "killed"))
    _, whole = run_task(TASK, plan(), settings(tmp_path / "whole"))
    assert len(asked) == 20 - done
    assert values(report) == values(whole)


def test_a_run_that_is_being_made_is_not_made_by_another(tmp_path):
    asked = []

    def meanwhile(item):
        asked.append(item.id)
        if len(asked) == 3:
            with pytest.raises(StoreLockedError, match=f"process {os.getpid()} is making the run"):
                run_task(TASK, plan(), settings(tmp_path))
        return answer(item)

    _, report = run_task(TASK, plan(meanwhile), settings(tmp_path))
    assert (len(asked), report.failed, report.missing) == (20, 0, 0)
    assert len(list_runs(tmp_path)) == 1


def test_a_finished_run_is_not_gone_on_with_and_other_options_are_another_run(tmp_path):
    run_task(TASK, plan(), settings(tmp_path))
    run_task(TASK, plan(), settings(tmp_path))
    run_task(TASK, plan(options={"depth": 5}), settings(tmp_path))
    assert len(list_runs(tmp_path)) == 3


def test_another_models_run_is_not_gone_on_with(tmp_path):
    model = tmp_path / "model"
    model.mkdir()
    (model / "calibration.json").write_text("{}")
    chosen = Settings(data_dir=tmp_path / "var", reader_model=str(model))

    def broken(item):
        raise UnavailableError("the host did not answer")

    first, _ = run_task(TASK, plan(broken), chosen)
    assert run_task(TASK, plan(broken), chosen)[0].path == first.path
    (model / "calibration.json").write_text('{"answer": null}')
    assert run_task(TASK, plan(broken), chosen)[0].path != first.path


def test_scoring_again_asks_nobody(tmp_path):
    folder, report = run_task(TASK, plan(), settings(tmp_path))
    (folder.path / "report.json").unlink()
    assert values(score_run(TASK, folder)) == values(report)
    assert json.loads((folder.path / "report.json").read_text())["measures"] == values(report)


def test_failures_are_counted_listed_and_asked_again(tmp_path):
    def fails(item):
        if item.id in {"q3", "q4"}:
            raise UnavailableError("the host did not answer")
        return answer(item)

    _, report = run_task(TASK, plan(fails), settings(tmp_path))
    assert report.failed == 2
    assert {failure.id for failure in report.failures} == {"q3", "q4"}
    assert report.failures[0].message == "the host did not answer"
    assert report.measures["MRR"].n == 18
    assert "2 of 20 predictions failed" in report.notes[0]
    asked = []
    _, mended = run_task(TASK, plan(lambda item: asked.append(item.id) or answer(item)), settings(tmp_path))
    assert (mended.failed, mended.measures["MRR"].n) == (0, 20)
    assert sorted(asked) == ["q3", "q4"]
    assert mended.run.run_id == report.run.run_id


def test_a_run_that_was_stopped_while_its_report_was_written_goes_on(tmp_path, monkeypatch):
    def stops(report):
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("evaluation.reports.write.to_html", stops)
        with pytest.raises(KeyboardInterrupt):
            run_task(TASK, plan(), settings(tmp_path))
    (stopped,) = list_runs(tmp_path)
    folder = find_run(tmp_path, stopped.run_id)
    assert not (folder.path / "report.json").exists()
    for half in ('{"run": {"run_id"', "{}", "null"):
        (folder.path / "report.json").write_text(half)
        assert folder.open_in_report() is None
    again, report = run_task(TASK, plan(lambda item: pytest.fail("asked again")), settings(tmp_path))
    assert (again.path, report.failed) == (folder.path, 0)
    assert not list(folder.path.glob("*.part"))
    assert run_task(TASK, plan(), settings(tmp_path))[0].path != folder.path


@pytest.mark.parametrize("repeats", [1, 2])
def test_a_stopped_run_that_was_scored_goes_on(tmp_path, repeats):
    asked = []

    def stops(item):
        asked.append(item.id)
        if len(asked) == 20 * repeats - 3:
            raise KeyboardInterrupt
        return answer(item)

    with pytest.raises(CancelledError):
        run_task(TASK, plan(stops, repeats=repeats), settings(tmp_path))
    (stopped,) = list_runs(tmp_path)
    report = score_run(TASK, find_run(tmp_path, stopped.run_id))
    assert report.failed == 0
    assert 0 < report.missing <= 4
    _, whole = run_task(TASK, plan(stops, repeats=repeats), settings(tmp_path))
    assert (whole.run.run_id, whole.missing) == (stopped.run_id, 0)
    assert run_task(TASK, plan(repeats=repeats), settings(tmp_path))[1].run.run_id != stopped.run_id


def test_items_manifest_and_report_are_on_the_disk_before_they_count(tmp_path, monkeypatch):
    flushed = []

    def sync(handle):
        path = Path(f"/proc/self/fd/{handle}").readlink()
        if path.is_file():
            flushed.append((path.name.partition(".json")[0], sorted(one.stem for one in path.parent.glob("*.json"))))

    monkeypatch.setattr(os, "fsync", sync)
    run_task(TASK, plan(), settings(tmp_path))
    assert flushed == [("items", []), ("manifest", []), ("report", ["manifest"])]


def test_runs_of_another_version_are_passed_over(tmp_path):
    folder, _ = run_task(TASK, plan(), settings(tmp_path))
    other = tmp_path / "runs" / "retrieval-99999999-000000-0000"
    other.mkdir()
    (other / "manifest.json").write_text('{"run_id": "retrieval-99999999-000000-0000", "colour": "red"}')
    assert [one.run_id for one in list_runs(tmp_path)] == [folder.path.name]
    _, report = run_task(TASK, plan(), settings(tmp_path))
    assert report.failed == 0
    with pytest.raises(InputError, match="another version"):
        find_run(tmp_path, other.name).manifest()


def test_what_every_item_would_meet_ends_the_run(tmp_path):
    def no_index(item):
        raise StoreMissingError("there is no index yet")

    with pytest.raises(StoreMissingError):
        run_task(TASK, plan(no_index, workers=4), settings(tmp_path))


def test_progress_tells_time_and_tokens_an_item(tmp_path):
    def counts(item):
        return answer(item).model_copy(update={"tokens_in": 90, "tokens_out": 10})

    events = []
    _, report = run_task(TASK, plan(counts), settings(tmp_path), progress=events.append)
    assert (events[0].done, events[-1].done, events[-1].total) == (0, 20, 20)
    assert "ms an item" in events[-1].message
    assert "100 tokens an item" in events[-1].message
    assert (report.timing.tokens_in, report.timing.tokens_out) == (1800, 200)
    assert "tokens per item: 90 in, 10 out (2,000 in all)" in to_markdown(report)
    assert "tokens per item: 90 in, 10 out (2,000 in all)" in to_html(report)


def test_one_worker_saves_in_the_order_of_the_items(tmp_path):
    for sitting in range(5):
        folder, _ = run_task(TASK, plan(), settings(tmp_path / f"{sitting}"))
        assert [one.id for one in folder.predictions(RetrievalOutput)] == [item.id for item in ITEMS]


def test_many_workers_give_the_same_report(tmp_path):
    _, one = run_task(TASK, plan(), settings(tmp_path / "one"))
    _, many = run_task(TASK, plan(workers=8), settings(tmp_path / "many"))
    assert values(one) == values(many)


def test_repeats_are_averaged_with_an_interval_over_them(tmp_path):
    turns = iter(range(60))

    def samples(item):
        repeat = next(turns) // 20
        return answer(item, shift=repeat if item.id in {"q0", "q1", "q3"} else 0)

    folder, report = run_task(TASK, plan(samples, repeats=3), settings(tmp_path))
    table = report.tables[0]
    assert (table.title, len(table.columns)) == ("Repeated runs", 5)
    drawn = next(row for row in table.rows if row[0] == "MRR")[1:4]
    # Student's t for three values, by hand: 4.303 standard errors.
    assert len(set(drawn)) == 3
    half = 4.303 * statistics.stdev(drawn) / 3**0.5
    mrr = report.measures["MRR"]
    assert (mrr.value, mrr.low, mrr.high) == pytest.approx(
        (statistics.mean(drawn), statistics.mean(drawn) - half, statistics.mean(drawn) + half)
    )
    bar = next(bar for bar in report.figures[0].bars if bar.label == "MRR")
    assert (bar.value, bar.low) == (mrr.value, mrr.low)
    detail = next(one for one in report.details if one.id == "q3")
    labels = [line.label for line in detail.lines]
    assert {"1, run 1", "1, run 2", "1, run 3"} <= set(labels)
    assert "1, run 3" in (folder.path / "report.html").read_text()


def test_a_repeat_in_which_all_items_failed_takes_no_figure_from_the_others(tmp_path):
    turns = iter(range(40))

    def at_first_broken(item):
        if next(turns) < 20:
            raise UnavailableError("the host did not answer")
        return answer(item)

    _, report = run_task(TASK, plan(at_first_broken, repeats=2), settings(tmp_path))
    _, whole = run_task(TASK, plan(), settings(tmp_path / "whole"))
    assert report.failed == 20
    assert {name: (one.value, one.n) for name, one in report.measures.items()} == {
        name: (one.value, 20) for name, one in whole.measures.items()
    }


def test_compare_says_which_run_is_better(tmp_path):
    first, _ = run_task(TASK, plan(), settings(tmp_path))
    second, _ = run_task(
        TASK, plan(lambda item: Answered(output=RetrievalOutput(ranked=())), system="none"), settings(tmp_path)
    )
    comparison = compare_runs(tmp_path, first.path.name, str(second.path))
    mrr = next(one for one in comparison.measures if one.measure == "MRR")
    assert mrr.second == 0.0
    assert mrr.test.p_value < 0.001
    assert (mrr.test.better, mrr.test.worse) == (0, 20)
    assert comparison.shared_items == 20
    with pytest.raises(NotFoundError, match="no scored run"):
        compare_runs(tmp_path, "absent", first.path.name)


@pytest.mark.parametrize(
    ("changed", "note"),
    [
        ({}, None),
        ({"sha256": "1" * 64}, "Attention: the runs were made on different data."),
        ({"index_snapshot": "b"}, "Attention: the runs searched different indexes, or the index changed between them."),
        (
            {"index_snapshot": None},
            "Attention: the runs searched different indexes, or the index changed between them.",
        ),
    ],
)
def test_compare_warns_of_other_data_and_of_a_changed_index(tmp_path, changed, note):
    data = DATA.model_copy(update={"index_snapshot": "a"})
    first, _ = run_task(TASK, plan(data=data), settings(tmp_path))
    second, _ = run_task(TASK, plan(data=data.model_copy(update=changed)), settings(tmp_path))
    notes = compare_runs(tmp_path, first.path.name, second.path.name).notes
    assert notes[1:] == ((note,) if note else ())


def test_nothing_to_evaluate_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no items"):
        run_task(TASK, plan(items=[]), settings(tmp_path))


def test_items_of_one_id_are_refused(tmp_path):
    with pytest.raises(InputError, match="item q3 stands 2 times in somewhere"):
        run_task(TASK, plan(items=[*ITEMS, ITEMS[3]]), settings(tmp_path))


def test_a_broken_prediction_line_is_named(tmp_path):
    folder, _ = run_task(TASK, plan(), settings(tmp_path))
    file = folder.path / "predictions.jsonl"
    file.write_bytes(b"{broken\n" + file.read_bytes())
    with pytest.raises(InputError, match=r"predictions.jsonl, line 1"):
        score_run(TASK, find_run(tmp_path, folder.path.name))


@pytest.mark.parametrize("name", ["items.jsonl", "predictions.jsonl"])
def test_items_and_predictions_of_another_version_are_named(tmp_path, name):
    folder, _ = run_task(TASK, plan(), settings(tmp_path))
    file = folder.path / name
    file.write_text(file.read_text().replace('{"id":"q1",', '{"colour":"red","id":"q1",'))
    with pytest.raises(InputError, match=rf"{name}, line 2 was written by another version"):
        score_run(TASK, find_run(tmp_path, folder.path.name))


def test_statuses_of_saved_predictions(tmp_path):
    folder, _ = run_task(TASK, plan(), settings(tmp_path))
    assert {one.status for one in folder.predictions(RetrievalOutput)} == {Status.OK}
