"""Whom "he", "the company" and the like mean; whether a question can be understood by itself. English."""
# ruff: noqa: SIM905  (long word lists read better as text)

import re

from pipelines.compare.names import names
from pipelines.lateral.entities import people_of

_PRONOUNS = "he she it they him her them his hers its their theirs we us our i me my you your this these those"
_PRONOUN = re.compile(rf"\b(?:{'|'.join(_PRONOUNS.split())})\b", re.IGNORECASE)
_POSSESSIVE = frozenset("his her its their".split())
_BEGINS = re.compile(r"^(he|she|they|it|his|her|their|its)\b\s*", re.IGNORECASE)
_CLEFT = re.compile(r"^(?:when|where|why|how)\s+(?:was|is)\s+it\s+that\s+", re.IGNORECASE)
_ROLES = (
    "minister president mayor governor senator chancellor king queen prince pope bishop judge spokesman "
    "spokeswoman spokesperson officer chief director chairman chairwoman manager coach player singer actor author "
    "suspect victim defendant accused company firm club team party union agency ministry government council "
    "committee court city town country state region group organisation organization bank university school "
    "hospital police authorities official officials man woman men women boy girl child children couple family "
    "driver pilot crew plan bill law deal decision report study ruling announcement statement attack accident "
    "crash storm fire event incident move"
)
_ROLE = re.compile(rf"\b(?:the|that|this)\s+(?:{'|'.join(_ROLES.split())})\b", re.IGNORECASE)
_BELONGS = re.compile(r"^\s+(?:of|in|for|at|on|to|from|between|with|that|who|which|by|where)\s+(?:the\s+)?\S|^['’]s\b")  # noqa: RUF001
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
    """
    Return why a question cannot be understood without the text; empty: it can.

    A pronoun behind a name means that name. "The minister" is clear where a name or what it belongs to follows.
    """
    body = _CLEFT.sub("", question.strip())
    if match := _DEICTIC.search(body):
        return f"“{match.group()}” depends on when it is read"
    found = names(body)
    for match in _PRONOUN.finditer(body):
        if not any(name.end <= match.start() for name in found):
            return f"“{match.group()}” is not named"
    for match in _ROLE.finditer(body):
        after = body[match.end() :]
        named = any(0 <= name.start - match.end() <= 1 for name in found)
        earlier = any(name.end <= match.start() for name in found)
        if not (named or earlier or _BELONGS.match(after)):
            return f"“{match.group()}” is not named"
    if not found and not re.search(r"\d", body):
        return "it names nobody and nothing"
    return ""
