"""What training makes small."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from training.data.examples import NEITHER, NOT_REFUTES, NOT_SUPPORTS, REFUTES, SUPPORTS
from training.evidence.tensors import Batch

_MASKED = -1e4


@dataclass(frozen=True)
class Losses:
    """Means over the rows that know the label; 0 where none does."""

    relation: Tensor
    side: Tensor
    mirror: Tensor
    span: Tensor
    relevance: Tensor


def batch_losses(outputs: tuple[Tensor, Tensor, Tensor], batch: Batch) -> Losses:
    """
    Compare a batch's outputs with its labels.

    :param outputs: Of `EvidenceNetwork`.
    """
    span_logits, relation_logits, relevance_logits = (output.float() for output in outputs)
    chances = relation_logits.log_softmax(-1)
    return Losses(
        relation=_relation(chances, batch.relation),
        side=_side(chances, batch.relation),
        mirror=_mirror(chances, batch),
        span=_span(span_logits, batch),
        relevance=_relevance(relevance_logits, batch.relevant),
    )


def _relation(chances: Tensor, labels: Tensor) -> Tensor:
    """
    Cross-entropy; *not supports* is met by refutes and neither together, *not refutes* by supports and neither.

    :param chances: Logarithms, (rows, 3).
    """
    known = labels >= 0
    if not bool(known.any()):
        return chances.sum() * 0
    chances, labels = chances[known], labels[known]
    not_supports = chances[:, [REFUTES, NEITHER]].logsumexp(-1)  # (rows,)
    not_refutes = chances[:, [SUPPORTS, NEITHER]].logsumexp(-1)  # (rows,)
    exact = chances.gather(1, labels.clamp(max=2).unsqueeze(1)).squeeze(1)  # (rows,)
    met = torch.where(labels == NOT_SUPPORTS, not_supports, torch.where(labels == NOT_REFUTES, not_refutes, exact))
    return -met.mean()


def _side(chances: Tensor, labels: Tensor) -> Tensor:
    """
    Cross-entropy of supports against refutes alone, over the rows that are one of the two.

    Where *neither* is likeliest, the loss over all three says little of which of the other two is the likelier.
    """
    known = (labels == SUPPORTS) | (labels == REFUTES)
    if not bool(known.any()):
        return chances.sum() * 0
    leaning = chances[known, SUPPORTS] - chances[known, REFUTES]
    return functional.softplus(torch.where(labels[known] == SUPPORTS, -leaning, leaning)).mean()


def _mirror(chances: Tensor, batch: Batch) -> Tensor:
    """
    Each passage of a pair must speak for its own label more than the other passage does.

    What the statement alone gives away is the same under both and falls out of the difference.
    """
    pairs = batch.mirrors
    if len(pairs) == 0:
        return chances.sum() * 0
    first, second = chances[pairs[:, 0]], chances[pairs[:, 1]]  # (pairs, 3) each
    own, other = batch.relation[pairs[:, 0]].clamp(max=2), batch.relation[pairs[:, 1]].clamp(max=2)
    shift = first - second
    margin = shift.gather(1, own.unsqueeze(1)) - shift.gather(1, other.unsqueeze(1))  # (pairs, 1)
    return functional.softplus(-margin).mean()


def _span(logits: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy of start and end over the passage's tokens and position 0, which stands for "no answer"."""
    known = batch.start >= 0
    if not bool(known.any()):
        return logits.sum() * 0
    allowed = (batch.types * batch.mask)[known].bool()
    allowed[:, 0] = True
    masked = logits[known].masked_fill(~allowed.unsqueeze(-1), _MASKED)  # (rows, tokens, 2)
    start = functional.cross_entropy(masked[..., 0], batch.start[known])
    end = functional.cross_entropy(masked[..., 1], batch.end[known])
    return (start + end) / 2


def _relevance(logits: Tensor, labels: Tensor) -> Tensor:
    known = labels >= 0
    if not bool(known.any()):
        return logits.sum() * 0
    return functional.binary_cross_entropy_with_logits(logits[known], labels[known].float())
