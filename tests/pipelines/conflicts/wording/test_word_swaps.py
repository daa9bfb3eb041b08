"""Two words in each other's place say something else; items of a list, and what is true either way, do not."""

import time

import pytest

from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.wording.word_swaps import exchange_conflicts
from tests.pipelines.conflicts.found_kinds import kinds


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("Exports rose and imports fell.", "Exports fell and imports rose."),
        ("Twelve were killed and 40 injured.", "Forty people were killed, and 12 others injured."),
        ("The party won the north but lost the south.", "The party lost the north but won the south."),
        ("Acme moved from Leeds to York.", "Acme moved from York to Leeds in May."),
        ("Silver went to Kenya and gold to Uganda.", "Gold went to Kenya and silver to Uganda."),
        ("Marsh finished first and Oduya second.", "Oduya finished first and Marsh second."),
        ("He was born in Kenya and raised in Uganda.", "He was born in Uganda and raised in Kenya."),
        ("Growth was 3% in May and 5% in June.", "Growth was 5% in May and 3% in June."),
        ("Ann Marsh is the daughter of Otto Oduya.", "Otto Oduya is the daughter of Ann Marsh."),
        ("Acme is a subsidiary of Nordwing.", "Nordwing is a subsidiary of Acme."),
        ("Men earn more than women.", "Women earn more than men."),
    ],
)
def test_two_words_in_each_others_place_are_a_conflict(statement, sentence):
    assert kinds(statement, sentence) == {"exchange"}


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("Police shot a man dead in Leeds.", "Police shot dead a man in Leeds."),
        ("In May prices fell in London.", "In London prices fell in May."),
        ("The winner is Marsh.", "Marsh is the winner."),
        ("Marsh, Oduya and Lee were arrested.", "Lee, Oduya and Marsh were arrested."),
        ("Three men and two women died.", "Two women and three men died."),
        ("Exports rose and imports fell.", "Imports fell and exports rose."),
        ("The road from Leeds to York was closed.", "The road from York to Leeds was closed."),
        ("Germany faces France in the final.", "France faces Germany in the final."),
        ("Acme bought Nordwing.", "Nordwing was bought by Acme."),
        ("Marsh replaced Oduya.", "Oduya was sacked on Monday, and Marsh replaced him."),
        ("Growth was 3% in June and 5% in May.", "Growth was 5% in May and 3% in June."),
        ("Marsh won gold and Oduya silver.", "Oduya won silver and Marsh gold."),
        ("Exports rose and imports fell.", "Exports rose and imports fell; exports fell and imports rose in May."),
    ],
)
def test_what_may_change_places_is_no_conflict(statement, sentence):
    assert kinds(statement, sentence) == set()


def test_long_sentences_are_compared_soon():
    started = time.process_time()
    said = [f"word{at}" for at in range(30)]
    assert exchange_conflicts(analyse(" ".join(said)), analyse(" ".join([*said[:1] * 100, *reversed(said)]))) == []
    assert time.process_time() - started < 3
