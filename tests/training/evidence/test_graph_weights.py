import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra [train])")
for library in ("onnx", "onnxscript", "transformers"):
    pytest.importorskip(library, reason=f"{library} is not installed (extra [train])")

from onnx import TensorProto, helper, numpy_helper, save

from core.errors import ModelError
from core.paths import MODELS
from models.onnx_runtime import OnnxModel
from tests.training.conftest import MPNET_SHAPE, SHAPE
from training.evidence.export import export_network
from training.evidence.graph_weights import weights_of_graph
from training.evidence.network import WORDS, EvidenceNetwork, load_trained
from training.quantisation.onnx_files import SMALL, quantise
from training.recipe import EncoderShape

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("shape", [SHAPE, MPNET_SHAPE], ids=lambda shape: shape.family)
def test_weights_come_back_from_eight_bits(shape, tokenizer_file, tmp_path):
    torch.manual_seed(1)
    network = EvidenceNetwork(shape).eval()
    for value in network.parameters():
        torch.nn.init.normal_(value, std=0.2)
    exact = {name: value.detach() for name, value in network.named_parameters() if name != f"enc.{WORDS}"}
    export_network(network, shape, tmp_path / "model", tokenizer=tokenizer_file, batches=[])
    read = weights_of_graph(tmp_path / "model" / SMALL)
    assert read.keys() == exact.keys()
    for name, value in exact.items():
        step = 2 * value.abs().max() / 254  # of the widest channel
        assert (read[name] - value).abs().max() <= step * 0.51, name


def test_training_can_start_from_the_model_that_ships():
    network = EvidenceNetwork(EncoderShape())
    load_trained(network, MODELS / "evidence-minilm-l6" / SMALL)
    assert network.rel[3].weight.std() > 0.01


def test_another_graph_is_refused(tmp_path):
    with pytest.raises(ModelError, match="not a graph that Looksy's training has written"):
        weights_of_graph(MODELS / "all-minilm-l6-v2" / SMALL)
    (tmp_path / SMALL).write_bytes(b"no graph")
    with pytest.raises(ModelError, match="not a graph"):
        weights_of_graph(tmp_path / SMALL)


def test_sums_of_eight_bits_do_not_overflow(tmp_path):
    """Two products of 255 and 127 are more than processors without VNNI can add up in 16 bits."""
    weights = numpy_helper.from_array(np.ones((64, 4), np.float32), "w")
    shapes = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", width]) for name, width in (("x", 64), ("y", 4))
    ]
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"], name="m")], "g", shapes[:1], shapes[1:], [weights]
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "exact.onnx")
    quantise(tmp_path / "exact.onnx", tmp_path / SMALL)
    assert OnnxModel(tmp_path / SMALL).run({"x": np.ones((3, 64), np.float32)})[0] == pytest.approx(64, rel=0.01)
