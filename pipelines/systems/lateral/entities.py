"""People and organisations in a text, by what stands beside their names. English."""

import re

from pipelines.conflicts.analysis import analyse
from pipelines.reading.windows import sentences_of

_TITLES = frozenset(
    "mr mrs ms dr sir lord lady dame president minister chancellor governor senator mayor professor prof judge justice "
    "king queen prince princess pope bishop archbishop cardinal reverend general colonel captain sergeant lieutenant "
    "officer detective inspector chief secretary administrator commissioner director chairman chairwoman chair ceo "
    "spokesman spokeswoman spokesperson ambassador congressman congresswoman representative councillor premier leader "
    "actor actress singer author coach manager player astronaut scientist researcher analyst lawyer attorney founder "
    "treasurer clerk headteacher vice whip speaker fellow".split()
)
_SAYS = r"(?:said|says|told|added|stated|announced|explained|tweeted|wrote|claimed|resigned|confirmed|warned|testified)"
_SAYS_AFTER = re.compile(rf"^(?:,[^,.]{{1,60}},)?\s+(?:has |had |have )?(?:also )?{_SAYS}\b")
_SAYS_BEFORE = re.compile(rf"\b{_SAYS}\s+(?:the\s+)?(?:[a-z]+\s+){{0,3}}$")
_DESCRIBED = re.compile(r"^,\s+(?:\d{1,3}\b|aged?\b|(?:an?|the|who|whose)\s)|^\s*\(\d\d\)|^,?\s+who\s")
_TITLED = re.compile(r"\b(\w+)\s*,?\s*$")
_ORGANISATION = frozenset(
    "agency department ministry company university party committee council commission authority association union bank "
    "airlines airways police fund institute service group club organization organisation center centre society court "
    "foundation federation board bureau office corporation inc ltd league network newspaper hospital museum school "
    "parliament senate congress treasury".split()
)
_PAPERS = frozenset("times post news herald guardian journal tribune today mail star sun space capsule mosque".split())
_BEGINS_WITH_VERB = re.compile(r"[A-Z][a-z]+ing\s")
_NO_NAMES = frozenset("UTC GMT BST EST EDT PST PDT CET CEST AM PM BCE".split())
_JOINS = frozenset({"for", "for the", "&"})
_LONGEST_NAME = 4


def entities_of(text: str) -> list[str]:
    """Return names as they are written, those that "for" joins as one; single words inside sentences only."""
    return list(dict.fromkeys(name for start, end in sentences_of(text) for name in _entities(text[start:end])))


def _entities(sentence: str) -> list[str]:
    joined: list[tuple[int, int]] = []
    for name in analyse(sentence).names:
        if joined and sentence[joined[-1][1] : name.start].strip() in _JOINS:
            joined[-1] = (joined[-1][0], name.end)
        elif name.text in _NO_NAMES or _has(name.text.split()[-1], _TITLES) or _BEGINS_WITH_VERB.match(name.text):
            continue
        elif " " in name.text or sentence[: name.start].strip(" \"'“‘("):
            joined.append((name.start, name.end))
    return [sentence[start:end] for start, end in joined]


def people_of(text: str) -> list[str]:
    """Return full names of people without their titles: those with a title, who say something, or who are described."""
    return list(dict.fromkeys(name for start, end in sentences_of(text) for name in _people(text[start:end])))


def _people(sentence: str) -> list[str]:
    found = []
    for name in analyse(sentence).names:
        bare = without_titles(name.text).split()
        if not 1 < len(bare) <= _LONGEST_NAME or any(not word[:1].isupper() for word in bare):
            continue
        if _has(" ".join(bare), _ORGANISATION | _PAPERS) or "of" in bare:
            continue
        before, after = sentence[: name.start], sentence[name.end :]
        title = _TITLED.search(before)
        has_title = len(bare) < len(name.text.split()) or (title is not None and title.group(1).casefold() in _TITLES)
        if has_title or _SAYS_AFTER.match(after) or _SAYS_BEFORE.search(before) or _DESCRIBED.match(after):
            found.append(" ".join(bare))
    return found


def without_titles(name: str) -> str:
    """Return a name without its titles and what stands before them, "Grimm" of "Mayor Grimm"."""
    words = name.split()
    titled = [place for place, word in enumerate(words) if _has(word, _TITLES)]
    return " ".join(words[titled[-1] + 1 :] if titled else words)


def is_described(person: str, text: str) -> bool:
    """Say whether a text gives a person a title, or says behind the name who that is."""
    for match in re.finditer(re.escape(person), text):
        title = _TITLED.search(text[: match.start()])
        if (title is not None and title.group(1).casefold() in _TITLES) or _DESCRIBED.match(text[match.end() :]):
            return True
    return False


def organisations_of(text: str) -> list[str]:
    """Return names of several words that an organisation's word is part of, each once."""
    found = [_organisation(name) for name in entities_of(text)]
    return list(dict.fromkeys(name for name in found if name))


def _organisation(name: str) -> str:
    """Return the organisation in a name, "University of Kansas" in "Chip Taylor of the University of Kansas"."""
    first, joint, rest = name.partition(" of ")
    if joint and not _has(first, _ORGANISATION):
        name = rest.removeprefix("the ")
    plain = name.removeprefix("The ")
    return plain if " " in plain and _has(plain, _ORGANISATION) and not _has(plain, _TITLES) else ""


def _has(name: str, words: frozenset[str]) -> bool:
    return bool({word.casefold().strip(".,") for word in name.split()} & words)


def named_in(people: list[str], text: str) -> tuple[str, ...]:
    """Return those of the people whose full name stands in a text."""
    return tuple(person for person in people if person in text)
