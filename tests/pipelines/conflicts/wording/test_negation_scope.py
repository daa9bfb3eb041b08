import pytest

from tests.pipelines.conflicts.found_kinds import kinds


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("Marsh filed an appeal.", "The court rejected the appeal."),
        ("The minister offered a resignation.", "The president refused the resignation."),
        ("Marsh faces allegations of fraud.", "Marsh denied the allegations."),
        ("Residents demanded a vote.", "The council rejected residents' calls for a vote."),
        ("Sales fell sharply.", "Sales declined sharply."),
        ("The shares fell to a record low.", "The shares declined to a record low."),
    ],
)
def test_who_rejects_a_thing_does_not_say_that_there_is_none(statement, sentence):
    assert kinds(statement, sentence) == set()


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("Marsh resigned.", "Marsh declined to resign."),
        ("Marsh will resign.", "Marsh rejected calls to resign."),
        ("Marsh stole the car.", "Marsh denied that he stole the car."),
        ("Acme had polluted the river.", "Acme denied it had polluted the river."),
        ("Acme had polluted the river.", "The minister denied Acme had polluted the river."),
        ("Marsh has a permit.", "Marsh was denied a permit."),
        ("They were allowed entry.", "The guards refused entry."),
    ],
)
def test_who_refuses_to_do_a_thing_denies_it(statement, sentence):
    assert kinds(statement, sentence) == {"negation"}


@pytest.mark.parametrize(
    ("statement", "sentence", "expected"),
    [
        ("The bridge was opened in May.", "The bridge was not opened until May.", set()),
        ("The bridge was opened in April.", "The bridge was not opened until May.", {"day"}),
        ("The museum will not open until May.", "The museum will open.", set()),
        ("The driver survived.", "The driver barely survived.", set()),
        ("Acme has not polluted the river.", "Acme denied it had polluted the river.", set()),
        ("Shops were shut until 12 April.", "Shops reopened on 12 April.", set()),
        ("Shops may open from 12 April.", "The shops must stay closed until 12 April.", set()),
        ("Shops are open until 12 April.", "Shops are closed until 12 April.", {"antonym"}),
        ("Shops were shut on 12 April.", "Shops reopened on 12 April.", {"antonym"}),
        ("The driver survived the crash.", "The driver never survived the crash.", {"negation"}),
    ],
)
def test_what_is_so_from_a_day_on_or_hardly_is_not_denied(statement, sentence, expected):
    assert kinds(statement, sentence) == expected
