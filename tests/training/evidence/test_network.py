import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra [train])")
pytest.importorskip("transformers", reason="transformers is not installed (extra [train])")

from safetensors.torch import save_file
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

from core.errors import ModelError
from tests.training.conftest import MPNET_SHAPE, SHAPE
from training.evidence.network import EvidenceNetwork, load_base

pytestmark = pytest.mark.torch

IDS = torch.arange(2, 26).reshape(2, 12)
MASK = torch.ones_like(IDS)
MASK[1, 9:] = 0
TYPES = torch.zeros_like(IDS)
TYPES[:, 5:] = 1
SIZES = {
    "vocab_size": SHAPE.vocabulary,
    "hidden_size": SHAPE.hidden,
    "num_hidden_layers": SHAPE.layers,
    "num_attention_heads": SHAPE.heads,
    "intermediate_size": SHAPE.intermediate,
}


def states(network):
    return network.enc(input_ids=IDS, attention_mask=MASK, token_type_ids=TYPES)[0]


def published(family):
    """A model as its makers' library runs it, and what it makes of the texts."""
    torch.manual_seed(5)
    if family == "mpnet":
        config = MPNetConfig(**SIZES, max_position_embeddings=258, layer_norm_eps=1e-5, pad_token_id=1)
        model = MPNetModel(config, add_pooling_layer=False).eval()
        return model, model(input_ids=IDS.where(MASK > 0, 1), attention_mask=MASK)[0]
    model = BertModel(BertConfig(**SIZES, max_position_embeddings=256), add_pooling_layer=False).eval()
    return model, model(input_ids=IDS, attention_mask=MASK, token_type_ids=TYPES)[0]


@pytest.mark.parametrize("shape", [SHAPE, MPNET_SHAPE], ids=lambda shape: shape.family)
@pytest.mark.parametrize("prefix", ["", "own"])
def test_an_encoder_reads_as_the_published_model_whose_weights_it_takes_over(shape, prefix, tmp_path):
    model, wanted = published(shape.family)
    head = f"{shape.family}." if prefix else ""
    file = tmp_path / "model.safetensors"
    save_file({f"{head}{name}": value.contiguous() for name, value in model.state_dict().items()}, str(file))
    network = EvidenceNetwork(shape).eval()
    load_base(network, file)
    assert torch.allclose(states(network)[MASK > 0], wanted[MASK > 0], atol=1e-5)


@pytest.mark.parametrize("shape", [SHAPE, MPNET_SHAPE], ids=lambda shape: shape.family)
def test_positions_that_no_pair_reaches_are_cut_off(shape, tmp_path):
    model, wanted = published(shape.family)
    file = tmp_path / "model.safetensors"
    save_file({name: value.contiguous() for name, value in model.state_dict().items()}, str(file))
    network = EvidenceNetwork(shape.model_copy(update={"positions": 100})).eval()
    load_base(network, file)
    assert len(network.enc.embeddings.position_embeddings.weight) == 100
    assert torch.allclose(states(network)[MASK > 0], wanted[MASK > 0], atol=1e-5)


def test_weights_of_the_other_family_are_refused(tmp_path):
    file = tmp_path / "model.safetensors"
    save_file({name: value.contiguous() for name, value in published("bert")[0].state_dict().items()}, str(file))
    with pytest.raises(ModelError, match=r"lacks|another shape"):
        load_base(EvidenceNetwork(MPNET_SHAPE), file)


@pytest.mark.parametrize("shape", [SHAPE, MPNET_SHAPE], ids=lambda shape: shape.family)
@pytest.mark.parametrize(("dropout", "same"), [(0.0, True), (0.3, False)])
def test_the_encoder_drops_what_it_is_told_to_in_training_alone(shape, dropout, same):
    torch.manual_seed(3)
    network = EvidenceNetwork(shape, dropout=dropout).train()
    assert torch.equal(states(network), states(network)) is same
    network.eval()
    assert torch.equal(states(network), states(network))


@pytest.mark.parametrize("shape", [SHAPE, MPNET_SHAPE], ids=lambda shape: shape.family)
def test_an_mpnet_knows_where_a_token_stands_and_not_which_text_it_is_of(shape):
    network = EvidenceNetwork(shape).eval()
    same_token = torch.full_like(IDS, 7)
    read = network.enc(input_ids=same_token, attention_mask=MASK, token_type_ids=TYPES)[0]
    assert not torch.allclose(read[0, 1], read[0, 2], atol=1e-4)
    untyped = network.enc(input_ids=same_token, attention_mask=MASK, token_type_ids=torch.zeros_like(TYPES))[0]
    assert torch.equal(read, untyped) is (shape.family == "mpnet")


@pytest.mark.parametrize("shape", [SHAPE, MPNET_SHAPE], ids=lambda shape: shape.family)
def test_frozen_layers_get_no_gradient_and_those_above_do(shape):
    network = EvidenceNetwork(shape)
    network.freeze(1)
    states(network).sum().backward()
    learning = {name for name, value in network.enc.named_parameters() if value.grad is not None}
    assert learning
    assert all(name.startswith("encoder.layer.1.") for name in learning)
    with pytest.raises(ValueError, match="one at least must learn"):
        network.freeze(shape.layers)
