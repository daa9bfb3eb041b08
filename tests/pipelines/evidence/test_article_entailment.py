import pytest

from core.types import Relation
from models.calibration import UNFITTED, RefutationWeights
from pipelines.contracts.evidence import Conflict
from pipelines.contracts.verifier import Judgement
from pipelines.evidence.article_entailment import article_entailments, rule
from tests.pipelines.evidence.test_verdict import evidence


class Judge:
    """Says of a text what was written down for any of its words; of others, nothing."""

    identity = method = "made"
    thresholds = UNFITTED

    def __init__(self, **said: tuple[float, float]):
        self.said = said
        self.asked: list[str] = []

    def judge(self, pairs):
        self.asked += [premise for _, premise in pairs]
        found = [next((said for word, said in self.said.items() if word in text), (0.1, 0.1)) for _, text in pairs]
        return [Judgement(supports=s, refutes=r, neither=1 - s - r) for s, r in found]


def sentence(text, *, article="a", piece=0, at=0, context=None, conflict=None):
    conflicts = (Conflict(kind=conflict, stated="48", found="49"),) if conflict else ()
    update = {
        "text": text,
        "start": at,
        "end": at + len(text),
        "context": f"piece {piece} of {article}" if context is None else context,
        "context_start": piece,
        "conflicts": conflicts,
    }
    return evidence(name=article).model_copy(update=update)


def ruled(judge, *items, thresholds=UNFITTED, max_pieces=4):
    found, rest = article_entailments(judge, "It cost 48 million.", items, max_pieces=max_pieces)
    return [item for entailment in found for item in rule(entailment, thresholds)] + rest


def relations(items):
    return [item.relation for item in items]


def test_sentence_and_piece_are_judged_behind_the_headline():
    judge = Judge()
    ruled(judge, sentence("first"), sentence("second", at=9))
    assert judge.asked == ["Bridge opened. first", "Bridge opened. second", "Bridge opened. piece 0 of a"]


@pytest.mark.parametrize(
    ("sentence_says", "piece_says", "relation"),
    [
        ((0.9, 0.05), (0.9, 0.05), Relation.SUPPORTS),
        ((0.6, 0.1), (0.05, 0.9), Relation.MENTIONS),
        ((0.3, 0.1), (0.95, 0.01), Relation.SUPPORTS),
        ((0.05, 0.9), (0.05, 0.9), Relation.MENTIONS),
    ],
)
def test_a_sentence_speaks_together_with_the_piece_around_it(sentence_says, piece_says, relation):
    judge = Judge(said=sentence_says, piece=piece_says)
    assert relations(ruled(judge, sentence("said"))) == [relation]


@pytest.mark.parametrize("kind", ["number", "date", "name", "day", "roles", "ordinal", "negation", "antonym"])
def test_a_conflict_that_can_be_pointed_to_refutes(kind):
    items = ruled(Judge(said=(0.05, 0.9), piece=(0.05, 0.9)), sentence("said", conflict=kind), sentence("more", at=9))
    assert relations(items) == [Relation.REFUTES, Relation.MENTIONS]
    assert items[0].conflicts[0].kind == kind


def test_what_a_sentence_leaves_open_refutes_no_sooner_than_nothing():
    judge = Judge(said=(0.01, 0.9), piece=(0.01, 0.9))
    thresholds = UNFITTED.model_copy(update={"bare_refuted_from": 0.95})
    assert relations(ruled(judge, sentence("said", conflict="open"), thresholds=thresholds)) == [Relation.MENTIONS]
    assert relations(ruled(judge, sentence("said", conflict="antonym"), thresholds=thresholds)) == [Relation.REFUTES]


def test_without_a_conflict_only_a_probability_that_was_earned_refutes():
    judge = Judge(said=(0.01, 0.98), piece=(0.01, 0.98))
    assert relations(ruled(judge, sentence("said"))) == [Relation.MENTIONS]
    earned = UNFITTED.model_copy(update={"bare_refuted_from": 0.9})
    assert relations(ruled(judge, sentence("said"), thresholds=earned)) == [Relation.REFUTES]


