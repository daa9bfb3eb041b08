import pytest

from pipelines.conflicts.comparison import wording_conflicts
from pipelines.conflicts.wording.attributed_falsehood import disputed_answer
from pipelines.contracts.evidence import ConflictKind

RIGGED = "The election in Velmont was rigged."
BRIBES = "Anna Marsh took bribes from Acme."
RESIGNED = "Anna Marsh resigned in May."


def kinds(statement, sentence):
    return [conflict.kind for conflict in wording_conflicts(statement, sentence)]


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "The mayor of Velmont was arrested for fraud.",
            "Posts on Facebook falsely claim that the mayor of Velmont was arrested for fraud.",
        ),
        (BRIBES, "The newspaper wrongly reported that Anna Marsh took bribes from Acme."),
        (BRIBES, "It is false that Anna Marsh, the mayor of Velmont, took bribes from Acme."),
        (RIGGED, "Oduya has repeatedly made the baseless claim that the election in Velmont was rigged."),
        (RIGGED, "Oduya claimed without evidence that the election in Velmont had been rigged."),
        (RIGGED, "Oduya said the election in Velmont was rigged, a claim that courts have called baseless."),
        ("There was fraud in the election.", "Oduya spread debunked claims of fraud in the election."),
        ("5G masts caused the outbreak.", "A debunked theory holds that 5G masts caused the outbreak."),
        ("Drinking bleach cures the virus.", "A hoax message says that drinking bleach cures the virus."),
        ("Drinking bleach cures the virus.", "That drinking bleach cures the virus is a myth."),
        ("The attack killed 40 soldiers.", "The ministry falsely claimed that 40 soldiers died in the attack."),
        ("The mayor resigned.", "Rumours that the mayor resigned were a hoax."),
        ("Anna Marsh stole the painting.", "Prosecutors dropped the accusation that Marsh stole the painting."),
        ("Anna Marsh was arrested.", "Anna Marsh was falsely reported to have been arrested."),
    ],
)
def test_what_a_sentence_calls_false_is_disputed(statement, sentence):
    assert ConflictKind.DISPUTED in kinds(statement, sentence)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        # stands outside of the claim
        (
            RESIGNED,
            "The court rejected the baseless claim that the vote was rigged, and ruled that Marsh resigned in May.",
        ),
        (RESIGNED, "Anna Marsh, who falsely claimed that the vote was rigged, resigned in May."),
        (RESIGNED, "After falsely claiming that the vote was rigged, Anna Marsh resigned in May."),
        (RESIGNED, "Anna Marsh resigned in May over a fake story about her house."),
        ("Police closed the airport at noon.", "Police closed the airport at noon after false reports of a bomb."),
        ("Facebook removed posts on the vaccine.", "Facebook removed posts that falsely claimed the vaccine kills."),
        # is about the claim
        ("Oduya falsely claimed that the vote was rigged.", "Oduya falsely claimed that the vote was rigged."),
        ("Posts say that the mayor was arrested.", "Posts falsely claim that the mayor was arrested."),
        # is the contrary of the claim
        ("Donald Trump lost the 2020 election.", "Donald Trump falsely claimed that he won the 2020 election."),
        ("Bleach cures no virus.", "A hoax message says that bleach cures the virus."),
        # no claim is called false
        ("Marsh was convicted of murder.", "Marsh was wrongly convicted of murder in 1999."),
        ("A call closed the school.", "A hoax call closed the school."),
        ("The mayor resigned.", "Reports that the mayor resigned were not false."),
    ],
)
def test_what_is_said_beside_or_of_a_disputed_claim_is_not(statement, sentence):
    assert ConflictKind.DISPUTED not in kinds(statement, sentence)


@pytest.mark.parametrize(
    ("question", "sentence", "answer", "disputed"),
    [
        ("How many did it kill?", "A post falsely claimed that it killed 300 people.", "300", True),
        ("How many did the post say it killed?", "A post falsely claimed that it killed 300 people.", "300", False),
        ("How many did it kill?", "It killed 300, not 40 as a hoax says.", "300", False),
        ("Who resigned?", "Marsh, who falsely claimed that the vote was rigged, resigned.", "Marsh", False),
    ],
)
def test_an_answer_is_disputed_where_it_stands_only_in_the_claim(question, sentence, answer, disputed):
    assert bool(disputed_answer(question, sentence, answer)) is disputed


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("The election in Velmont was not rigged.", "Oduya made the baseless claim that the election was rigged."),
        ("The mayor did not resign.", "Rumours that the mayor resigned were a hoax."),
        ("Donald Trump lost the 2020 election.", "Donald Trump falsely claimed that he won the 2020 election."),
        ("In the fire 12 people died.", "A post falsely claimed that 300 people died in the fire."),
    ],
)
def test_a_claim_that_is_called_false_contradicts_nothing(statement, sentence):
    assert kinds(statement, sentence) == []


def test_what_stands_beside_a_disputed_claim_still_contradicts():
    sentence = "Oduya, who falsely claimed that the vote was rigged, did not resign."
    assert kinds("Oduya resigned.", sentence) == ["negation"]
