"""Whom and what a sentence of a text means, put into it so that it stands alone. English."""
# ruff: noqa: E501, RUF001, SIM905  (one pattern a line; marks that newspapers print; word lists read better as text)

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from pipelines.claims.clauses import subject_span
from pipelines.claims.entities import BODIES, ROLES, TITLES_OF_MEN, TITLES_OF_WOMEN, Entities, Person
from pipelines.claims.written_dates import dated
from pipelines.conflicts.lexicon import fold_word
from pipelines.conflicts.names.names import names

_I = re.IGNORECASE
_HE = re.compile(r"\b(?P<word>he|she|him|his|hers?)\b", _I)
_LEADS = r"(?:[\"'“‘(]*(?:(?:and|but|so|yet|also|then|later|however|still|today|now|meanwhile|in\s+\d{4},?|(?:in|on|at|since|after|before|by|during|from|for|with|last|this)\s[^,]{2,60},|since\s+\d{4},?|(?:when|while|although|because|as|if)\s[^,]{2,80},)\s*,?\s*)*)"
_IT = re.compile(rf"^(?P<lead>{_LEADS})(?P<word>it|its|they|their|theirs)\b", _I)
_THIS = re.compile(
    rf"^(?P<lead>{_LEADS})(?P<word>this|that|these|those|such|both|the\s+(?:former|latter)|neither|hers|theirs|others?)\b(?=\s+(?:is|are|was|were|has|have|had|will|would|can|could|may|might|means|made|makes|led|happened|came|caused|weighed|did|does|said|[a-z]+ed|of|not)\b)",
    _I,
)
_EMPTY = re.compile(
    r"^\s+(?:(?:is|was|has\s+been|had\s+been|will\s+be|would\s+be)\s+(?:(?!such|the\s+(?:first|second|third|last))[^.,;]{1,80}?\b(?:that|who|whose|whom|which|to|whether|how|when)\b|\w+\s+(?:o'clock|degrees)|(?:raining|snowing|late|early|dark|cold|hot|time)\b)"
    r"|(?:takes?|took|costs?|rain(?:s|ed)|snow(?:s|ed)|seems?|appears?|turned\s+out|follows|emerged|happened|remains\s+unclear)\b[^.;]{0,90}\b(?:to|that|whether|if)\b|\s*(?:rained|snowed))",
    _I,
)
"""Behind an "it" that means nothing that was named: it is recommended that, it was he who, it takes an hour to."""
_FIRST = re.compile(
    r"\b(?:I(?:['’](?:m|ve|d|ll))?|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e(?:['’](?:re|ve|d|ll))?|us|[Oo]urs?|[Oo]urselves)\b"
)
"""In these capitals: US is a country."""
_YOU = re.compile(r"\b(?:you|your|yours)\b", _I)
_ROLE = re.compile(
    r"\b(?P<all>(?:the|this|that)\s+(?:(?:young|old|new|former|same)\s+)?(?P<noun>[a-z]+))\b(?!['’]s\s+[A-Z])", _I
)
_AGE = re.compile(
    rf"^(?P<lead>{_LEADS})the\s+(?:\d{{1,3}}-year-old|[A-Z][a-z]+(?:an|ian|ese|ish|i))\b(?=\s+(?:\w+ly\s+)?(?:has|had|was|is|said|won|lost|joined|[a-z]+ed)\b)",
    _I,
)
_BELONGS = re.compile(r"^\s+(?:of|in|for|at|on|to|from|between|with|that|who|which|by|where|behind|near)\s+\S|^['’]s\b")
_OBJECT = re.compile(r"\b(?P<word>it|its|them|their|theirs)\b(?!\s+(?:is|was|will|would|has|had|that)\b)", _I)
_LAST_THIS = re.compile(r"\b(?:[a-z]+(?:ed|es|s)|of|to|by|with|for|about|from|against)\s+(?P<word>this|that)[.!]?$", _I)
_WINDOW = 3
"""Sentences that a pronoun may look back."""
_FIRMS = frozenset("company firm group club maker manufacturer airline chain retailer operator".split())
_GROUPS = frozenset(
    "authority police government council court ministry union opposition committee commission board party spokesman spokeswoman".split()
)


@dataclass(frozen=True)
class Rewriting:
    """A sentence made to stand alone."""

    text: str
    replaced: tuple[tuple[str, str], ...] = ()
    unclear: str = ""
    """Why it does not stand alone, one sentence; empty: it does."""


@dataclass
class _Subject:
    """What a sentence was about."""

    text: str
    number: int
    is_plural: bool
    person: Person | None = None


