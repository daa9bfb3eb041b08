import pytest

from pipelines.conflicts.cloze import SlotKind, slots
from pipelines.conflicts.comparison import slot_conflict, wording_conflicts
from pipelines.conflicts.slots import same_matter, useful_slots


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
        ("It cost US$5 million.", "US$5 million", "It cost how much?"),
    ],
)
def test_statement_is_asked_back(statement, stated, question):
    assert slot(statement, stated).question == question


def test_the_country_of_a_dollar_is_no_name_of_its_own():
    assert [item.stated for item in slots("It cost US$5 million.")] == ["US$5 million"]


def test_number_conflict_names_both_sides():
    conflict = slot_conflict(slot("The count stood at 31.", "31"), "39", "A total of 39 are confirmed dead.")
    assert (conflict.kind, conflict.stated, conflict.found) == ("number", "31", "39")


def test_no_conflict_where_the_sentence_also_holds_the_stated_number():
    assert slot_conflict(slot("The count stood at 31.", "31"), "39", "First 31, then 39 were counted.") is None


@pytest.mark.parametrize(
    ("statement", "stated", "found", "sentence"),
    [
        ("Some 2.5 million fled.", "2.5 million", "Two and a half million", "Two and a half million people fled."),
        ("It hit 250,000 people.", "250,000", "A quarter of a million", "A quarter of a million people were hit."),
        ("About 300 shops closed.", "300", "Several hundred", "Several hundred shops closed."),
        ("The fund lost $5 billion.", "$5 billion", "$5B", "The fund lost $5B."),
        ("Some 10,000 marched.", "10,000", "10 000", "On Sunday 10 000 marched."),
        ("The flood killed 1,200 people.", "1,200", "more than 1,000", "The flood killed more than 1,000 people."),
        ("It weighs 5 kg.", "5", "9" * 310, f"It weighs {'9' * 310} kg."),
    ],
)
def test_a_number_written_otherwise_is_no_conflict(statement, stated, found, sentence):
    assert slot_conflict(slot(statement, stated), found, sentence) is None


def test_another_year_is_a_conflict_however_near():
    asked = slot("The bridge opened in 2014.", "2014")
    conflict = slot_conflict(asked, "2019", "The bridge opened in 2019.")
    assert (conflict.kind, conflict.stated, conflict.found) == ("date", "2014", "2019")
    assert slot_conflict(asked, "2014", "The bridge opened in 2014.") is None
    assert slot_conflict(asked, "2013", "The bridge was to be open by 2013.") is None


def test_beside_the_stated_year_another_may_be_of_something_else():
    asked = slot("When he was elected in 1994 he held the prize.", "1994")
    sentence = "He received the prize in 1993."
    assert slot_conflict(asked, "1993", sentence).kind == "date"
    assert (
        slot_conflict(asked, "1993", sentence, context=f"The election of 1994 made him president. {sentence}") is None
    )
    assert slot_conflict(asked, "1993", sentence, context=f"The election of 1995 was lost. {sentence}").kind == "date"


def test_a_number_that_measures_something_else_neither_conflicts_nor_agrees():
    asked = slot("The blast killed 48.", "48")
    assert slot_conflict(asked, "52", "Some eight metres away, 52 were killed.").found == "52"
    assert slot_conflict(asked, "eight", "Some eight metres away, people were killed.") is None


@pytest.mark.parametrize(
    ("statement", "stated", "found", "sentence"),
    [
        ("The fine was $110 million.", "$110 million", "100 million euros", "The fine was 100 million euros."),
        ("The fine was $4 million.", "$4 million", "5 billion won", "The fine was 5 billion won."),
        ("It cost 50 million kronor.", "50 million", "$5 million", "It cost $5 million."),
        ("Marsh is 45.", "45", "in his 40s", "Police arrested a man in his 40s."),
        ("The 32-year-old died.", "32", "30s", "The victim, in her early 30s, died."),
        ("Five people were killed and 12 injured.", "Five", "12", "Another 12 were injured."),
        ("Covid-19 killed 5 million.", "5 million", "19", "Covid-19 was in 200 countries."),
    ],
)
def test_a_number_that_tells_nothing_of_the_stated_one_is_no_conflict(statement, stated, found, sentence):
    assert slot_conflict(slot(statement, stated), found, sentence) is None


@pytest.mark.parametrize(
    ("statement", "stated", "found", "sentence"),
    [
        ("The fine was $100 million.", "$100 million", "100 million euros", "The fine was 100 million euros."),
        ("Marsh is 45.", "45", "in his 30s", "Police arrested a man in his 30s."),
    ],
)
def test_another_currency_or_decade_is_a_conflict(statement, stated, found, sentence):
    assert slot_conflict(slot(statement, stated), found, sentence).kind == "number"


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


DECLARED = "The emergency was declared by the World Health Organization."


