import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra [train])")
for library in ("onnx", "onnxscript", "transformers"):
    pytest.importorskip(library, reason=f"{library} is not installed (extra [train])")

from core.errors import ModelError
from models.onnx_runtime import OnnxModel
from tests.training.conftest import SHAPE
from training.evidence.export import INPUTS, export_network
from training.evidence.graph_weights import weights_of_graph
from training.evidence.network import EvidenceNetwork
from training.quantisation.activations import MASK, reach
from training.quantisation.onnx_files import PLAIN, SMALL, quantise
from training.quantisation.smoothquant import smooth

pytestmark = pytest.mark.torch
ROWS, TOKENS = 8, 24
LOUD = 5
WIDE = "/enc/encoder/layer.1/intermediate/dense/MatMul_output_0"


@pytest.fixture
def feeds():
    torch.manual_seed(2)
    ids = torch.randint(5, SHAPE.vocabulary, (ROWS, TOKENS))
    return dict(zip(INPUTS, (ids.numpy(), np.ones_like(ids), np.zeros_like(ids)), strict=True))


@pytest.fixture
def network():
    """A network in which a channel before the feed-forward parts reaches far above the others and says little."""
    torch.manual_seed(1)
    made = EvidenceNetwork(SHAPE).eval()
    with torch.no_grad():
        for layer in made.enc.encoder.layer:
            layer.attention.output.LayerNorm.weight[LOUD] = 30.0
            for reader in (layer.attention.self.query, layer.attention.self.value, layer.intermediate.dense):
                reader.weight *= 8.0
                reader.weight[:, LOUD] /= 100.0
    return made


@pytest.fixture
def exported(network, tokenizer_file, tmp_path):
    export_network(network, SHAPE, tmp_path / "model", tokenizer=tokenizer_file, batches=[])
    return tmp_path / "model"


def answers(file, feeds):
    """Span logits, and what the second layer's feed-forward part makes of its input."""
    first, *_, wide = OnnxModel(file, inner=WIDE).run(feeds)
    return first, wide


def test_how_far_each_channel_reaches_is_seen(exported, feeds):
    mask = feeds[MASK].copy()
    mask[:, TOKENS // 2 :] = 0
    (whole,), (masked,) = (reach(exported / PLAIN, [WIDE], [one]).values() for one in (feeds, feeds | {MASK: mask}))
    values = OnnxModel(exported / PLAIN, inner=WIDE).run(feeds)[-1]
    assert whole == pytest.approx(np.abs(values).max(axis=(0, 1)))
    values = OnnxModel(exported / PLAIN, inner=WIDE).run(feeds | {MASK: mask})[-1]
    assert masked == pytest.approx(np.abs(values[:, : TOKENS // 2]).max(axis=(0, 1)))  # padding does not count


def test_an_evened_graph_gives_the_same_and_loses_less_in_eight_bits(exported, feeds):
    exact, wide = answers(exported / PLAIN, feeds)
    smooth(exported / PLAIN, exported / "even.onnx", [feeds], encoder="/enc/encoder")
    assert answers(exported / "even.onnx", feeds)[0] == pytest.approx(exact, abs=1e-4)
    lost = {}
    for name in ("even.onnx", PLAIN):
        quantise(exported / name, exported / SMALL)
        lost[name] = float(np.abs(answers(exported / SMALL, feeds)[1] - wide).mean())
    assert lost["even.onnx"] < lost[PLAIN] / 2


def test_weights_of_an_evened_graph_are_read_as_they_were(network, tokenizer_file, tmp_path, feeds):
    batch = [torch.from_numpy(feeds[name]) for name in INPUTS]
    shown = type("Shown", (), dict(zip(("token_ids", "mask", "types"), batch, strict=True)))
    export_network(network, SHAPE, tmp_path / "model", tokenizer=tokenizer_file, batches=[shown])
    read = weights_of_graph(tmp_path / "model" / SMALL)
    for name, value in network.named_parameters():
        if name in read:
            assert (read[name] - value).norm() <= 0.02 * value.norm(), name


def test_a_graph_of_another_form_is_named(exported, feeds):
    with pytest.raises(ModelError, match=r"no /roberta/encoder/layer\.0"):
        smooth(exported / PLAIN, exported / "even.onnx", [feeds], encoder="/roberta/encoder")
