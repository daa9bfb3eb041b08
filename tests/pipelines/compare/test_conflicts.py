import pytest

from pipelines.compare.cloze import SlotKind, slots
from pipelines.compare.conflicts import slot_conflict, wording_conflicts
from pipelines.compare.slots import same_matter, useful_slots


def slot(statement, stated):
    return next(item for item in slots(statement) if item.stated == stated)


@pytest.mark.parametrize(
    ("statement", "stated", "question"),
    [
        ("Sixty-two people had died.", "Sixty-two", "How many people had died?"),
        ("The count stood at 31.", "31", "The count stood at how many?"),
        ("It was James Peebles who was honoured.", "James Peebles", "Who or what was honoured?"),
        ("The event was put on by Oxford University.", "Oxford University", "The event was put on by whom?"),
        ("He was stabbed in Jakarta.", "Jakarta", "He was stabbed in which place?"),
        ("It cost $5 million in 2019.", "2019", "It cost $5 million in what year?"),
    ],
)
def test_statement_is_asked_back(statement, stated, question):
    assert slot(statement, stated).question == question


def test_number_conflict_names_both_sides():
    conflict = slot_conflict(slot("The count stood at 31.", "31"), "39", "A total of 39 are confirmed dead.")
    assert (conflict.kind, conflict.stated, conflict.found) == ("number", "31", "39")


def test_no_conflict_where_the_sentence_also_holds_the_stated_number():
    assert slot_conflict(slot("The count stood at 31.", "31"), "39", "First 31, then 39 were counted.") is None


def test_a_number_that_measures_something_else_neither_conflicts_nor_agrees():
    asked = slot("The blast killed 48.", "48")
    assert slot_conflict(asked, "52", "Some eight metres away, 52 were killed.").found == "52"
    assert slot_conflict(asked, "eight", "Some eight metres away, people were killed.") is None


def test_a_year_is_not_compared_with_a_count():
    assert slot_conflict(slot("It began in 2019.", "2019"), "81", "81 lives were lost.") is None


def test_name_conflict_needs_another_name_in_place_of_the_stated_one():
    asked = slot("The event was put on by Oxford University.", "Oxford University")
    sentence = "The University of Cambridge had been hosting it."
    assert slot_conflict(asked, "The University of Cambridge", sentence).kind == "name"
    assert slot_conflict(asked, "some students", sentence) is None
    assert slot_conflict(asked, "the wealthy Dane", "It was hosted by the wealthy Dane.") is None
    assert slot_conflict(asked, "Cambridge", "Cambridge and Oxford University did.") is None


def test_a_name_that_the_statement_holds_elsewhere_is_no_other_name():
    asked = slot("Bercow said that MPs were kept from debating Brexit.", "MPs")
    assert slot_conflict(asked, "Brexit", "The purpose was to stop a debate of Brexit.") is None


@pytest.mark.parametrize(
    ("statement", "sentence", "kind"),
    [
        ("Nobody claimed the attack.", "A militia claimed responsibility for the attack.", "negation"),
        ("The court upheld the ruling.", "The ruling was overturned by the court.", "antonym"),
        ("Prices rose in May.", "Prices fell in May.", "antonym"),
        ("The judge convicted Marsh.", "Marsh was acquitted by a judge on Friday.", "antonym"),
        ("Acme left after the vote.", "Acme left the council before the vote.", "antonym"),
        ("The ministry forbade the march.", "The march was permitted by the ministry.", "antonym"),
    ],
)
def test_wording_that_cannot_both_be_right(statement, sentence, kind):
    assert [conflict.kind for conflict in wording_conflicts(statement, sentence)][:1] == [kind]


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("Nobody younger had won.", "The youngest winner ever was named."),
        ("Prices rose in May.", "Prices rose, then fell."),
        ("The court upheld it.", "The court upheld it."),
        ("The union did not accept the offer.", "The union rejected the offer."),  # the opposite, denied
        ("Exports rose in May.", "Exports were stable, and unemployment fell."),  # said of something else
    ],
)
def test_wording_that_agrees_is_no_conflict(statement, sentence):
    assert wording_conflicts(statement, sentence) == []


def test_unreliable_gaps_are_left_out():
    text = ["Nothing of note."]
    assert useful_slots("Fewer than one in three men voted.", text, limit=5) == []
    assert useful_slots("Two thirds of the Polish shops closed.", text, limit=5) == []
    assert useful_slots("Planes flew low.", text, limit=5) == []


def test_numbers_are_asked_before_names_and_the_limit_holds():
    found = useful_slots("In Paris, 40 men met Ann Lee in 2019.", ["x"], limit=2)
    assert [item.kind for item in found] == [SlotKind.NUMBER, SlotKind.DATE]


def test_same_matter_asks_for_every_other_name():
    statement = "In Samoa, 62 people died."
    assert same_matter(statement, "Samoa counted its dead.", beside="62")
    assert not same_matter(statement, "Fiji counted its dead.", beside="62")


def test_a_time_of_day_is_no_other_year():
    told = "Following the ruling, she was sworn in as governor at 5:00 p.m. (2100 UTC) in the Supreme Court."
    assert slot_conflict(slot("He lasted until 2019.", "2019"), "5:00 p.m. (2100", told) is None