@pytest.mark.parametrize(
    ("statement", "stated", "found", "sentence"),
    [
        (DECLARED, "World Health Organization", "WHO", "The emergency was declared by WHO."),
        (DECLARED, "World Health Organization", "Tedros", "Tedros, head of WHO, declared the emergency."),
        (DECLARED, "World Health Organization", "WHO Director Tedros", "It was declared by WHO Director Tedros."),
        (
            "The ban was lifted by the Centers for Disease Control and Prevention.",
            "Centers",
            "CDC",
            "The ban was lifted by the CDC.",
        ),
        (
            "The force was set up by the UN.",
            "UN",
            "United Nations Security Council",
            "The force was set up by the United Nations Security Council.",
        ),
        ("The base was built by the U.S. in May.", "U.S", "US troops", "The base was built by US troops."),
    ],
)
def test_a_name_and_its_acronym_are_no_conflict(statement, stated, found, sentence):
    assert slot_conflict(slot(statement, stated), found, sentence) is None


def test_an_acronym_of_another_name_is_a_conflict():
    conflict = slot_conflict(slot(DECLARED, "World Health Organization"), "FIFA", "The emergency was declared by FIFA.")
    assert (conflict.kind, conflict.found) == ("name", "FIFA")


def test_a_short_form_that_the_article_gives_is_no_other_name():
    asked = slot("The hospital was run by Doctors Without Borders.", "Doctors Without Borders")
    sentence = "The hospital was run by MSF."
    assert slot_conflict(asked, "MSF", sentence).kind == "name"
    for given in ("Doctors Without Borders (MSF)", "MSF (also Doctors Without Borders)"):
        assert slot_conflict(asked, "MSF", sentence, context=f"{given} has left. {sentence}") is None


@pytest.mark.parametrize(
    ("statement", "sentence", "kind"),
    [
        ("Nobody claimed the attack.", "A militia claimed responsibility for the attack.", "negation"),
        ("The court upheld the ruling.", "The ruling was overturned by the court.", "antonym"),
        ("Prices rose in May.", "Prices fell in May.", "antonym"),
        ("The judge convicted Marsh.", "Marsh was acquitted by a judge on Friday.", "antonym"),
        ("Acme left after the vote.", "Acme left the council before the vote.", "antonym"),
        ("Apple bought Beats.", "Apple sold Beats.", "antonym"),
        ("Marsh sold Acme.", "Acme was bought by Marsh.", "antonym"),
        ("The plan was approved by the council.", "The plan was not approved by the council.", "negation"),
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
        ("Marsh did not win the election.", "Marsh lost the election."),  # opposites in other forms
        ("The court overturned the ruling.", "The court did not uphold the ruling."),
        ("Marsh skipped the summit.", "Marsh did not attend the summit."),
        ("Sales fell in March.", "Sales rose in April after falling in March."),
        ("The company scrapped the plan.", "The plan was rejected by the company."),  # the doer is not denied
        ("No one was killed in the fire.", "The fire injured three people but killed no one."),
        ("Officials confirmed that nobody was hurt.", "Officials confirmed no one was hurt."),
        ("Apple bought Beats.", "Beats was sold to Apple."),  # either party's side of one deal
        ("Oduya lost the election.", "Marsh won the election, defeating Oduya."),
    ],
)
def test_wording_that_agrees_is_no_conflict(statement, sentence):
    assert wording_conflicts(statement, sentence) == []


def test_unreliable_gaps_are_left_out():
    text = ["Nothing of note."]
    assert useful_slots("Fewer than one in three men voted.", text, limit=5) == []
    assert useful_slots("Three quarters after the Polish shops closed.", text, limit=5) == []
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


@pytest.mark.parametrize(
    ("statement", "stated", "found", "sentence"),
    [
        ("The crash killed five people.", "five", "two", "The crash killed two adults and three children."),
        ("The quake hurt 14 people.", "14", "six", "The quake hurt six men and eight women in Velmont."),
        ("Acme will cut 3,000 jobs.", "3,000", "2,000", "Acme will cut 2,000 jobs in France and 1,000 in Spain."),
        ("Ten people were hurt.", "Ten", "two", "Police said two men, three women and five children were hurt."),
        (
            "Some 26 miners were trapped.",
            "26",
            "14",
            "Some 14 miners at one pit and 12 at another were trapped.",
        ),
        (
            "Acme paid 7 million euros.",
            "7 million",
            "5 million",
            "Acme paid 5 million euros to Oduya and 2 million euros to Marsh.",
        ),
        ("The toll rose by 12.", "12", "62", "The toll rose to 62 from 50."),
        ("The toll rose by 12.", "12", "62", "The toll rose from 50 on Sunday to 62."),
        ("Acme's revenue grew by $10 million.", "$10 million", "$50 million", "Revenue grew from $40 to $50 million."),
        ("Marsh won by 4,000 votes.", "4,000", "52,000", "Marsh won with 52,000 votes to 48,000."),
        (
            "The rate was raised by 0.5 percentage points.",
            "0.5 percentage points",
            "4.5 percent",
            "It went to 4.5 percent from 4 percent.",
        ),
        (
            "Marsh leads by 4 percentage points.",
            "4 percentage points",
            "52 percent",
            "Marsh has 52 percent to Oduya's 48 percent.",
        ),
        ("The fine was 7 million euros.", "7 million", "5", "The fine was between 5 and 10 million euros."),
        (
            "All 150 people on board died.",
            "150",
            "144",
            "None of the 144 passengers and six crew on board survived.",
        ),
        ("All 150 people were killed.", "150", "144", "The 144 passengers and six crew were killed."),
        ("The crash killed 14 people, including two children.", "14", "12", "Twelve adults and two children died."),
        ("The crash killed 14 people, two of them children.", "14", "12", "Twelve adults and two children died."),
        (
            "The trial had 30,000 volunteers.",
            "30,000",
            "15,000",
            "Some 15,000 volunteers got the vaccine and 15,000 a placebo.",
        ),
        ("Deaths rose to 1,016 from 908.", "908", "108", "Deaths climbed by 108 to 1,016."),
    ],
)
def test_a_number_given_in_parts_or_by_two_ends_is_no_conflict(statement, stated, found, sentence):
    assert slot_conflict(slot(statement, stated), found, sentence) is None


