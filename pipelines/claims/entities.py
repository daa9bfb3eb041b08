"""People, bodies and things that a text has named, so that later words for them can be told. English."""

import re
from dataclasses import dataclass, field

from core.words import fold_word
from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.lexicon import MONTHS, WEEKDAYS
from pipelines.conflicts.names.names import Name
from pipelines.conflicts.names.places import is_place

TITLES_OF_MEN = frozenset(
    "mr sir lord king prince father brother chairman spokesman congressman actor monsignor bishop archbishop pope cardinal count duke baron".split()
)
TITLES_OF_WOMEN = frozenset(
    "mrs ms miss lady dame queen princess mother sister chairwoman spokeswoman congresswoman actress countess duchess baroness soprano".split()
)
ROLES = frozenset(
    "minister president mayor governor senator chancellor judge chief director chairman chairwoman chair manager coach captain leader secretary "
    "commissioner ambassador councillor premier spokesman spokeswoman spokesperson professor dr detective inspector general colonel pilot driver "
    "singer actor actress author poet painter composer conductor soprano lawyer attorney founder scientist researcher biologist glaciologist "
    "archaeologist chemist economist journalist reporter editor auditor treasurer clerk king queen prince princess pope bishop archbishop cardinal "
    "striker goalkeeper midfielder defender champion player athlete runner swimmer cyclist officer constable sergeant lieutenant admiral teacher "
    "headteacher nurse doctor surgeon farmer fisherman executive banker broker congressman congresswoman representative lord mr mrs ms sir "
    "candidate victim suspect accused defendant owner referee".split()
)
BODIES = frozenset(
    "company firm group bank club team union agency ministry council committee commission board party government parliament court university school "
    "hospital church society association foundation institute museum newspaper magazine airline maker manufacturer operator police army federation "
    "authority department office bureau corporation chain retailer supplier factory plant laboratory choir orchestra band county town city village "
    "state country district region parish".split()
)
THINGS = frozenset(
    "bridge dam castle ferry ship vessel boat train station airport lake river glacier mountain island road tunnel tower stadium port harbour mill ruin "
    "palace cathedral mosque temple park zoo reactor mine law treaty agreement act bill contract report study survey fund prize tournament festival "
    "drug vaccine phone car plane aircraft satellite telescope book novel film opera song album magazine website bay valley line railway programme "
    "monastery abbey convent chapel fort fortress theatre cinema hotel gallery archive cave desert forest peninsula canal "
    "reservoir square market fair exhibition conference summit mission probe rocket comet planet project plan scheme deal strike election referendum war battle storm hurricane earthquake fire epidemic".split()
)
_NO_PERSON = (
    frozenset(
        "north south east west united new great royal national saint san los las mount lake port cape fort the university college rovers united city "
        "town athletic foods motors airlines airways systems group holdings inc ltd street road square bridge river island islands valley park house "
        "hall times post news herald guardian journal tribune mail world cup league championship games prize award act treaty church".split()
    )
    | BODIES
    | THINGS
    | frozenset(MONTHS)
    | frozenset(WEEKDAYS)
)
_MOST_WORDS = 4
_TITLE = re.compile(r"(?:^|[\s(\"“])(?P<role>(?:[\w'’-]+\s+){0,3}?[\w-]+)\s+$")
_DESCRIBED = re.compile(r"^(?:,\s+|\s+\()(?:(?:the|an?|its|their|then|former)\s+)*(?P<what>[^,.()]{3,70}?)[,.)]")
_OF = re.compile(r"^(?P<of>\s+(?:of|in|at|on|for)\s+(?:the\s+)?)(?=[A-Z])")


@dataclass
class Person:
    """Somebody whom the text has named in full."""

    name: str
    """First and last name without title."""
    surname: str
    gender: str = ""
    """m, f, or empty: not known."""
    roles: frozenset[str] = frozenset()
    last: int = -1
    """Sentence that last spoke of them."""