@pytest.mark.parametrize(("rank", "relation"), [(0, Relation.REFUTES), (2, Relation.MENTIONS)])
def test_an_article_that_others_come_before_hardly_refutes(rank, relation):
    weights = RefutationWeights(intercept=-1.0, log_ratio=0.7, log_rank=-4.0)
    thresholds = UNFITTED.model_copy(update={"refutation": weights})
    said = sentence("said", conflict="name").model_copy(update={"rank": rank})
    (item,) = ruled(Judge(said=(0.01, 0.9), piece=(0.01, 0.9)), said, thresholds=thresholds)
    assert item.relation is relation
    if relation is Relation.REFUTES:
        assert item.score == pytest.approx(0.977, abs=0.001)  # odds: exp(-1) * 891 ** 0.7, of odds of 9 and 1 to 99


@pytest.mark.parametrize("kind", ["number", "date", "name", "day", "roles", "ordinal", "open", "party"])
def test_a_sentence_with_a_firm_conflict_never_supports(kind):
    judge = Judge(said=(0.99, 0.0), piece=(0.99, 0.0))
    assert relations(ruled(judge, sentence("said", conflict=kind))) == [Relation.MENTIONS]


def test_a_claim_that_is_called_false_refutes_what_it_says():
    judge = Judge(said=(0.99, 0.0), piece=(0.99, 0.0))
    assert relations(ruled(judge, sentence("said", conflict="disputed"))) == [Relation.REFUTES]


@pytest.mark.parametrize("kind", ["number", "date", "name", "day", "roles", "ordinal", "open", "party"])
def test_a_neighbour_does_not_stand_in_for_a_sentence_with_a_firm_conflict(kind):
    judge = Judge(said=(0.99, 0.0), piece=(0.99, 0.0), rained=(0.3, 0.1), confirmed=(0.8, 0.1))
    items = [sentence("said", conflict=kind), sentence("It rained.", at=9)]
    assert relations(ruled(judge, *items)) == [Relation.MENTIONS, Relation.MENTIONS]
    *_, supporting = ruled(judge, *items, sentence("confirmed 48", at=30))
    assert (supporting.relation, supporting.text) == (Relation.SUPPORTS, "confirmed 48")


def test_beside_another_number_a_quote_must_hold_what_is_stated():
    judge = Judge(said=(0.99, 0.0), piece=(0.99, 0.0), confirmed=(0.8, 0.1))
    items = [sentence("said", conflict="number"), sentence("confirmed", at=30)]
    assert relations(ruled(judge, *items)) == [Relation.MENTIONS, Relation.MENTIONS]


def test_a_sentence_that_says_another_number_of_the_same_refutes():
    judge = Judge(cost=(0.9, 0.05), piece=(0.9, 0.05))
    (item,) = ruled(judge, sentence("It cost 49 million.", conflict="number"))
    assert (item.relation, [one.found for one in item.conflicts]) == (Relation.REFUTES, ["49"])
    assert judge.asked.count("Bridge opened. It cost 49 million.") == 2, "as stated, and with the other number"


def test_what_only_the_headline_says_is_no_quote():
    judge = Judge(
        **{"opened. headed": (0.95, 0.01), "opened. told": (0.8, 0.1), "told": (0.8, 0.1), "piece": (0.9, 0.05)}
    )
    found = ruled(judge, sentence("headed"), sentence("told", at=20))
    assert relations(found) == [Relation.MENTIONS, Relation.SUPPORTS]


def test_opinion_never_verifies():
    said = sentence("said")
    item = said.model_copy(update={"article": said.article.model_copy(update={"section": "Opinion"})})
    assert relations(ruled(Judge(said=(0.99, 0.0), piece=(0.99, 0.0)), item)) == [Relation.MENTIONS]


@pytest.mark.parametrize(("share", "relation"), [(0.4, Relation.MENTIONS), (0.6, Relation.SUPPORTS)])
def test_beside_the_contrary_a_quote_has_as_much_of_the_statement(share, relation):
    conflict = Conflict(kind="antonym", stated="lifted", found="upheld", alone=True)
    contrary = sentence("upheld").model_copy(update={"conflicts": (conflict,), "score": 0.5})
    other = sentence("other", at=9).model_copy(update={"score": share})
    found = ruled(Judge(upheld=(0.2, 0.7), other=(0.8, 0.1), piece=(0.9, 0.05)), contrary, other)
    assert relations(found) == [Relation.MENTIONS, relation]


