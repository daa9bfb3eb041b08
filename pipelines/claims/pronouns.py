"""Pronouns put as the names that they mean, as far as that is clear. English."""

import re

from pipelines.claims.antecedents import is_named_before, may_be_inside, reaches_back
from pipelines.claims.clauses import subject_span
from pipelines.claims.entities import ROLES, Person
from pipelines.claims.mentions import WINDOW, Mentions, gender_of
from pipelines.claims.noun_phrases import head, is_plural
from pipelines.claims.rewriting import Step, put, quotes_masked
from pipelines.conflicts.names.names import names

_I = re.IGNORECASE
_HE = re.compile(r"\b(?P<word>he|she|him|his|hers?)\b", _I)
LEADS = r"(?:[\"'“‘(]*(?:(?:and|but|so|yet|also|then|later|however|still|today|now|meanwhile|in\s+\d{4},?|(?:in|on|at|since|after|before|by|during|from|for|with|last|this)\s[^,]{2,60},|since\s+\d{4},?|(?:when|while|although|because|as|if)\s[^,]{2,80},)\s*,?\s*)*)"
_IT = re.compile(rf"^(?P<lead>{LEADS})(?P<word>it|its|they|their|theirs)\b", _I)
_THIS = re.compile(
    rf"^(?P<lead>{LEADS})(?P<word>this|that|these|those|such|both|the\s+(?:former|latter)|neither|hers|theirs|others?)\b(?=\s+(?:is|are|was|were|has|have|had|will|would|can|could|may|might|means|made|makes|led|happened|came|caused|weighed|did|does|said|[a-z]+ed|of|not)\b)",
    _I,
)
_EMPTY = re.compile(
    r"^\s+(?:(?:is|was|has\s+been|had\s+been|will\s+be|would\s+be)\s+(?:(?!such|the\s+(?:first|second|third|last))(?:[^.,;]{1,80}?|[^.,;]{1,60},[^.,;]{1,60},\s+)\b(?:that|who|whose|whom|which|to|whether|how|when)\b|\w+\s+(?:o'clock|degrees)|(?:raining|snowing|late|early|dark|cold|hot|time)\b)"
    r"|(?:takes?|took|costs?|rain(?:s|ed)|snow(?:s|ed)|seems?|appears?|turned\s+out|follows|emerged|happened|remains\s+unclear)\b[^.;]{0,90}\b(?:to|that|whether|if)\b|\s*(?:rained|snowed))",
    _I,
)
"""Behind an "it" that means nothing that was named: it is recommended that, it was he who, it takes an hour to."""
_OBJECT = re.compile(r"\b(?P<word>it|its|them|their|theirs)\b(?!\s+(?:is|was|will|would|has|had|that)\b)", _I)
_LAST_THIS = re.compile(r"\b(?:[a-z]+(?:ed|es|s)|of|to|by|with|for|about|from|against)\s+(?P<word>this|that)[.!]?$", _I)
_GROUPS = frozenset(
    "authority police government council court ministry union opposition committee commission board party spokesman spokeswoman".split()
)
_IT_WAS = re.compile(r"^\W*it\s+(?:is|was)\b", _I)
_FRONTED = re.compile(
    r"^\W*(?:before|after|despite|in|with|like|unlike|for|by|at|on|of|as|during|from|throughout|among|without|to|under|over|through)\b",
    _I,
)
"""A phrase before the subject: a possessive in it may mean somebody who is named behind it."""


def name_person(text: str, mentions: Mentions) -> Step:
    """Name the person whom "he" or "she" means."""
    bare = quotes_masked(text)
    match = _HE.search(bare)
    if match is None or _has_antecedent(text[: match.start()], mentions):
        return text, [], ""
    told_later = match["word"].lower() in {"his", "her"} and match.start() > 0 and names(text[match.end() :])
    if _IT_WAS.match(text) or (told_later and _FRONTED.match(text)):
        return text, [], ""  # "It was her brother whose words ended the princess's run", "After his defeat, Lee left"
    person = _meant(match["word"], mentions)
    if person is None:
        return text, [], f"It is not clear who “{match.group()}” is."
    person.gender = person.gender or gender_of(match["word"])
    person.last = mentions.number
    owns = match["word"].lower() == "his" or (
        match["word"].lower() == "her"
        and bool(
            re.match(
                r"\s+(?!to\b|from\b|in\b|on\b|at\b|for\b|with\b|of\b|and\b|as\b|by\b|that\b|when\b|after\b|before\b|because\b|the\b|an?\b)[a-z“\"-]+",
                text[match.end() :],
            )
        )
    )
    new = f"{person.name}'s" if owns or match["word"].lower() == "hers" else person.name
    return text[: match.start()] + new + text[match.end() :], [(match.group(), new)], ""


