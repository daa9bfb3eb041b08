"""Plain statements in the past taken apart into subject, verb and rest, so that they can be set in other clauses."""

import re
from dataclasses import dataclass
from functools import cache

from lemminflect import getAllLemmas, getInflection

from pipelines.conflicts import lexicon

_MAX_SUBJECT = 6
_FINITE = lexicon.BE - {"am", "be", "been", "being"} | lexicon.HAVE | lexicon.DO | lexicon.MODALS
"""A second one of these in a statement: too intricate to take apart."""
_AUXILIARY = lexicon.MODALS | {"have", "do", "ought"}
_NO_SUBJECT = frozenset(
    "who which that what when where why how if because although while after before there to".split()
)
_REPORTING = frozenset(
    "say tell think believe claim argue suggest deny know hope fear want fail refuse decline".split()
)
"""Verbs that set a clause themselves; what holds of them does not hold of what follows."""
_DETERMINERS = frozenset(
    "the a an this that these those his her its their our my your some many most several all no one two three".split()
)


@dataclass(frozen=True)
class Clause:
    """A statement's parts, as they stand within a longer sentence."""

    subject: str
    base: str
    """The infinitive without *to*, with what follows it; likewise the other forms."""
    past: str
    gerund: str
    participle: str

    def put_into(self, template: str) -> str:
        """Fill a template with `{subject}`, `{base}`, `{past}`, `{gerund}` and `{participle}`."""
        text = template.format_map(vars(self)).replace("did not be ", "was not ").replace("did be ", "was indeed ")
        return f"{text[0].upper()}{text[1:]}."


def parse_clause(statement: str) -> Clause | None:
    """
    Take apart "Subject verbed the rest."

    :returns: None where the statement does not plainly have that form, or its verb is about what is said or thought.
    """
    words = statement.strip().rstrip(".").split()
    at = next((index for index, word in enumerate(words) if index and _past_of(word)), 0)
    if not 0 < at <= _MAX_SUBJECT or at + 1 == len(words):
        return None
    subject, rest = words[:at], words[at + 1 :]
    if any(re.search(r"[^\w'’.-]", word) or word.lower() in _NO_SUBJECT for word in subject):
        return None
    if any(word in _FINITE for word in (*subject, *rest)) or any(mark in statement for mark in ',;:?"“()'):
        return None
    lemma = _past_of(words[at])
    if lemma in _REPORTING or rest[0].lower() in {"not", "n't", "never"}:
        return None
    return _clause(_lowered(subject), words[at], lemma, " ".join(rest))


def _clause(subject: str, past: str, lemma: str, rest: str) -> Clause:
    gerund, participle = _form(lemma, "VBG"), _form(lemma, "VBN")
    return Clause(subject, f"{lemma} {rest}", f"{past} {rest}", f"{gerund} {rest}", f"{participle} {rest}")


@cache
def _past_of(word: str) -> str:
    """Return the verb of which a word is the past and nothing but a verb; else nothing."""
    if not word.isalpha() or not word.islower():
        return ""
    found = getAllLemmas(word)
    if "VERB" not in found or found.keys() - {"VERB", "AUX"}:
        return ""
    lemma = str(found["VERB"][0])
    if lemma in _AUXILIARY:
        return ""
    return lemma if word in (*getInflection(lemma, "VBD"), "were") and word != lemma else ""


def _form(lemma: str, tag: str) -> str:
    return str(getInflection(lemma, tag)[0])


def _lowered(subject: list[str]) -> str:
    first = subject[0].lower()
    return " ".join((first, *subject[1:])) if first in _DETERMINERS else " ".join(subject)
