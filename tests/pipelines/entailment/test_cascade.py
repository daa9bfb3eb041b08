import json
import shutil

import pytest

from core.paths import MODELS
from core.settings import Settings
from models.calibration import FILE, load_calibration
from models.evidence import EvidenceModel
from pipelines.entailment.cascade import CascadeVerifier
from pipelines.entailment.cross_encoder import CrossEncoderVerifier
from pipelines.entailment.open_verifier import open_verifier
from pipelines.entailment.shipped import UNREAD, ShippedVerifier

SMALL = MODELS / "evidence-minilm-l6"
PREMISE = "The bridge over the Avon was opened on Tuesday by Mayor Ellen Marsh. It cost 48 million pounds."
ELSEWHERE = "Heavy rain is expected along the northern coast this weekend."
STATEMENT = "The bridge over the Avon cost 48 million pounds."


class CountingModel(EvidenceModel):
    """Keeps what it was asked."""

    def __init__(self, folder):
        super().__init__(folder, threads=1)
        self.asked = []

    def read(self, pairs):
        self.asked += pairs
        return super().read(pairs)


@pytest.fixture
def judge_folder(tmp_path):
    """Return a judge of the small model's weights, with a calibration of its own."""
    folder = shutil.copytree(SMALL, tmp_path / "judge")
    calibration = load_calibration(SMALL).model_dump(mode="json")
    calibration["relation"] |= {"scale": 0.5, "first": 0.5, "supports": 0.0, "refutes": 0.0}
    calibration["statement"]["verified_from"] = 0.625
    (folder / FILE).write_text(json.dumps(calibration), encoding="utf-8")
    return folder


@pytest.fixture
def small():
    return ShippedVerifier(EvidenceModel(SMALL, threads=1))


def test_judge_reads_what_the_small_model_does_not_take_for_silence(judge_folder, small):
    judge = CountingModel(judge_folder)
    pairs = [(STATEMENT, PREMISE), (STATEMENT, ELSEWHERE)]
    first = small.judge(pairs)
    assert [one.supports + one.refutes >= 0.05 for one in first] == [True, False]
    told, silent = CascadeVerifier(small, judge).judge(pairs)
    assert judge.asked == [(STATEMENT, PREMISE)]
    assert silent == first[1]
    assert told.supports > 0.5
    assert told != first[0]  # weighed by the judge's calibration


def test_judge_weighs_both_models_logits(judge_folder, small):
    judge = EvidenceModel(judge_folder, threads=1)
    reading = judge.read([(STATEMENT, PREMISE)])[0]
    expected = load_calibration(judge_folder).relation_probabilities(
        reading.relation_logits, first=small.model.read([(STATEMENT, PREMISE)])[0].relation_logits
    )
    (judged,) = CascadeVerifier(small, judge).judge([(STATEMENT, PREMISE)])
    assert [judged.supports, judged.refutes, judged.neither] == pytest.approx(expected)
    alone = load_calibration(judge_folder).relation_probabilities(reading.relation_logits)
    assert judged.supports > alone[0]  # half the scale, without the other half


def test_judge_reads_no_more_than_the_most_of_each_statement(judge_folder, small):
    judge = CountingModel(judge_folder)
    others = [f"The bridge over the Avon cost {number} million pounds." for number in (47, 49, 50)]
    pairs = [(one, PREMISE) for one in (STATEMENT, *others)] + [(STATEMENT, text) for text in others]
    CascadeVerifier(small, judge, least=0.0, most=2).judge(pairs)
    asked = [statement for statement, _ in judge.asked]
    assert {one: asked.count(one) for one in asked} == {STATEMENT: 2, **dict.fromkeys(others, 1)}


def test_a_statement_that_is_not_read_to_its_end_is_unread(judge_folder, small):
    long = f"The bridge cost 48 million pounds{', which pleased everybody who had waited for it' * 20}."
    judged = CascadeVerifier(small, EvidenceModel(judge_folder, threads=1)).judge(
        [(long, PREMISE), (STATEMENT, PREMISE)]
    )
    assert judged[0] == UNREAD
    assert judged[1] != UNREAD


def test_setting_names_who_judges(judge_folder, small, tmp_path):
    def opened(**flags):
        return open_verifier(Settings(**flags), small.model, load_calibration(SMALL), generator=None)

    assert type(opened(judge="small")) is ShippedVerifier
    judge = opened(judge=str(judge_folder))
    assert type(judge) is CascadeVerifier
    assert judge.identity == EvidenceModel(judge_folder).identity
    assert judge.thresholds.verified_from == 0.625
    assert type(opened(judge=str(tmp_path))) is CrossEncoderVerifier  # a folder without our graph, or a hub's name
