import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra [train])")
for library in ("onnx", "onnxscript", "transformers"):
    pytest.importorskip(library, reason=f"{library} is not installed (extra [train])")

import onnx

from models.onnx_runtime import OnnxModel
from tests.training.conftest import SHAPE
from training.evidence.export import INPUTS, export_network
from training.evidence.network import EvidenceNetwork
from training.quantisation.gptq import channel_products, round_together, rounded_weights
from training.quantisation.onnx_files import FARTHEST, PLAIN, quantise

pytestmark = pytest.mark.torch
EXAMPLES, WIDTH, OUTPUTS = 400, 24, 12
WIDE = "/enc/encoder/layer.0/intermediate/dense/MatMul"


@pytest.fixture
def inputs():
    """Examples whose channels go together: half as many causes as channels."""
    torch.manual_seed(3)
    return torch.randn(EXAMPLES, WIDTH // 2) @ torch.randn(WIDTH // 2, WIDTH) + 0.1 * torch.randn(EXAMPLES, WIDTH)


@pytest.fixture
def weights():
    torch.manual_seed(4)
    return torch.randn(WIDTH, OUTPUTS)


def lost(inputs, weights, rounded, scale):
    return float((inputs.double() @ (weights.double() - rounded * scale.double())).square().mean())


def test_what_one_weight_loses_the_others_make_up_for(inputs, weights):
    scale = weights.abs().amax(0) / 7  # coarse, so that something is lost
    each = (weights / scale).round().double()
    together = rounded_weights(weights, scale, (inputs.T @ inputs).double())
    assert together.shape == weights.shape
    assert together.equal(together.round())
    assert lost(inputs, weights, together, scale) < 0.5 * lost(inputs, weights, each, scale)


def test_channels_that_have_nothing_to_do_with_each_other_are_rounded_as_they_are(weights):
    scale = weights.abs().amax(0) / FARTHEST
    rounded = rounded_weights(weights, scale, torch.diag(torch.arange(1.0, WIDTH + 1)).double())
    assert rounded.equal((weights / scale).round().double())


def test_no_number_leaves_eight_bits(inputs, weights):
    rounded = rounded_weights(weights, weights.abs().amax(0) / 400, (inputs.T @ inputs).double())
    assert rounded.abs().max() == FARTHEST


def test_channels_that_are_never_seen_keep_their_weights(inputs, weights):
    inputs[:, :5] = 0.0
    scale = weights.abs().amax(0) / FARTHEST
    rounded = rounded_weights(weights, scale, (inputs.T @ inputs).double())
    assert rounded[:5].equal((weights[:5] / scale).round().double())
    assert rounded_weights(weights, scale, torch.zeros(WIDTH, WIDTH)).equal((weights / scale).round().double())


@pytest.fixture
def feeds():
    torch.manual_seed(2)
    ids = torch.randint(5, SHAPE.vocabulary, (8, 24)).numpy()
    mask = np.ones_like(ids)
    mask[:, 20:] = 0
    return [dict(zip(INPUTS, (ids, mask, np.zeros_like(ids)), strict=True))]


@pytest.fixture
def exported(tokenizer_file, tmp_path):
    torch.manual_seed(1)
    network = EvidenceNetwork(SHAPE).eval()
    export_network(network, SHAPE, tmp_path / "model", tokenizer=tokenizer_file, batches=[])
    return tmp_path / "model"


def test_padding_does_not_count(exported, feeds):
    graph = onnx.load(str(exported / PLAIN)).graph
    value = next(node.input[0] for node in graph.node if node.name == WIDE)
    seen = OnnxModel(exported / PLAIN, inner=value).run(feeds[0])[-1][:, :20].reshape(-1, SHAPE.hidden)
    found = channel_products(exported / PLAIN, [value], feeds)[value]
    assert found.numpy() == pytest.approx(seen.T @ seen, rel=1e-4, abs=1e-3)


def test_a_graph_gives_what_it_gave_more_nearly(exported, feeds):
    small = exported / "small.onnx"
    quantise(exported / PLAIN, small)
    wanted, before = (OnnxModel(file, inner=f"{WIDE}_output_0").run(feeds[0]) for file in (exported / PLAIN, small))
    size = small.stat().st_size
    round_together(exported / PLAIN, small, [])
    assert OnnxModel(small).run(feeds[0])[0] == pytest.approx(before[0], abs=0)  # nothing was shown
    round_together(exported / PLAIN, small, feeds)
    after = OnnxModel(small, inner=f"{WIDE}_output_0").run(feeds[0])
    assert np.abs(after[-1] - wanted[-1]).mean() < np.abs(before[-1] - wanted[-1]).mean()
    assert small.stat().st_size == pytest.approx(size, rel=0.01)
