import pytest

from core.settings import load_settings
from core.types import QueryKind
from evaluation.calibration import answer_readings as read
from evaluation.calibration import relation_readings, statement_readings
from evaluation.calibration.answer_readings import ReadQuestion
from evaluation.calibration.readings_cache import kept_file
from evaluation.calibration.relation_readings import ReadPair
from evaluation.calibration.statement_readings import ReadStatement
from evaluation.calibration.store import store_fit
from evaluation.data.formats.labels import Label
from evaluation.data.formats.questions import QueryRow
from models.calibration import UNCALIBRATED, load_calibration
from tests.full_disk import full_disk

LINE_ENDS = "one\u2028two\u2029three\u0085four"
"""That JSON allows within a string as they are."""


def test_what_was_read_is_read_back_and_half_a_line_is_cut_off(tmp_path):
    rows = [QueryRow(id=name, kind=QueryKind.QUESTION, text=f"{LINE_ENDS} \u00e9") for name in "ab"]
    questions = [ReadQuestion(row=row, pieces=()) for row in rows]
    lines = "".join(one.model_dump_json() + "\n" for one in questions).encode()
    path = tmp_path / "kept.jsonl"
    assert list(read._kept(path)) == []
    path.write_bytes(lines + lines[: lines.index(b"\xa9")])  # the kill came within a character
    assert list(read._kept(path)) == questions
    assert path.read_bytes() == lines
    path.write_bytes(lines[:10])
    assert list(read._kept(path)) == []
    assert path.read_bytes() == b""


def test_statements_and_pairs_are_read_back(tmp_path):
    path = tmp_path / "kept.jsonl"
    statement = ReadStatement(id="a", about=(LINE_ENDS,), label=Label.SUPPORTS, articles=())
    path.write_text(statement.model_dump_json() + "\n", encoding="utf-8")
    assert list(statement_readings._kept(path)) == [statement]
    pair = ReadPair(group=LINE_ENDS, label=0, logits=(0.1, 0.2, 0.3))
    path.write_text(pair.model_dump_json() + "\n", encoding="utf-8")
    assert relation_readings.read_pairs([], None, path) == [pair]


def test_other_settings_data_or_values_make_another_file(tmp_path):
    data = [tmp_path / "data.jsonl"]
    data[0].write_text("{}\n", encoding="utf-8")

    def name(top_k=20, **further):
        settings = load_settings({"data_dir": tmp_path, "top_k": top_k})
        return kept_file(tmp_path, "read", model="made@1", data=data, settings=settings, **further)

    first = name()
    assert name() == first
    assert len({first, name(top_k=5), name(relation={"scale": 2.0})}) == 3
    data[0].write_text("{}\n{}\n", encoding="utf-8")
    assert name() != first


def test_a_calibration_that_is_there_survives_a_full_disk(tmp_path, monkeypatch):
    weights = UNCALIBRATED.relation.model_copy(update={"scale": 2.0})
    store_fit(tmp_path, weights)

    with full_disk(monkeypatch), pytest.raises(OSError, match="No space"):
        store_fit(tmp_path, UNCALIBRATED.answer)
    assert load_calibration(tmp_path).relation == weights