@dataclass
class Discourse:
    """
    What a text has said so far. Sentences are read in order.

    :param written_on: The day of the text, for "last year".
    :param speaker: Who says "I" in it; empty: not known.
    """

    written_on: date | None = None
    speaker: str = ""
    entities: Entities = field(default_factory=Entities)
    _subject: _Subject | None = None
    _plurals: int = 0
    """Nouns of the last sentence that "they" may mean."""
    _number: int = 0

    def rewrite(self, sentence: str, *, speaker: str = "") -> Rewriting:
        """Say a sentence so that it stands alone, from what was read before it."""
        replaced: list[tuple[str, str]] = []
        text, dates, undated = dated(sentence, self.written_on)
        replaced += dates
        unclear = f"“{undated}” depends on when it was said." if undated else ""
        for step in (self._speaker, self._person, self._thing, self._object, self._role, self._surname):
            text, found, problem = step(text, speaker or self.speaker)
            replaced += found
            unclear = unclear or problem
        return Rewriting(text=text, replaced=tuple(replaced), unclear=unclear)

    def read(self, sentence: str, *, rewritten: str | None = None) -> None:
        """Note whom and what a sentence names, and what it is about."""
        said = rewritten or sentence
        self.entities.read(said, self._number)
        self._note_genders(sentence)
        span = subject_span(said)
        if span is not None:
            self._note_subject(said[span[0] : span[1]])
        self._plurals = len(re.findall(r"\b(?!was\b|has\b|is\b|its\b|this\b|his\b|as\b)[a-z]{2,}(?<![su])s\b", said))
        self._number += 1

    def _note_subject(self, text: str) -> None:
        words = text.split()
        if not words or fold_word(words[0]) in {
            "it",
            "there",
            "this",
            "that",
            "they",
            "he",
            "she",
            "we",
            "i",
            "you",
            "what",
            "who",
        }:
            return
        person = self._person_in(text)
        plural = bool(re.search(r"\b(?:and|both)\b", text)) or _is_plural(text)
        self._subject = _Subject(text=text, number=self._number, is_plural=plural, person=person)

    def _person_in(self, text: str) -> Person | None:
        text = re.split(r"\s(?:of|in|at|on|for|from)\s", text)[0]
        found = [
            one for one in self.entities.people if one.name in text or re.search(rf"\b{re.escape(one.surname)}\b", text)
        ]
        return found[-1] if len(found) == 1 else None

    def _note_genders(self, sentence: str) -> None:
        """Learn from "Karin Falk ... she" of one sentence."""
        match = _HE.search(sentence)
        people = [one for one in self.entities.people if one.last == self._number]
        if match and len(people) == 1 and not people[0].gender:
            people[0].gender = _gender(match["word"])

    # --- one step each: (text, speaker) to (text, replaced, why it is unclear) -----------------------------------

    def _speaker(self, text: str, speaker: str) -> tuple[str, list[tuple[str, str]], str]:
        bare = re.sub(r"[“\"][^”\"]*[”\"]", lambda match: "·" * len(match.group()), text)
        match = _FIRST.search(bare) or _YOU.search(bare)
        if match is None:
            return text, [], ""
        if not speaker or _YOU.fullmatch(match.group()) or match.group().lower() in {"we", "us", "our", "ours"}:
            return text, [], f"It does not say who “{match.group()}” is."
        return _in_third_person(text, speaker), [(match.group(), speaker)], ""

    def _person(self, text: str, speaker: str) -> tuple[str, list[tuple[str, str]], str]:
        bare = re.sub(r"[“\"][^”\"]*[”\"]", lambda match: "·" * len(match.group()), text)
        match = _HE.search(bare)
        if match is None or self._has_antecedent(text[: match.start()]):
            return text, [], ""
        if re.match(r"^\W*it\s+(?:is|was)\b", text, _I) or (
            match["word"].lower() in {"his", "her"}
            and match.start() > 0
            and names(text[match.end() :])
            and re.match(r"^\W*(?:before|after|despite|in|with|like|unlike|for|by|at|on)\b", text, _I)
        ):
            return (
                text,
                [],
                "",
            )  # "It was her brother whose words ended the princess's run", "After his defeat, Lee left"
        person = self._meant(match["word"])
        if person is None:
            return text, [], f"It is not clear who “{match.group()}” is."
        person.gender = person.gender or _gender(match["word"])
        person.last = self._number
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

    def _has_antecedent(self, before: str) -> bool:
        """Say whether a person is named before a pronoun in its own sentence, or somebody called by a noun."""
        if any(
            one.name in before or re.search(rf"\b{re.escape(one.surname)}\b", before) for one in self.entities.people
        ) or re.search(
            rf"\b(?:an?|the|one|another|every|each|no)\s+(?:[\w-]+\s+){{0,3}}?(?:{'|'.join(ROLES)}|man|woman|boy|girl|person|resident|witness|member|voter|student|pupil|patient|customer|passenger|scientist|minister|frenchman|\w+(?:er|or|ist|ian|ant|ee))\b",
            before,
            _I,
        ):
            return True
        return any(" " in name.text or name.start > 0 for name in names(before))

    def _meant(self, pronoun: str) -> Person | None:
        """Return the person whom a pronoun means; None: not clear."""
        gender = _gender(pronoun)
        fits = [
            one for one in self.entities.people if one.gender in {"", gender} and self._number - one.last <= _WINDOW
        ]
        if not fits:
            return None
        subject = self._subject.person if self._subject and self._number - self._subject.number <= _WINDOW else None
        newest = max(one.last for one in fits)
        last = [one for one in fits if one.last == newest]
        sure = [one for one in last if one.gender == gender]
        if len(last) == 1 or len(sure) == 1:
            return (sure or last)[0]
        return subject if subject in last else None

    def _thing(self, text: str, speaker: str) -> tuple[str, list[tuple[str, str]], str]:
        if match := _THIS.match(text):
            return text, [], f"“{match['word']}” means something that stands in another sentence."
        match = _IT.match(text)
        if match is None or (match["word"].lower() == "it" and _EMPTY.match(text[match.end() :])):
            return text, [], ""
        word = match["word"].lower()
        subject = self._subject
        if names(text[: match.start("word")]) and word in {"its", "their"}:
            return text, [], ""
        plural = word.startswith("the")
        unclear = f"It is not clear what “{match['word']}” is."
        if (
            subject is None
            or subject.is_plural != plural
            or (subject.person and not plural)
            or self._number - subject.number > _WINDOW - 1
        ):
            return text, [], unclear
        if (
            word == "it"
            and re.match(r"\s+(?:is|was)\s+(?:the|an?)\s", text[match.end() :], _I)
            and (_head(subject.text) in _GROUPS or "such" in text[match.end() :])
        ):
            return text, [], unclear
        name = self._full(subject.text)
        new = (
            f"{name}'s"
            if word in {"its", "their"} and not name.endswith("s")
            else f"{name}'"
            if word in {"its", "their"}
            else name
        )
        new = new if match["lead"] else f"{new[:1].upper()}{new[1:]}"
        new = (
            f"{new[:1].lower()}{new[1:]}"
            if match["lead"] and re.match(r"(?:The|A|An|Its|His|Her|Their)\s", new)
            else new
        )
        return text[: match.start("word")] + new + text[match.end("word") :], [(match["word"], new)], ""

    def _object(self, text: str, speaker: str) -> tuple[str, list[tuple[str, str]], str]:
        """Name what "it", "them" or "its" further on means, where nothing in the sentence can be meant."""
        if match := _LAST_THIS.search(text):
            return text, [], f"“{match['word']}” means something that stands in another sentence."
        match = _OBJECT.search(re.sub(r"[“\"][^”\"]*[”\"]", lambda one: "·" * len(one.group()), text))
        span = subject_span(text)
        if match is None or span is None or match.start() < span[1] or _IT.match(text):
            return text, [], ""
        plural = match["word"].lower() in {"them", "their", "theirs"}
        own, between = text[span[0] : span[1]], text[span[1] : match.start()]
        owns = match["word"].lower() in {"its", "their"}
        before = re.sub(r"\b\d{4}\b", "", text[: span[0]]) + between
        if (owns and _is_plural(own) == plural) or _may_be_inside(before, many=plural and not owns):
            return text, [], ""
        if plural and not owns and self._plurals > 1:
            return text, [], f"It is not clear what “{match['word']}” is."
        subject = self._subject
        if (
            subject is None
            or subject.is_plural != plural
            or self._number - subject.number > _WINDOW - 1
            or (subject.person and not plural)
        ):
            return text, [], f"It is not clear what “{match['word']}” is."
        name = self._full(subject.text)
        name = f"{name[:1].lower()}{name[1:]}" if re.match(r"(?:The|A|An|Its|His|Her|Their)\s", name) else name
        return _put(text, match.start(), match.end(), f"{name}'s" if owns else name)

    def _full(self, phrase: str) -> str:
        """Say a noun with the name it had before: "the bridge" as "the Lindau bridge"."""
        match = re.fullmatch(r"(?:the)\s+(?P<noun>[a-z]+)", phrase, _I)
        known = self.entities.things.get(match["noun"].lower(), []) if match else []
        return known[-1][1] if known else phrase

    def _role(self, text: str, speaker: str) -> tuple[str, list[tuple[str, str]], str]:
        """Name the person or body that "the minister", "the company" or "the 19-year-old" is."""
        if match := _AGE.match(text):
            subject = self._subject
            person = subject.person if subject and self._number - subject.number <= 1 else None
            if person and person.name not in text:
                return _put(text, match.end("lead"), match.end(), person.name)
        for match in _ROLE.finditer(text):
            noun = match["noun"].lower()
            if noun not in ROLES | BODIES and noun not in self.entities.things:
                continue
            if (
                _is_quoted(text, match.start())
                or _BELONGS.match(text[match.end() :])
                or any(0 <= name.start - match.end() <= 1 for name in names(text))
            ):
                continue
            name = self._role_name(noun)
            if name and name.casefold().removeprefix("the ") not in text.casefold():
                return _put(text, match.start(), match.end(), name)
        match = next(
            (one for one in _ROLE.finditer(text) if one.start() == 0 and one["noun"].lower() in ROLES | BODIES), None
        )
        if (
            match
            and not names(text[match.end() :])
            and not _BELONGS.match(text[match.end() :])
            and self._role_name(match["noun"].lower()) == ""
        ):
            return text, [], f"It does not say which “{match['all'].lower()}” is meant."
        return text, [], ""

    def _role_name(self, noun: str) -> str:
        people = [one for one in self.entities.people if noun in one.roles]
        if people:
            return max(people, key=lambda one: one.last).name if len({one.name for one in people}) == 1 else ""
        if known := self.entities.things.get(noun):
            return known[-1][1]
        if noun not in _FIRMS or not self.entities.bodies:
            return ""
        (name, count), *others = Counter(self.entities.bodies).most_common(2)
        told = self._subject is not None and name in self._subject.text
        return name if not others or count > others[0][1] or told else ""

    def _surname(self, text: str, speaker: str) -> tuple[str, list[tuple[str, str]], str]:
        """Give people who are called by their surname their full name."""
        for name in names(text):
            person = self.entities.person_named(name.text) if " " not in name.text else None
            if (
                person
                and person.name != name.text
                and person.name not in text
                and person.last < self._number
                and not _is_quoted(text, name.start)
            ):
                before = text[: name.start].split()
                if before and fold_word(before[-1]).strip(".") in TITLES_OF_MEN | TITLES_OF_WOMEN | {"dr", "sir"}:
                    continue
                return _put(text, name.start, name.end, person.name)
        return text, [], ""


