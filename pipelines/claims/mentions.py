"""Whom and what a text has named so far, and what its last sentence was about. English."""

import re
from dataclasses import dataclass, field

from core.words import fold_word
from pipelines.claims.clauses import subject_span
from pipelines.claims.entities import Entities, Person
from pipelines.claims.noun_phrases import is_plural

_HE = re.compile(r"\b(?P<word>he|she|him|his|hers?)\b", re.IGNORECASE)
_NO_SUBJECTS = frozenset(("it", "there", "this", "that", "they", "he", "she", "we", "i", "you", "what", "who"))
WINDOW = 3
"""Sentences that a pronoun may look back."""


@dataclass
class Subject:
    """What a sentence was about."""

    text: str
    number: int
    is_plural: bool
    person: Person | None = None


@dataclass
class Mentions:
    """What a text has said so far. Sentences are read in order."""

    entities: Entities = field(default_factory=Entities)
    subject: Subject | None = None
    plurals: int = 0
    """Nouns of the last sentence that "they" may mean."""
    number: int = 0
    """Of the sentence that comes next."""

    def read(self, sentence: str, *, rewritten: str | None = None) -> None:
        """Note whom and what a sentence names, and what it is about."""
        said = rewritten or sentence
        self.entities.read(said, self.number)
        self._note_genders(sentence)
        span = subject_span(said)
        if span is not None:
            self._note_subject(said[span[0] : span[1]])
        self.plurals = len(re.findall(r"\b(?!was\b|has\b|is\b|its\b|this\b|his\b|as\b)[a-z]{2,}(?<![su])s\b", said))
        self.number += 1

    def _note_subject(self, text: str) -> None:
        words = text.split()
        if not words or fold_word(words[0]) in _NO_SUBJECTS:
            return
        person = self._person_in(text)
        plural = bool(re.search(r"\b(?:and|both)\b", text)) or is_plural(text)
        self.subject = Subject(text=text, number=self.number, is_plural=plural, person=person)

    def _person_in(self, text: str) -> Person | None:
        text = re.split(r"\s(?:of|in|at|on|for|from)\s", text)[0]
        found = [
            one for one in self.entities.people if one.name in text or re.search(rf"\b{re.escape(one.surname)}\b", text)
        ]
        return found[-1] if len(found) == 1 else None

    def _note_genders(self, sentence: str) -> None:
        """Learn from "Karin Falk ... she" of one sentence."""
        match = _HE.search(sentence)
        people = [one for one in self.entities.people if one.last == self.number]
        if match and len(people) == 1 and not people[0].gender:
            people[0].gender = gender_of(match["word"])

    def full_name(self, phrase: str) -> str:
        """Say a noun with the name it had before: "the bridge" as "the Lindau bridge"."""
        match = re.fullmatch(r"(?:the)\s+(?P<noun>[a-z]+)", phrase, re.IGNORECASE)
        known = self.entities.things.get(match["noun"].lower(), []) if match else []
        return known[-1][1] if known else phrase


def gender_of(pronoun: str) -> str:
    """Return m or f."""
    return "m" if pronoun.lower() in {"he", "him", "his"} else "f"
