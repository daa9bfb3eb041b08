# ruff: noqa: E402 - the skips come first
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra [train])")
pytest.importorskip("transformers", reason="transformers is not installed (extra [train])")

from tests.training.conftest import SHAPE
from training.evidence.network import EvidenceNetwork

pytestmark = pytest.mark.torch

IDS = torch.arange(1, 25).reshape(2, 12)


def states(network):
    return network.enc(input_ids=IDS, attention_mask=torch.ones_like(IDS), token_type_ids=torch.zeros_like(IDS))[0]


@pytest.mark.parametrize(("dropout", "same"), [(0.0, True), (0.3, False)])
def test_the_encoder_drops_what_it_is_told_to_in_training_alone(dropout, same):
    torch.manual_seed(3)
    network = EvidenceNetwork(SHAPE, dropout=dropout).train()
    assert torch.equal(states(network), states(network)) is same
    network.eval()
    assert torch.equal(states(network), states(network))
