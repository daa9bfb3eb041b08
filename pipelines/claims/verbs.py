"""Finite verbs in running text, from a list of common verbs and the shapes of regular forms. English."""

import re
from functools import cache
from pathlib import Path

from core.types import Model
from core.words import LETTERS

_FILE = Path(__file__).with_name("verbs.txt")
BE = frozenset("is are was were am isn't aren't wasn't weren't".split())
HAVE = frozenset("has have had hasn't haven't hadn't".split())
MODALS = frozenset(
    "will would can could may might must shall should won't wouldn't can't cannot couldn't mustn't shouldn't".split()
)
_DO = frozenset("do does did don't doesn't didn't".split())
AUXILIARIES = BE | HAVE | MODALS | _DO
_COMMON_PASTS = {"have": "had", "be": "was", "do": "did"}
_NOT_PAST = frozenset(
    "aged alleged beloved so-called based bed bleed breed exceed feed greed hundred indeed kindred need proceed red "
    "sacred seed shed sled speed succeed unprecedented weed wicked wretched naked limited united".split()
)
_SHORTEST_PAST = 4
_SIBILANT = ("s", "x", "z", "ch", "sh", "o")
_NO_SUBJECT = frozenset(
    "a an the of to for in on at by with from as its his her their our my your this that these those no some any each "
    "every other two three four five six seven eight nine ten".split()
)
"""Behind one of these, a word is a noun, an infinitive or a participle, not a verb with a subject."""


class VerbForms(Model):
    """The forms of the listed verbs."""

    bases: frozenset[str]
    """Also plural and first-person forms of the present."""
    thirds: frozenset[str]
    """says, goes, carries."""
    pasts: frozenset[str]
    participles: frozenset[str]
    """Irregular ones that are not past forms as well: begun, given."""
    irregular: dict[str, str]
    """Base to past form: bring, brought."""

    def past_of(self, base: str) -> str:
        """Return the past form of a verb, by the rule where it is not listed as irregular."""
        return self.irregular.get(base) or _regular_past(base)

    def third_of(self, base: str) -> str:
        """Return the form for "he" and "it"."""
        return {"have": "has", "be": "is"}.get(base) or _third(base)


@cache
def verb_forms() -> VerbForms:
    """Read the list of verbs."""
    lines = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    entries = [entry.split(":") for line in lines for entry in line.split()]
    return VerbForms(
        bases=frozenset(entry[0] for entry in entries),
        thirds=frozenset(_third(entry[0]) for entry in entries),
        pasts=frozenset(entry[1] if len(entry) > 1 else _regular_past(entry[0]) for entry in entries),
        participles=frozenset(entry[2] for entry in entries if len(entry) > 2 and entry[1] != entry[2]),  # noqa: PLR2004 - forms
        irregular={entry[0]: entry[1] for entry in entries if len(entry) > 1}
        | {"have": "had", "be": "was", "do": "did"},
    )


def _third(base: str) -> str:
    if base.endswith(_SIBILANT):
        return f"{base}es"
    return f"{base[:-1]}ies" if base.endswith("y") and base[-2] not in "aeiou" else f"{base}s"


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    return f"{base[:-1]}ied" if base.endswith("y") and base[-2] not in "aeiou" else f"{base}ed"


class Verb(Model):
    """A word that may be the verb of a clause."""

    word: str
    """In lower case."""
    start: int
    end: int
    is_sure: bool
    """An auxiliary, a past form, or a form for "he" and "it" that is rarely a noun."""


def finite_verbs(text: str) -> list[Verb]:
    """Return the words of a text that may be verbs with a subject, in order."""
    found: list[Verb] = []
    before = ""
    for match in LETTERS.finditer(text):
        word = match.group().lower().replace("’", "'")
        kind = _kind(word, before, text[match.end() :])
        if kind is not None and (match.group().islower() or not text[: match.start()].strip()):
            found.append(Verb(word=word, start=match.start(), end=match.end(), is_sure=kind))
        before = word
    return found


def _kind(word: str, before: str, behind: str) -> bool | None:
    """Say whether a word is surely a finite verb, maybe one, or none (None)."""
    if word in AUXILIARIES or word.endswith("n't") or (before == "" and word.endswith(_CONTRACTED)):
        return True
    if before in _NO_SUBJECT:
        return None
    if is_past(word):
        return True
    forms = verb_forms()
    if word in forms.thirds:
        return before not in {"and", "or"} and (word not in _OFTEN_NOUNS or _OBJECT.match(behind) is not None)
    return False if word in forms.bases and before not in AUXILIARIES else None


_CONTRACTED = ("'s", "'re", "'ve", "'ll", "'d")
_OBJECT = re.compile(
    r"\s+(?:(?:about|only|just|almost|nearly|more\s+than|less\s+than|up\s+to|at\s+least)\s+)?(?:the|an?|its|his|her|their|no|\d|"
    r"[$€£]|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundreds?|thousands?|half|"
    r"nothing|everybody)\b",
    re.IGNORECASE,
)
_OFTEN_NOUNS = frozenset(
    "acts aims attacks bans blames boosts causes changes charges claims controls costs counts covers crashes cuts "
    "deals demands drinks drives drops ends experiences exports fears fights fines fires forms funds gains grants "
    "guarantees harms helps hopes hosts houses increases interests issues judges jumps lands lasts laws leads lies "
    "lights lists loads looks losses loves marches marks matches means measures moves names needs notes numbers "
    "offers orders parks peaks places plans plants plays points posts powers prints programmes promises protests "
    "questions ranges ranks rates records reports researches results returns rises rules runs sails samples scores "
    "sentences shares shifts ships shots shows sounds spots stands starts states steps stores strikes studies "
    "supplies supports targets taxes tests ties times tops totals tours tracks trades trains transfers travels "
    "turns uses values visits votes walks wants watches waters wins works worries wounds".split()
)


def is_past(word: str) -> bool:
    """Say whether a word in lower case is, or looks like, a past form."""
    regular = word.endswith("ed") and len(word) > _SHORTEST_PAST and word not in _NOT_PAST
    return regular or word in verb_forms().pasts


def is_participle(word: str) -> bool:
    """Say whether a word in lower case can follow "was" or "has": measured, given, sold."""
    return is_past(word) or word in verb_forms().participles