@dataclass
class Entities:
    """What a text has named so far."""

    people: list[Person] = field(default_factory=list)
    things: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """Head noun to (sentence, phrase with a name): council to "the council of Brackenfield"."""
    bodies: list[str] = field(default_factory=list)
    """Names of what is not a person, place or date, as often as they were named."""

    def read(self, sentence: str, number: int) -> None:
        """Note whom and what a sentence names."""
        for name in analyse(sentence).names:
            before, behind = sentence[: name.start], sentence[name.end :]
            if not self._is_person(name, before, behind, number):
                self._note_thing(name, before, behind, number)

    def person_named(self, text: str) -> Person | None:
        """Return the person whom a name or surname means; None: nobody, or one of several."""
        found = [one for one in self.people if text in {one.name, one.surname}]
        return found[0] if len(found) == 1 else None

    def _is_person(self, name: Name, before: str, behind: str, number: int) -> bool:
        roles, bare = _roles(name.text, before)
        words = bare.split()
        if known := self.person_named(bare):
            known.last = number
            known.roles |= roles
            return True
        described = _DESCRIBED.match(behind)
        roles |= _roles_in(described["what"]) if described else frozenset()
        titled = bool(roles)
        if not words or len(words) > _MOST_WORDS or (len(words) == 1 and not titled):
            return False
        if (
            any(fold_word(word).strip(".") in _NO_PERSON for word in words)
            or is_place(bare)
            or any(map(str.isupper, words))
            or any(word.isdigit() for word in words)
        ):
            return False
        if any(word in {"of", "the"} for word in words):
            return False
        self.people.append(Person(name=bare, surname=words[-1], gender=_gender(roles), roles=roles, last=number))
        return True

    def _note_thing(self, name: Name, before: str, behind: str, number: int) -> None:
        """Note "the port of Ostrava Bay", "Lake Hornsea", "the Ferren glacier" and "Brightmoor" by what they are."""
        words = name.text.split()
        if is_date_name(words):
            return
        in_place = re.search(r"\b(?:in|at|near|from|to|of|outside|across|around)\s+(?:the\s+)?$", before)
        if not in_place and not is_place(name.text):
            self.bodies.append(name.text)
        phrases = [(fold_word(word), name.text) for word in (words[0], words[-1]) if len(words) > 1]
        joint = re.search(r"(?P<noun>[a-z]+)\s+(?:of|in|at|on)\s+(?:the\s+)?$", before)
        if joint:
            phrases.append((joint["noun"], f"the {before[joint.start() :]}{name.text}"))
        if ahead := re.match(r"^\s+(?P<noun>[a-z]+)\b", behind):
            phrases.append((ahead["noun"], f"the {name.text} {ahead['noun']}"))
        if apposition := re.search(r"\bthe\s+(?:[\w-]+\s+)?(?P<noun>[a-z]+)\s+$", before):
            phrases.append((apposition["noun"], f"the {apposition['noun']} {name.text}"))
        for noun, phrase in phrases:
            if noun in BODIES | THINGS:
                self.things.setdefault(noun, []).append((number, phrase))


def is_date_name(words: list[str]) -> bool:
    """Say whether words of a name are a month, a weekday or a feast."""
    return all(
        fold_word(word).strip(".") in frozenset(MONTHS) | frozenset(WEEKDAYS) | {"christmas", "easter"}
        for word in words
    )


def _roles(name: str, before: str) -> tuple[frozenset[str], str]:
    """Return the roles in and before a name, and the name without them."""
    words = name.split()
    roles = set()
    while words and fold_word(words[0]).strip(".") in ROLES | TITLES_OF_MEN | TITLES_OF_WOMEN:
        roles.add(fold_word(words.pop(0)).strip("."))
    behind_of = [place for place, word in enumerate(words) if fold_word(word) in ROLES and place < len(words) - 1]
    if behind_of:
        roles.add(fold_word(words[behind_of[-1]]))
        words = words[behind_of[-1] + 1 :]
    if title := _TITLE.search(f"{before}"):
        roles |= _roles_in(title["role"].split()[-1])
    return frozenset(roles), " ".join(words)


def _roles_in(text: str) -> frozenset[str]:
    return frozenset(fold_word(word).strip(".") for word in re.findall(r"[\w-]+", text)) & (
        ROLES | TITLES_OF_MEN | TITLES_OF_WOMEN
    )


def _gender(roles: frozenset[str]) -> str:
    if roles & TITLES_OF_WOMEN:
        return "f"
    return "m" if roles & TITLES_OF_MEN - {"actor"} else ""