def _put(text: str, start: int, end: int, new: str) -> tuple[str, list[tuple[str, str]], str]:
    old = text[start:end]
    new = f"{new[:1].upper()}{new[1:]}" if start == 0 else new
    return text[:start] + new + text[end:], [(old, new)], ""


def _is_quoted(text: str, at: int) -> bool:
    return len(re.findall(r"[\"“”]", text[:at])) % 2 == 1


def _gender(pronoun: str) -> str:
    return "m" if pronoun.lower() in {"he", "him", "his"} else "f"


def _head(phrase: str) -> str:
    words = re.split(r"\s(?:of|in|at|on|for|from|with)\s", phrase)[0].split()
    return fold_word(words[-1]) if words else ""


_PLURALS = frozenset("police people children men women".split())
_SEVERAL = frozenset("two three four five six seven eight nine ten several many some these those both".split())
_SINGLE = frozenset("a an this that another each every".split())


def _may_be_inside(before: str, *, many: bool) -> bool:
    """Say whether a pronoun may mean something that stands before it in its own sentence."""
    if many:
        several = r"two|three|four|five|\d+|several|many|some|these|those|the|all"
        return re.search(rf"\b(?:{several})\s+(?:\w+\s+){{0,2}}?\w+s\b", before) is not None
    single = re.search(r"\b(?:the|an?|his|her|its|their|this|that|two|three|\d+)\s+\w", before)
    return single is not None or bool(names(before))


def _is_plural(phrase: str) -> bool:
    head, first = _head(phrase), fold_word(phrase.split(maxsplit=1)[0])
    if head in _PLURALS or first in _SEVERAL:
        return True
    ends = head.endswith("s") and not head.endswith(("ss", "us", "is"))
    return ends and first not in _SINGLE and not names(phrase.rsplit(maxsplit=1)[-1])


def _in_third_person(text: str, speaker: str) -> str:
    """Say for a speaker what they say of themselves."""
    for old, new in (
        (r"\bI['’]m\b|\bI am\b", f"{speaker} is"),
        (r"\bI['’]ve\b|\bI have\b", f"{speaker} has"),
        (r"\bI['’]d\b", f"{speaker} had"),
        (r"\bI['’]ll\b", f"{speaker} will"),
        (r"\bI do\b", f"{speaker} does"),
        (r"\bI was\b", f"{speaker} was"),
        (r"\bI\b", speaker),
        (r"\b[Mm]y\b|\b[Mm]ine\b", f"{speaker}'s"),
        (r"\bme\b|\bmyself\b", speaker),
    ):
        text = re.sub(old, new, text)
    return text
