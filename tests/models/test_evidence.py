import pytest

from core.errors import ModelError
from core.paths import MODELS
from models.evidence import EvidenceModel

FOLDER = MODELS / "evidence-minilm-l6"
PASSAGE = (
    "The bridge over the Avon was opened on Tuesday by Mayor Ellen Marsh. It cost 48 million pounds and took "
    "three years to build."
)


@pytest.fixture(scope="module")
def model():
    return EvidenceModel(FOLDER, threads=1)


def test_span_offsets_are_characters_of_the_passage(model):
    reading = model.read([("Who opened the bridge over the Avon?", PASSAGE)])[0]
    assert "Ellen Marsh" in PASSAGE[reading.start : reading.end]
    assert reading.span_score > 0


def test_offsets_survive_accents_and_wide_characters(model):
    passage = "😀 In Zürich sagte man: “Čeněk Nováček” opened the bridge over the Avon on Tuesday."
    reading = model.read([("Who opened the bridge over the Avon?", passage)])[0]
    assert "Čeněk Nováček" in passage[reading.start : reading.end]


def test_relation_is_a_distribution_and_follows_close_wording(model):
    same, other = model.read(
        [("The bridge over the Avon cost 48 million pounds.", PASSAGE), ("Turtles hatch on the beach in May.", PASSAGE)]
    )
    assert same.supports > 0.5
    assert other.neither > 0.5
    assert same.supports + same.refutes + same.neither == pytest.approx(1.0)
    assert same.relevance > other.relevance


def test_long_passage_is_read_in_windows(model):
    filler = "The council met again and spoke about roads, schools and the harbour for a long time. " * 40
    reading = model.read([("Who opened the bridge over the Avon?", filler + PASSAGE)])[0]
    assert "Ellen Marsh" in (filler + PASSAGE)[reading.start : reading.end]


def test_order_of_pairs_is_kept(model):
    questions = ["Who opened the bridge?", "How much did the bridge cost?", "How long did building the bridge take?"]
    readings = model.read([(question, PASSAGE) for question in questions])
    spans = [PASSAGE[reading.start : reading.end] for reading in readings]
    assert "Marsh" in spans[0]
    assert "48" in spans[1]
    assert "three years" in spans[2]


def test_same_pairs_give_the_same_readings(model):
    pairs = [("Who opened the bridge?", PASSAGE), ("Why?", "Because.")]
    assert model.read(pairs) == model.read(pairs)


@pytest.mark.parametrize("passage", ["", " ", "\u200b"])
def test_empty_passage_gives_an_empty_span(model, passage):
    reading = model.read([("Who?", passage)])[0]
    assert passage[reading.start : reading.end].strip("\u200b ") == ""


def test_no_pairs_give_no_readings(model):
    assert model.read([]) == []


def test_identity_names_folder_and_hashes(model):
    assert model.identity == "evidence-minilm-l6@9eb60d0fd15d-be50c362"


def test_missing_folder_fails_on_use_only(tmp_path):
    absent = EvidenceModel(tmp_path)
    with pytest.raises(ModelError):
        absent.read([("a", "b")])
