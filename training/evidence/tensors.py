"""A batch's rows as tensors."""

from dataclasses import dataclass
from itertools import combinations

import torch
from torch import Tensor

from models.onnx_runtime import pad_rows
from training.evidence.encode import UNKNOWN, Row, RowGroup


@dataclass(frozen=True)
class Batch:
    """All int64; labels are `UNKNOWN` where nothing is known."""

    token_ids: Tensor
    """(rows, tokens)."""
    mask: Tensor
    """(rows, tokens): 1 where there is a token."""
    types: Tensor
    """(rows, tokens): 1 from the passage on."""
    relation: Tensor
    """(rows,)."""
    start: Tensor
    """(rows,)."""
    end: Tensor
    """(rows,)."""
    relevant: Tensor
    """(rows,)."""
    mirrors: Tensor
    """(pairs, 2): rows of one group with different relations, as a statement under two passages."""


def make_batch(groups: list[RowGroup], *, device: str = "cpu") -> Batch:
    """Pad a batch's rows and gather their labels."""
    rows = [row for group in groups for row in group]
    pairs, at = [], 0
    for group in groups:
        pairs += [
            [at + first, at + second]
            for first, second in combinations(range(len(group)), 2)
            if _turn(group[first], group[second])
        ]
        at += len(group)

    def column(values: list[int]) -> Tensor:
        return torch.tensor(values, device=device)

    return Batch(
        token_ids=torch.from_numpy(pad_rows([row.token_ids for row in rows])).to(device),
        mask=torch.from_numpy(pad_rows([[1] * len(row) for row in rows])).to(device),
        types=torch.from_numpy(pad_rows([[0] * row.passage_at + [1] * (len(row) - row.passage_at) for row in rows])).to(
            device
        ),
        relation=column([row.relation for row in rows]),
        start=column([row.start for row in rows]),
        end=column([row.end for row in rows]),
        relevant=column([row.relevant for row in rows]),
        mirrors=torch.tensor(pairs, dtype=torch.long, device=device).reshape(-1, 2),
    )


def _turn(first: Row, second: Row) -> bool:
    """Whether two rows have known and different relations."""
    return UNKNOWN not in {first.relation, second.relation} and first.relation != second.relation
