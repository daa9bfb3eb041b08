import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra [train])")

from training.data.examples import NEITHER, NOT_REFUTES, NOT_SUPPORTS, REFUTES, SUPPORTS
from training.evidence.encode import UNKNOWN, Row
from training.evidence.losses import Losses, batch_losses
from training.evidence.tensors import Batch, make_batch

pytestmark = pytest.mark.torch


def row(relation):
    return Row([1, 2, 3], 2, relation, -1, -1, -1)


def losses(logits, batch) -> Losses:
    """Compare relation logits, (rows, 3), with a batch; spans and relevance are not known."""
    rows = len(batch.relation)
    return batch_losses((torch.zeros(rows, batch.token_ids.shape[1], 2), logits, torch.zeros(rows)), batch)


def test_what_is_only_ruled_out_is_met_by_both_others():
    relation = torch.tensor([NOT_SUPPORTS, NOT_REFUTES, REFUTES])
    none = torch.full((3,), UNKNOWN)
    tokens = torch.ones((3, 4), dtype=torch.long)
    batch = Batch(tokens, tokens, tokens, relation, none, none, none, torch.zeros((0, 2), dtype=torch.long))
    supports, refutes, neither = 0.5, 0.2, 0.3
    logits = torch.tensor([supports, refutes, neither]).log().expand(3, 3)
    wanted = -np.mean([np.log(refutes + neither), np.log(supports + neither), np.log(refutes)])
    assert float(losses(logits, batch).relation) == pytest.approx(wanted, abs=1e-5)


def test_side_loss_sees_supports_and_refutes_alone():
    batch = make_batch([(row(SUPPORTS),), (row(REFUTES),), (row(NEITHER),), (row(NOT_SUPPORTS),), (row(UNKNOWN),)])
    logits = torch.tensor([[2.0, 1.0, 9.0], [0.5, 3.0, -4.0], [5.0, 0.0, 0.0], [7.0, 0.0, 0.0], [0.0, 7.0, 0.0]])
    wanted = np.mean([np.log1p(np.exp(-1.0)), np.log1p(np.exp(-2.5))])
    assert float(losses(logits, batch).side) == pytest.approx(wanted, abs=1e-5)
    assert float(losses(logits[2:], make_batch([(row(NEITHER),), (row(NOT_SUPPORTS),), (row(UNKNOWN),)])).side) == 0


def test_rows_of_a_group_that_differ_are_set_against_each_other():
    grid = tuple(map(row, (SUPPORTS, REFUTES, REFUTES, SUPPORTS)))
    batch = make_batch([(row(SUPPORTS),), grid, (row(SUPPORTS), row(UNKNOWN)), (row(NEITHER), row(REFUTES))])
    assert batch.mirrors.tolist() == [[1, 2], [1, 3], [2, 4], [3, 4], [7, 8]]


def test_mirror_loss_ignores_what_the_statement_gives_away():
    batch = make_batch([(row(SUPPORTS), row(REFUTES)), (row(NEITHER), row(REFUTES))])
    even = losses(torch.zeros(4, 3), batch)
    biased = losses(torch.tensor([[3.0, -1.0, 0.5]]).expand(4, 3), batch)
    assert float(biased.mirror) == pytest.approx(float(even.mirror)) == pytest.approx(np.log(2))
    right = torch.nn.functional.one_hot(batch.relation, 3) * 5.0
    assert float(losses(right, batch).mirror) < 0.01
