import pytest

from core.types import Relation
from pipelines.verifiers.contract import Judgement
from pipelines.whole_pieces import PieceLimits, judge_pieces, piece_key
from tests.pipelines.test_verdict import evidence

LIMITS = PieceLimits(max_pieces=2, min_relevance=0.5, supported_from=0.5, refuted_from=0.9)


class Judge:
    """Says of a piece what was written down for it."""

    identity = "made"
    method = "made"
    refuted_from = 0.9

    def __init__(self, **pieces: tuple[float, float]):
        self.pieces = pieces
        self.asked: list[str] = []

    def judge(self, pairs):
        self.asked += [premise for _, premise in pairs]
        judged = [self.pieces[premise] for _, premise in pairs]
        return [Judgement(supports=s, refutes=r, neither=1 - s - r) for s, r in judged]


def sentence(piece, at, *, supports=0.1, refutes=0.1, relation=Relation.MENTIONS, relevance=0.9):
    item = evidence(relation, relevance=relevance, name=piece)
    update = {"context": piece, "start": at, "end": at + 5, "supports": supports, "refutes": refutes}
    return item.model_copy(update=update)


def relations(items):
    return [item.relation for item in items]


def test_a_piece_supports_where_no_sentence_does_and_its_best_sentence_is_shown():
    items = [sentence("one", 0), sentence("one", 9, supports=0.4), sentence("two", 0)]
    judged = judge_pieces(Judge(one=(0.7, 0.2), two=(0.2, 0.2)), "?", items, LIMITS)
    assert relations(judged) == [Relation.MENTIONS, Relation.SUPPORTS, Relation.MENTIONS]
    assert judged[1].score == pytest.approx(0.7)


def test_a_sentence_that_settles_the_statement_leaves_pieces_unasked():
    judge = Judge()
    items = [sentence("one", 0, relation=Relation.REFUTES), sentence("one", 9)]
    assert judge_pieces(judge, "?", items, LIMITS) == items
    assert judge.asked == []


@pytest.mark.parametrize(
    ("refutes", "refuted_from", "relation"),
    [
        (0.95, 0.9, Relation.REFUTES),
        (0.85, 0.9, Relation.MENTIONS),
        (0.99, None, Relation.MENTIONS),
    ],
)
def test_a_piece_refutes_only_from_the_probability_that_was_earned(refutes, refuted_from, relation):
    limits = PieceLimits(max_pieces=2, min_relevance=0.5, supported_from=0.5, refuted_from=refuted_from)
    judged = judge_pieces(Judge(one=(0.005, refutes)), "?", [sentence("one", 0)], limits)
    assert relations(judged) == [relation]


def test_a_piece_that_supports_keeps_others_from_refuting():
    judged = judge_pieces(Judge(one=(0.0, 0.95), two=(0.6, 0.3)), "?", [sentence("one", 0), sentence("two", 0)], LIMITS)
    assert relations(judged) == [Relation.MENTIONS, Relation.SUPPORTS]


def test_few_and_relevant_pieces_are_asked():
    judge = Judge(one=(0.1, 0.1), three=(0.1, 0.1))
    items = [sentence("one", 0), sentence("two", 0, relevance=0.2), sentence("three", 0), sentence("four", 0)]
    judge_pieces(judge, "?", items, LIMITS)
    assert judge.asked == ["one", "three"]


def test_a_disputed_piece_does_not_support():
    item = sentence("one", 0)
    judged = judge_pieces(Judge(one=(0.9, 0.05)), "?", [item], LIMITS, disputed=frozenset({piece_key(item)}))
    assert relations(judged) == [Relation.MENTIONS]
