import pytest

from core.paths import MODELS
from models.calibration import load_calibration
from models.evidence import EvidenceModel
from pipelines.entailment.shipped import UNREAD, ShippedVerifier

FOLDER = MODELS / "evidence-minilm-l6"
PREMISE = "The bridge over the Avon was opened on Tuesday by Mayor Ellen Marsh. It cost 48 million pounds."
PATIENT = ", which pleased everybody who had waited for it"
FALSE_END = ", and the prime minister was arrested for murder."


@pytest.fixture(scope="module")
def verifier():
    return ShippedVerifier(EvidenceModel(FOLDER, threads=1), load_calibration(FOLDER))


def statement(times: int) -> str:
    return f"The bridge over the Avon was opened by Mayor Ellen Marsh{PATIENT * times}{FALSE_END}"


def test_a_statement_that_is_not_read_to_its_end_is_neither_supported_nor_refuted(verifier):
    assert not verifier.reads_whole(statement(20))
    (judged,) = verifier.judge([(statement(20), PREMISE)])
    assert judged == UNREAD
    assert max(judged.supports, judged.refutes) < verifier.thresholds.verified_from


def test_a_statement_of_eighty_words_is_read_whole(verifier):
    assert verifier.reads_whole(statement(8))
    (judged,) = verifier.judge([(statement(8), PREMISE)])
    assert judged != UNREAD


def test_what_is_too_long_changes_nothing_for_the_others(verifier):
    pairs = [("The bridge cost 48 million pounds.", PREMISE), ("The bridge over the Avon is closed.", PREMISE)]
    first, long, second = verifier.judge([pairs[0], (statement(20), PREMISE), pairs[1]])
    assert [first, second] == verifier.judge(pairs)
    assert long == UNREAD


def test_nothing_to_judge_gives_nothing(verifier):
    assert verifier.judge([]) == []
