"""Roles and surnames put as the full names of those who have them: "the minister", "Vogel". English."""

import re
from collections import Counter

from core.words import fold_word
from pipelines.claims.entities import BODIES, ROLES, TITLES_OF_MEN, TITLES_OF_WOMEN
from pipelines.claims.mentions import Mentions
from pipelines.claims.pronouns import LEADS
from pipelines.claims.rewriting import Step, is_quoted, put
from pipelines.conflicts.names.names import names

_I = re.IGNORECASE
_ROLE = re.compile(
    r"\b(?P<all>(?:the|this|that)\s+(?:(?:young|old|new|former|same)\s+)?(?P<noun>[a-z]+))\b(?!['’]s\s+[A-Z])", _I
)
_AGE = re.compile(
    rf"^(?P<lead>{LEADS})the\s+(?:\d{{1,3}}-year-old|[A-Z][a-z]+(?:an|ian|ese|ish|i))\b(?=\s+(?:\w+ly\s+)?(?:has|had|was|is|said|won|lost|joined|[a-z]+ed)\b)",
    _I,
)
_BELONGS = re.compile(r"^\s+(?:of|in|for|at|on|to|from|between|with|that|who|which|by|where|behind|near)\s+\S|^['’]s\b")
_FIRMS = frozenset("company firm group club maker manufacturer airline chain retailer operator".split())


def name_role(text: str, mentions: Mentions) -> Step:
    """Name the person or body that "the minister", "the company" or "the 19-year-old" is."""
    if match := _AGE.match(text):
        subject = mentions.subject
        person = subject.person if subject and mentions.number - subject.number <= 1 else None
        if person and person.name not in text:
            return put(text, match.end("lead"), match.end(), person.name)
    for match in _ROLE.finditer(text):
        noun = match["noun"].lower()
        if noun not in ROLES | BODIES and noun not in mentions.entities.things:
            continue
        if (
            is_quoted(text, match.start())
            or _BELONGS.match(text[match.end() :])
            or any(0 <= name.start - match.end() <= 1 for name in names(text))
        ):
            continue
        name = _role_name(noun, mentions)
        if name and name.casefold().removeprefix("the ") not in text.casefold():
            return put(text, match.start(), match.end(), name)
    match = next(
        (one for one in _ROLE.finditer(text) if one.start() == 0 and one["noun"].lower() in ROLES | BODIES), None
    )
    if (
        match
        and not names(text[match.end() :])
        and not _BELONGS.match(text[match.end() :])
        and _role_name(match["noun"].lower(), mentions) == ""
    ):
        return text, [], f"It does not say which “{match['all'].lower()}” is meant."
    return text, [], ""


def _role_name(noun: str, mentions: Mentions) -> str:
    people = [one for one in mentions.entities.people if noun in one.roles]
    if people:
        return max(people, key=lambda one: one.last).name if len({one.name for one in people}) == 1 else ""
    if known := mentions.entities.things.get(noun):
        return known[-1][1]
    if noun not in _FIRMS or not mentions.entities.bodies:
        return ""
    (name, count), *others = Counter(mentions.entities.bodies).most_common(2)
    told = mentions.subject is not None and name in mentions.subject.text
    return name if not others or count > others[0][1] or told else ""


def name_surname(text: str, mentions: Mentions) -> Step:
    """Give people who are called by their surname their full name."""
    for name in names(text):
        person = mentions.entities.person_named(name.text) if " " not in name.text else None
        if (
            person
            and person.name != name.text
            and person.name not in text
            and person.last < mentions.number
            and not is_quoted(text, name.start)
        ):
            before = text[: name.start].split()
            if before and fold_word(before[-1]).strip(".") in TITLES_OF_MEN | TITLES_OF_WOMEN | {"dr", "sir"}:
                continue
            return put(text, name.start, name.end, person.name)
    return text, [], ""
