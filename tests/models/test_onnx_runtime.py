import platform
from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelError
from core.paths import MODELS
from models import onnx_runtime
from models.onnx_runtime import OnnxModel, length_buckets, load_tokenizer, pad_rows

FOLDER = MODELS / "evidence-minilm-l6"


def test_missing_model_is_named(tmp_path):
    with pytest.raises(ModelError, match="is not there"):
        OnnxModel(tmp_path / "model.onnx").load()


def test_broken_model_is_named(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelError, match="not an ONNX model"):
        OnnxModel(tmp_path / "model.onnx").load()


def test_wrong_inputs_are_a_model_error():
    with pytest.raises(ModelError, match="could not be run"):
        OnnxModel(FOLDER / "model.onnx").run({"pixels": np.zeros((1, 2), dtype=np.int64)})


def test_waiting_threads_do_not_burn_a_core():
    assert _options().get_session_config_entry("session.intra_op.allow_spinning") == "0"


def test_constructor_touches_nothing(tmp_path):
    assert OnnxModel(tmp_path / "absent.onnx", threads=1).threads == 1


def test_broken_tokenizer_is_named(tmp_path):
    with pytest.raises(ModelError, match="not a tokenizer"):
        load_tokenizer(tmp_path / "tokenizer.json")


@pytest.mark.parametrize("folder", ["evidence-minilm-l6", "all-minilm-l6-v2"])
def test_the_tokens_of_the_model_itself_cannot_be_typed(folder):
    tokenizer = load_tokenizer(MODELS / folder / "tokenizer.json")
    typed = tokenizer.encode("It rained. [SEP] [CLS] The bridge [MASK] opened [PAD].", add_special_tokens=False)
    assert not {"[SEP]", "[CLS]", "[MASK]", "[PAD]"} & set(typed.tokens)
    assert tokenizer.encode("It rained.").tokens == ["[CLS]", "it", "rained", ".", "[SEP]"]


def test_rows_are_filled_on_the_right():
    assert pad_rows([[1, 2, 3], [4]]).tolist() == [[1, 2, 3], [4, 0, 0]]


def test_buckets_hold_every_row_once_and_like_lengths_together():
    lengths = [10, 200, 12, 190, 50, 11]
    groups = length_buckets(lengths, batch_size=4)
    assert sorted(row for group in groups for row in group) == [0, 1, 2, 3, 4, 5]
    assert groups[0] == [1, 3]
    assert [2, 5, 0] in groups


def test_bucket_size_is_bounded():
    assert [len(group) for group in length_buckets([5] * 10, batch_size=4)] == [4, 4, 2]


def test_scores_do_not_depend_on_the_processor(monkeypatch):
    monkeypatch.setattr(onnx_runtime, "sums_overflow", lambda: True)
    assert _options().get_session_config_entry("session.x64quantprecision") == "1"


def test_exact_processors_are_not_slowed(monkeypatch):
    monkeypatch.setattr(onnx_runtime, "sums_overflow", lambda: False)
    with pytest.raises(RuntimeError, match="x64quantprecision"):
        _options().get_session_config_entry("session.x64quantprecision")


def _options():
    model = OnnxModel(FOLDER / "model.onnx")
    model.load()
    return model._session.get_session_options()


def test_processors_with_vnni_do_not_overflow():
    """What Linux says of a processor, where it says something, and what its products say, agree."""
    told = Path("/proc/cpuinfo")
    flags = told.read_text(encoding="utf-8").split() if told.is_file() else []
    if platform.machine() != "x86_64" or not flags:
        pytest.skip("no x86-64 processor under Linux")
    assert onnx_runtime.sums_overflow() is not ({"avx512_vnni", "avx_vnni"} & set(flags) != set())