def _has_antecedent(before: str, mentions: Mentions) -> bool:
    """Say whether a person is named before a pronoun in its own sentence, or somebody called by a noun."""
    if any(
        one.name in before or re.search(rf"\b{re.escape(one.surname)}\b", before) for one in mentions.entities.people
    ) or re.search(
        rf"\b(?:an?|the|one|another|every|each|no)\s+(?:[\w-]+\s+){{0,3}}?(?:{'|'.join(ROLES)}|man|woman|boy|girl|person|resident|witness|member|voter|student|pupil|patient|customer|passenger|scientist|minister|frenchman|\w+(?:er|or|ist|ian|ant|ee))\b",
        before,
        _I,
    ):
        return True
    return any(" " in name.text or name.start > 0 for name in names(before))


def _meant(pronoun: str, mentions: Mentions) -> Person | None:
    """Return the person whom a pronoun means; None: not clear."""
    gender = gender_of(pronoun)
    fits = [
        one for one in mentions.entities.people if one.gender in {"", gender} and mentions.number - one.last <= WINDOW
    ]
    if not fits:
        return None
    subject = (
        mentions.subject.person if mentions.subject and mentions.number - mentions.subject.number <= WINDOW else None
    )
    newest = max(one.last for one in fits)
    last = [one for one in fits if one.last == newest]
    sure = [one for one in last if one.gender == gender]
    if len(last) == 1 or len(sure) == 1:
        return (sure or last)[0]
    return subject if subject in last else None


def name_thing(text: str, mentions: Mentions) -> Step:
    """Name what "it" or "they" means that a sentence begins with."""
    if match := _THIS.match(text):
        return text, [], f"“{match['word']}” means something that stands in another sentence."
    match = _IT.match(text)
    if match is None or (match["word"].lower() == "it" and _EMPTY.match(text[match.end() :])):
        return text, [], ""
    word = match["word"].lower()
    subject = mentions.subject
    if (names(text[: match.start("word")]) and word in {"its", "their"}) or is_named_before(match["lead"], word):
        return text, [], ""
    plural = word.startswith("the")
    unclear = f"It is not clear what “{match['word']}” is."
    if (
        subject is None
        or subject.is_plural != plural
        or (subject.person and not plural)
        or mentions.number - subject.number > WINDOW - 1
    ):
        return text, [], unclear
    if (
        word == "it"
        and re.match(r"\s+(?:is|was)\s+(?:the|an?)\s", text[match.end() :], _I)
        and (head(subject.text) in _GROUPS or "such" in text[match.end() :])
    ):
        return text, [], unclear
    name = mentions.full_name(subject.text)
    new = (
        f"{name}'s"
        if word in {"its", "their"} and not name.endswith("s")
        else f"{name}'"
        if word in {"its", "their"}
        else name
    )
    new = new if match["lead"] else f"{new[:1].upper()}{new[1:]}"
    new = f"{new[:1].lower()}{new[1:]}" if match["lead"] and re.match(r"(?:The|A|An|Its|His|Her|Their)\s", new) else new
    return text[: match.start("word")] + new + text[match.end("word") :], [(match["word"], new)], ""


def name_object(text: str, mentions: Mentions) -> Step:
    """Name what "it", "them" or "its" further on means, where nothing in the sentence can be meant."""
    if match := _LAST_THIS.search(text):
        return text, [], f"“{match['word']}” means something that stands in another sentence."
    match = _OBJECT.search(quotes_masked(text))
    span = subject_span(text)
    if match is None or span is None or match.start() < span[1] or _IT.match(text):
        return text, [], ""
    plural = match["word"].lower() in {"them", "their", "theirs"}
    own, between = text[span[0] : span[1]], text[span[1] : match.start()]
    owns = match["word"].lower() in {"its", "their"}
    before = re.sub(r"\b\d{4}\b", "", text[: span[0]]) + between
    fits = is_plural(own) == plural
    if (fits and (owns or reaches_back(between))) or may_be_inside(before, many=plural and not owns):
        return text, [], ""
    if plural and not owns and mentions.plurals > 1:
        return text, [], f"It is not clear what “{match['word']}” is."
    subject = mentions.subject
    if (
        subject is None
        or subject.is_plural != plural
        or mentions.number - subject.number > WINDOW - 1
        or (subject.person and not plural)
    ):
        return text, [], f"It is not clear what “{match['word']}” is."
    name = mentions.full_name(subject.text)
    name = f"{name[:1].lower()}{name[1:]}" if re.match(r"(?:The|A|An|Its|His|Her|Their)\s", name) else name
    return put(text, match.start(), match.end(), f"{name}'s" if owns else name)
