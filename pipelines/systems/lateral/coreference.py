"""Whom "he", "the company" and the like mean; whether a question can be understood by itself. English."""

import re

from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.names.anaphora import unnamed
from pipelines.systems.lateral.entities import people_of

_POSSESSIVE = frozenset("his her its their".split())
_BEGINS = re.compile(r"^(he|she|they|it|his|her|their|its)\b\s*", re.IGNORECASE)
_CLEFT = re.compile(r"^(?:when|where|why|how)\s+(?:was|is)\s+it\s+that\s+", re.IGNORECASE)
_DEICTIC = re.compile(
    r"\b(?:today|yesterday|tomorrow|tonight|here|now|currently|ago|(?:this|last|next)\s+(?:week|month|year|season|night)|"
    r"(?:last|next|on|this)\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)


def resolved(sentence: str, before: str) -> str | None:
    """
    Put a name in the place of the pronoun that begins a sentence.

    :param before: The text before the sentence; the last person in it is meant, if its last sentence has only one.
    :returns: None where it is not clear who is meant. A sentence without such a pronoun comes back as it is.
    """
    match = _BEGINS.match(sentence)
    if match is None:
        return sentence
    pronoun = match.group(1).casefold()
    people = people_of(before)
    if pronoun not in {"he", "she", "his", "her"} or not people or (len(people) > 1 and not _alone(people, before)):
        return None
    name = people[-1]
    rest = sentence[match.end() :]
    return f"{name}'s {rest}" if pronoun in _POSSESSIVE else f"{name} {rest}"


def _alone(people: list[str], before: str) -> bool:
    """Say whether the last person is the only one that the last sentence before names."""
    last = re.split(r"(?<=[.!?])\s", before.strip())[-1]
    return people_of(last) == people[-1:]


def not_self_contained(question: str) -> str:
    """Return why a question cannot be understood without the text; empty: it can."""
    body = _CLEFT.sub("", question.strip())
    if match := _DEICTIC.search(body):
        return f"“{match.group()}” depends on when it is read"
    if words := unnamed(body):
        return f"“{words}” is not named"
    if not analyse(body).names and not re.search(r"\d", body):
        return "it names nobody and nothing"
    return ""