@pytest.mark.parametrize(
    ("statement", "stated", "found", "sentence"),
    [
        ("The crash killed five people.", "five", "two", "The crash killed two people."),
        ("The attack killed 17 people.", "17", "five", "The attack killed five people and injured 12."),
        ("The attack killed 17 people.", "17", "five", "The attack killed five people and 12 others were injured."),
        ("The attack killed 17 people.", "17", "five", "The attack left five dead and 12 injured."),
        ("The attack killed 17 people.", "17", "Five", "Five people were killed and 12 injured in the attack."),
        ("The crash killed five children.", "five", "two", "The crash killed two adults and three children."),
        (
            "Acme will cut 3,000 jobs in France.",
            "3,000",
            "2,000",
            "Acme will cut 2,000 jobs in France and 1,000 in Spain.",
        ),
        (
            "The raid killed five people.",
            "five",
            "two",
            "The raid killed 20 people, including two officers and three soldiers.",
        ),
        (
            "Oduya got five years in prison.",
            "five",
            "two years",
            "Oduya got two years in prison and three years of probation.",
        ),
        ("The fire destroyed eight homes.", "eight", "three", "The fire destroyed three homes and five cars."),
        ("The boy was 10.", "10", "six", "The boys, aged four and six, were found."),
        (
            "Some 70 percent agreed.",
            "70 percent",
            "30 percent",
            "Some 30 percent of men and 40 percent of women agreed.",
        ),
        ("Police arrested 30 people.", "30", "12", "Police arrested 12 people and 18 fled."),
        ("The toll is 12.", "12", "62", "The toll rose to 62 from 50."),
        ("Deaths rose to 1,016 from 900.", "900", "108", "Deaths climbed by 108 to 1,016."),
        ("Deaths rose to 908.", "908", "1,016", "Deaths climbed by 108 to 1,016."),
        ("The crash killed 14 children.", "14", "12", "Twelve adults and two children died."),
        ("The toll rose by 20.", "20", "62", "The toll rose to 62 from 50."),
        ("The toll rose by 50.", "50", "62", "The toll rose 12 to 62."),
        (
            "Acme's revenue was $10 million.",
            "$10 million",
            "$50 million",
            "Revenue grew from $40 million to $50 million.",
        ),
        ("Marsh got 4,000 votes.", "4,000", "52,000", "Marsh won with 52,000 votes to 48,000."),
        (
            "The rate was raised by 0.5 percent.",
            "0.5 percent",
            "4.5 percent",
            "The rate went to 4.5 percent from 4 percent.",
        ),
        ("The fine was 12 million euros.", "12 million", "10 million", "The fine was between 5 and 10 million euros."),
    ],
)
def test_numbers_that_are_no_parts_make_no_other_number_right(statement, stated, found, sentence):
    assert slot_conflict(slot(statement, stated), found, sentence).kind == "number"


def test_a_range_is_one_gap_and_hides_no_sign_of_currency():
    (asked,) = slots("It costs between US$5 and US$10 million.")
    assert (asked.stated, asked.question) == ("between US$5 and US$10 million", "It costs how much?")


@pytest.mark.parametrize(
    ("statement", "stated", "found", "sentence", "conflict"),
    [
        ("The men met in Paris.", "Paris", "Pedro Marsh", "Pedro Marsh met Oduya in the French capital.", False),
        ("The men met in Harwick.", "Harwick", "Velmont", "The men met in the town of Velmont.", True),
        ("The men met in Harwick.", "Harwick", "Berlin", "Berlin hosted the men.", True),
        ("Elon Marsh's company launched a rocket.", "Elon Marsh", "Acme", "Acme launched a rocket.", False),
        ("Elon Marsh's company launched a rocket.", "Elon Marsh", "Oduya", "Oduya's company launched a rocket.", True),
        ("Acme's chief resigned.", "Acme", "Nordwing", "Nordwing chief Oduya resigned.", True),
        ("Acme's chief resigned.", "Acme", "Nordwing", "The chief of Nordwing resigned.", True),
    ],
)
def test_only_another_place_or_owner_contradicts_one(statement, stated, found, sentence, conflict):
    assert (slot_conflict(slot(statement, stated), found, sentence) is not None) is conflict