def test_the_contrary_never_supports():
    conflict = Conflict(kind="negation", stated="found", found="not found", alone=True)
    contrary = sentence("said").model_copy(update={"conflicts": (conflict,)})
    assert relations(ruled(Judge(said=(0.99, 0.0), piece=(0.99, 0.0)), contrary)) == [Relation.MENTIONS]


def test_the_probability_goes_to_the_sentence_that_shows_it_best():
    judge = Judge(weak=(0.6, 0.1), strong=(0.95, 0.01), piece=(0.9, 0.05), other=(0.2, 0.2))
    items = [sentence("weak"), sentence("strong", at=9), sentence("other", at=20)]
    weak, strong, other = ruled(judge, *items)
    assert (weak.relation, strong.relation, other.relation) == (Relation.SUPPORTS, Relation.SUPPORTS, Relation.MENTIONS)
    assert strong.score == pytest.approx(0.92, abs=0.02)
    assert weak.score == 0.6


def test_articles_stand_apart():
    judge = Judge(yes=(0.95, 0.01), no=(0.01, 0.95))
    items = ruled(
        judge,
        sentence("yes", context="yes, all of it"),
        sentence("no", article="b", context="no, none of it", conflict="number"),
    )
    assert relations(items) == [Relation.SUPPORTS, Relation.REFUTES]


def test_sentences_of_pieces_that_were_not_judged_settle_nothing():
    judge = Judge(yes=(0.99, 0.0))
    items = [sentence("said", article=name, context=f"yes {name}") for name in "abc"]
    assert relations(ruled(judge, *items, max_pieces=2)) == [Relation.SUPPORTS, Relation.SUPPORTS, Relation.MENTIONS]
    assert len(judge.asked) == 1 + 2  # the same words are judged once, however many articles have them


def test_a_piece_of_one_sentence_is_judged_once():
    judge = Judge(said=(0.9, 0.05))
    (entailment,), _ = article_entailments(judge, "x", [sentence("said", context="said")], max_pieces=1)
    assert judge.asked.count("Bridge opened. said") == 1
    assert entailment.supports == pytest.approx(0.9, abs=0.05)


def test_what_a_sentence_and_a_piece_say_counts_alike():
    (entailment,), _ = article_entailments(
        Judge(said=(0.9, 0.05), piece=(0.5, 0.25)), "x", [sentence("said")], max_pieces=1
    )
    supports, refutes = 3.0, (0.05 / 0.95 / 3) ** 0.5  # odds: the roots of 9 * 1, and of 1/19 * 1/3
    assert entailment.supports == pytest.approx(supports / (1 + supports + refutes))
    assert entailment.refutes == pytest.approx(refutes / (1 + supports + refutes))


@pytest.mark.parametrize(
    ("behind", "quote"),
    [
        ("That is false.", "Posts say that it cost 48 million. That is false."),
        (
            "That is false, the town said. It rained.",
            "Posts say that it cost 48 million. That is false, the town said.",
        ),
        ("It rained. That is false.", "Posts say that it cost 48 million."),
    ],
)
def test_a_quote_of_a_claim_ends_with_the_next_sentence_where_that_calls_it_false(behind, quote):
    told = "Posts say that it cost 48 million."
    item = sentence(told, conflict="disputed")
    body = f"{told} {behind}"
    article = item.article.model_copy(update={"body": body})
    disputed = item.conflicts[0].model_copy(update={"found": "That is false"})
    (found,) = ruled(
        Judge(Posts=(0.9, 0.05), piece=(0.9, 0.05)),
        item.model_copy(update={"article": article, "conflicts": (disputed,)}),
    )
    assert (found.relation, found.text) == (Relation.REFUTES, quote)
    assert body[found.start : found.end] == found.text


def test_of_sentences_that_refute_alike_the_quote_has_most_of_the_statement():
    judge = Judge(first=(0.01, 0.98), second=(0.01, 0.97), piece=(0.01, 0.99))
    far = sentence("first", conflict="number").model_copy(update={"score": 0.2})
    near = sentence("second", at=9, conflict="number").model_copy(update={"score": 0.9})
    found = ruled(judge, far, near)
    assert [(item.text, item.relation) for item in found if item.relation is Relation.REFUTES] == [
        ("second", Relation.REFUTES)
    ]
