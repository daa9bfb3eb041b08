import gzip
import json
import re

import pytest

from core.paths import DATASETS
from pipelines.claims.polar_question import polar_statement


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Did teachers in Ravel turn down the contract?", "Teachers in Ravel turned down the contract."),
        ("Didn't Mona Field win the regatta?", "Mona Field won the regatta."),
        ("Does the Harbour Board expect traffic to grow?", "The Harbour Board expects traffic to grow."),
        ("Do farmers oppose the levy?", "Farmers oppose the levy."),
        ("Did the council ban dogs?", "The council banned dogs."),
        ("Did the gallery reopen after two years?", "The gallery reopen after two years."),
        ("Is entry to the Tower of Pell free for students?", "Entry to the Tower of Pell is free for students."),
        ("Was the well at Norr poisoned?", "The well at Norr was poisoned."),
        ("Was Kestrel sued by Dunmore?", "Kestrel was sued by Dunmore."),
        ("Is Otto Lind the head of the bank?", "Otto Lind is the head of the bank."),
        ("Was the minister in hospital on Friday?", "The minister was in hospital on Friday."),
        ("Is Otto Lind still chairman?", "Otto Lind is still chairman."),
        ("Is Mount Avel higher than Mount Brin?", "Mount Avel is higher than Mount Brin."),
        ("Has the number of dead risen above 40?", "The number of dead has risen above 40."),
        ("Could the walkout begin on 3 May?", "The walkout could begin on 3 May."),
        ("Have the police arrested anyone over the theft?", "The police have arrested someone over the theft."),
        ("True or false: the dam broke in March?", "The dam broke in March."),
        ("Is it true that the dam broke in March?", "The dam broke in March."),
        ("Mona Field won the regatta, didn't she?", "Mona Field won the regatta."),
        ("The dam broke in March, right?", "The dam broke in March."),
    ],
)
def test_a_yes_or_no_question_becomes_the_statement_that_it_asks_about(question, statement):
    assert polar_statement(question) == statement


@pytest.mark.parametrize(
    "question",
    [
        "Who won the regatta?",
        "Which is higher, Mount Avel or Mount Brin?",
        "Was it Mona Field or Otto Lind?",
        "Do you know who won the regatta?",
        "Can you tell me when the dam broke?",
        "Were there many visitors?",
        "Is it true that what?",
        "Was?",
        "?",
        "",
    ],
)
def test_other_questions_are_left_alone(question):
    assert polar_statement(question) == ""


@pytest.mark.parametrize(
    "question", ["Did " * 3000 + "?", "Is " + "a" * 100_000 + "?", "Was the " + "of the " * 5000 + "?"]
)
def test_hostile_questions_are_read_in_bounded_time(question):
    assert isinstance(polar_statement(question), str)


_INVERTED = re.compile(
    r"^(?!(?:In|On|At|For|If|As|But|And|Before|After|Also|Since|Although|From|By|Earlier)\b)(?P<subject>[A-Z][^,;:–—]{3,70}?)\s"
    r"(?P<aux>was|were|is|are|has|have|had|will|can|could|would)\s(?P<rest>(?!not\b|never\b)[a-z].*)\.$"
)
_TOLD = re.compile(r"\b(?:that|who|which|and|or|said|when|where|while|told|claimed|stated|reported|argued|says)\b")
_DETERMINERS = re.compile(r"(?:The|An?|His|Her|Its|Their|Th[ei]s[e]?|Some|Many|Most|All|Several|No)\b")
_LONGEST = 18


def test_questions_made_of_sentences_of_articles_become_these_sentences_again():
    """The near copies were there before these rules, which were made from other questions."""
    with gzip.open(DATASETS / "near_copies" / "near_copies.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = list(lines)
    asked = {}
    for text in {json.loads(row)["true"] for row in rows}:
        match = _INVERTED.match(text)
        if match and not _TOLD.search(match["subject"]) and len(text.split()) <= _LONGEST:
            subject = match["subject"]
            subject = subject[0].lower() + subject[1:] if _DETERMINERS.match(subject) else subject
            asked[f"{match['aux'].capitalize()} {subject} {match['rest']}?"] = text
    found = [(polar_statement(question), text) for question, text in asked.items()]
    assert len(found) > 150
    assert sum(made == text for made, text in found) / len(found) > 0.65
    assert sum(made not in {"", text} for made, text in found) / len(found) < 0.25
