import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="onnx is not installed (extra [train])")

from onnx import TensorProto, helper, numpy_helper, save

from core.errors import ModelError
from models.onnx_runtime import OnnxModel
from training.quantisation.embedding_quantisation import (
    four_bits,
    from_four_bits,
    lookups,
    store_by_row,
    store_in_four_bits,
)

pytestmark = pytest.mark.torch
ROWS, WIDTH = 50, 16


@pytest.fixture
def table():
    """A table with one row that reaches far above the others, and one that is empty."""
    values = np.random.default_rng(1).normal(scale=0.05, size=(ROWS, WIDTH)).astype(np.float32)
    values[7] *= 100
    values[9] = 0
    return values


@pytest.fixture
def file(table, tmp_path):
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["rows", "tokens"])
    found = helper.make_tensor_value_info("found", TensorProto.FLOAT, ["rows", "tokens", WIDTH])
    node = helper.make_node("Gather", ["words", "ids"], ["found"], name="lookup")
    graph = helper.make_graph([node], "g", [ids], [found], [numpy_helper.from_array(table, "words")])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "graph.onnx")
    return tmp_path / "graph.onnx"


def test_each_row_has_its_own_precision(file, table):
    assert lookups(file) == ["lookup"]
    size = file.stat().st_size
    store_by_row(file, "lookup")
    ids = np.arange(ROWS).reshape(5, 10)
    (found,) = OnnxModel(file).run({"ids": ids})
    lost = np.abs(found.reshape(ROWS, WIDTH) - table).max(axis=1)
    assert (lost <= np.abs(table).max(axis=1) / 254 * 1.01).all()
    assert file.stat().st_size < size / 2


def test_four_bits_take_an_eighth_and_keep_each_row_near(file, table):
    size = file.stat().st_size
    store_in_four_bits(file, "lookup")
    ids = np.arange(ROWS).reshape(5, 10)
    (found,) = OnnxModel(file).run({"ids": ids})
    rounded = from_four_bits(*four_bits(table))
    assert found.reshape(ROWS, WIDTH) == pytest.approx(rounded, abs=1e-6)
    lost, held = np.square(rounded - table).sum(axis=1), np.square(table).sum(axis=1)
    assert (lost <= 0.03 * held).all()
    assert not rounded[9].any()
    assert file.stat().st_size < size / 2


def test_rounding_a_second_time_changes_nothing(table):
    once = from_four_bits(*four_bits(table))
    assert from_four_bits(*four_bits(once)) == pytest.approx(once, rel=1e-5)


def test_a_lookup_that_is_not_there_is_named(file):
    with pytest.raises(ModelError, match="no elsewhere"):
        store_by_row(file, "elsewhere")
