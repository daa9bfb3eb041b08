import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra [train])")
for library in ("onnx", "onnxscript", "transformers"):
    pytest.importorskip(library, reason=f"{library} is not installed (extra [train])")

import onnx

from core.errors import ModelError
from models.onnx_runtime import OnnxModel
from tests.training.conftest import SHAPE
from training.evidence.export import INPUTS, export_network
from training.evidence.network import EvidenceNetwork
from training.evidence.tensors import Batch
from training.quantisation.mixed_precision import split_off, widest_channels
from training.quantisation.onnx_files import PLAIN, SMALL, quantise

pytestmark = pytest.mark.torch
ROWS, TOKENS = 8, 24
LOUD = (3, 40)


@pytest.fixture
def batch():
    torch.manual_seed(2)
    unknown = torch.full((ROWS,), -1)
    return Batch(
        token_ids=torch.randint(5, SHAPE.vocabulary, (ROWS, TOKENS)),
        mask=torch.ones(ROWS, TOKENS, dtype=torch.long),
        types=torch.zeros(ROWS, TOKENS, dtype=torch.long),
        relation=unknown,
        start=unknown,
        end=unknown,
        relevant=unknown,
        mirrors=torch.empty(0, 2, dtype=torch.long),
    )


@pytest.fixture
def network():
    """A network with two channels in each layer that reach many times the values of the others."""
    torch.manual_seed(1)
    made = EvidenceNetwork(SHAPE).eval()
    with torch.no_grad():
        for layer in made.enc.encoder.layer:
            layer.intermediate.dense.bias[list(LOUD)] = 40.0
            layer.output.dense.weight *= 4.0
    return made


@pytest.fixture
def exported(network, batch, tokenizer_file, tmp_path):
    folder = tmp_path / "model"
    export_network(network, SHAPE, folder, tokenizer=tokenizer_file, batches=[batch])
    return folder


def fed(batch):
    return dict(zip(INPUTS, (batch.token_ids.numpy(), batch.mask.numpy(), batch.types.numpy()), strict=True))


def answers(file, batch):
    return OnnxModel(file).run(fed(batch))[0]


def test_layer_norms_take_in_no_sums(exported):
    """The operator that does both is slow on CPUs."""
    operators = [node.op_type for node in onnx.load(exported / SMALL).graph.node]
    assert "SkipLayerNormalization" not in operators
    assert operators.count("LayerNormalization") == 1 + 2 * SHAPE.layers
    assert operators.count("QAttention") == SHAPE.layers


def test_the_loudest_channels_are_found(exported, batch):
    widest = widest_channels(exported / PLAIN, [fed(batch)], encoder="/enc/encoder", count=2)
    assert widest == [list(LOUD)] * SHAPE.layers


def test_eight_bits_keep_their_precision_beside_outliers(exported, batch):
    quantise(exported / PLAIN, exported / "naive.onnx")
    exact = answers(exported / PLAIN, batch)
    kept, naive = (np.abs(answers(exported / name, batch) - exact).mean() for name in (SMALL, "naive.onnx"))
    assert kept < naive / 2


def test_a_split_graph_gives_the_same(exported, batch):
    names = split_off(exported / PLAIN, exported / "split.onnx", [list(LOUD), []], encoder="/enc/encoder")
    assert len(names) == 4
    assert answers(exported / "split.onnx", batch) == pytest.approx(answers(exported / PLAIN, batch), abs=1e-5)


def test_a_graph_of_another_form_is_named(exported):
    with pytest.raises(ModelError, match=r"no /roberta/encoder/layer\.0"):
        split_off(exported / PLAIN, exported / "split.onnx", [[0]], encoder="/roberta/encoder")
