import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra [train])")
for library in ("onnx", "onnxscript", "transformers"):
    pytest.importorskip(library, reason=f"{library} is not installed (extra [train])")

import onnx
from safetensors.torch import save_file

from core.paths import MODELS
from models.calibration import load_calibration
from models.evidence import EvidenceModel
from training.evidence.graph_weights import weights_of_graph
from training.evidence.network import EvidenceNetwork
from training.evidence.unpack import unpack
from training.quantisation.onnx_files import SMALL
from training.recipe import EncoderShape

pytestmark = pytest.mark.torch
SHIPPED = MODELS / "evidence-minilm-l6"


def test_a_shipped_model_computes_with_its_own_weights_in_32_bits(tmp_path):
    base = tmp_path / "base.safetensors"
    torch.manual_seed(1)
    save_file(dict(EvidenceNetwork(EncoderShape()).enc.state_dict()), base)
    unpack(SHIPPED, tmp_path / "unpacked", base=base)
    graph = onnx.load(str(tmp_path / "unpacked" / SMALL)).graph
    assert not [node.op_type for node in graph.node if "Integer" in node.op_type or "Quant" in node.op_type]
    stored = [onnx.numpy_helper.to_array(one) for one in graph.initializer]
    weight = weights_of_graph(SHIPPED / SMALL)["enc.encoder.layer.3.output.dense.weight"].numpy()
    assert any(one.shape == weight.T.shape and np.array_equal(one, weight.T) for one in stored)
    assert load_calibration(tmp_path / "unpacked") == load_calibration(SHIPPED)
    (reading,) = EvidenceModel(tmp_path / "unpacked").read([("Who came?", "Anna came.")])
    assert np.isfinite(reading.relation_logits).all()
