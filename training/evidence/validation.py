"""What training watches while it runs: mirrors of the development part."""

from pathlib import Path

import torch
from tokenizers import Tokenizer

from training.data.examples import REFUTES, SUPPORTS
from training.data.sources.counterfactual_passages import mirror_groups
from training.evidence.encode import RowGroup, encode_groups
from training.evidence.network import EvidenceNetwork
from training.evidence.sampler import bucket
from training.evidence.tensors import make_batch

SIDES = {SUPPORTS, REFUTES}


class MirrorValidation:
    """
    Measures a network on statements that turn between supports and refutes.

    :param limit: Statements at most, spread evenly over the part.
    :param tokens: Of a batch, at most.
    """

    def __init__(
        self, root: Path, packs: tuple[str, ...], tokenizer: Tokenizer, *, limit: int = 240, tokens: int = 4096
    ) -> None:
        groups = mirror_groups(root, packs, splits=("dev",), far=0.0, headlines=0.0)
        turning = [group for group in groups if {example.relation for example in group.examples} == SIDES]
        every = max(1, len(turning) // limit)
        rows = encode_groups(tokenizer, turning[::every], max_tokens=256)
        self.batches: list[list[RowGroup]] = bucket(rows, tokens=tokens)

    def __call__(self, network: EvidenceNetwork) -> dict[str, float]:
        """Return the shares of statements right under both passages, and of pairs in the right order."""
        right = order = total = 0
        device = next(network.parameters()).device
        for groups in self.batches:
            batch = make_batch(groups, device=str(device))
            logits = network(batch.token_ids, batch.mask, batch.types)[1].float()  # (rows, 3)
            leaning = logits[:, SUPPORTS] - logits[:, REFUTES]
            signed = torch.where(batch.relation == SUPPORTS, leaning, -leaning)[batch.mirrors]  # (pairs, 2)
            right += int((signed > 0).all(dim=1).sum())
            order += int((signed.sum(dim=1) > 0).sum())
            total += len(signed)
        return {"both right": right / max(1, total), "order": order / max(1, total)}
