import pytest

from core.errors import ModelError, NotFoundError
from core.paths import MODELS
from models.hashes import file_hash
from models.registry import shipped_model, shipped_models, verify


def write_model(folder, name="tiny", content=b"no graph"):
    place = folder / name
    place.mkdir()
    (place / "model.onnx").write_bytes(content)
    (place / "CARD.md").write_text("# A tiny model\n\nNothing more.\n")
    (place / "SHA256SUMS").write_text(f"{file_hash(place / 'model.onnx')}  model.onnx\n")
    return place


def test_shipped_models_are_whole():
    models = shipped_models()
    assert {"all-minilm-l6-v2", "evidence-minilm-l6"} <= {model.name for model in models}
    for model in models:
        assert {check.state for check in verify(model)} == {"right"}
        assert 0 < model.size < 30e6
        assert model.title != model.name


def test_every_shipped_folder_is_listed():
    assert {path.parent.name for path in MODELS.glob("*/CARD.md")} == {model.name for model in shipped_models()}


def test_changed_missing_and_broken_files_are_told_apart(tmp_path):
    place = write_model(tmp_path)
    assert [check.state for check in verify(shipped_model("tiny", tmp_path))] == ["unusable"]
    (place / "model.onnx").write_bytes(b"other")
    assert [check.state for check in verify(shipped_model("tiny", tmp_path))] == ["changed"]
    (place / "model.onnx").unlink()
    assert [check.state for check in verify(shipped_model("tiny", tmp_path))] == ["missing"]


def test_title_is_the_cards_heading(tmp_path):
    write_model(tmp_path)
    assert shipped_model("tiny", tmp_path).title == "A tiny model"


def test_unknown_name_lists_the_known(tmp_path):
    write_model(tmp_path)
    with pytest.raises(NotFoundError) as error:
        shipped_model("other", tmp_path)
    assert error.value.hint == "Name one of: tiny."


@pytest.mark.parametrize("content", [b"abc\n", b"\xff\xfeabc"])
def test_broken_list_of_hashes_is_an_error(tmp_path, content):
    (write_model(tmp_path) / "SHA256SUMS").write_bytes(content)
    with pytest.raises(ModelError, match="abc"):
        shipped_models(tmp_path)


def test_a_folder_without_models_is_named(tmp_path):
    place = write_model(tmp_path)
    with pytest.raises(ModelError, match=f"there is no model below {place}"):
        shipped_models(place)
