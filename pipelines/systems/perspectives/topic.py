"""What a question is about, in words that an article must share for it to be about the same. English."""

import re
from functools import lru_cache

from core.words import KIN_LETTERS, WORD, fold_word, stem
from pipelines.claims.verbs import AUXILIARIES
from pipelines.conflicts.lexicon import content_stems
from pipelines.conflicts.names.places import place_of
from pipelines.systems.perspectives.proposition import proposition

_CAPITALS = re.compile(r"[A-Z][\w.’'-]*(?:\s+(?:of\s+)?[A-Z][\w.’'-]*){0,2}")
_MOST = 0.5
"""A text is about the matter if it has more than this share of its words, what is asked of it included."""
_NEARLY_ALL = 0.75
"""Or at least this share of them, what is asked of it left out: those against it may use another verb."""


class Topic:
    """
    Hold the words of a question.

    >>> Topic("Should the British Parliament have been suspended?").has("The Queen suspended the UK's parliament.")
    True
    >>> Topic("Should a border wall be built?").has("They installed an oval wall to protect pilgrims.")
    False

    :param query: As it was typed.
    """

    def __init__(self, query: str) -> None:
        stated = proposition(query)
        self._words = _units(stated)
        self._matter = self._words - _units(_asked_of_it(stated))

    def has(self, text: str) -> bool:
        """Say whether a text is about what the question is about; of no matter, everything is."""
        if not self._words:
            return True
        told = _told(text)
        return _share(self._words, told) > _MOST or (bool(self._matter) and _share(self._matter, told) >= _NEARLY_ALL)

    def names_matter(self, text: str) -> bool:
        """Say whether a text has a word of the matter beside the places in it."""
        things = frozenset(one for one in self._words if not one.startswith("@"))
        return not things or bool(things & _told(text))


def _share(wanted: frozenset[str], told: frozenset[str]) -> float:
    return len(wanted & told) / len(wanted)


def _units(text: str) -> frozenset[str]:
    """Return the stems of the words that tell what a text is about; a place is one, by whatever name."""
    places = _places(text)
    rest = text
    for written in places:
        rest = rest.replace(written, " ")
    return _stems(rest) | frozenset(places.values())


@lru_cache(maxsize=4096)
def _told(text: str) -> frozenset[str]:
    return _stems(text) | frozenset(_places(text).values())


def _stems(text: str) -> frozenset[str]:
    content = content_stems(text)
    words = [fold_word(match.group()) for match in WORD.finditer(text)]
    return frozenset(
        stem(word, letters=KIN_LETTERS) for word in words if stem(word) in content and word not in _TELL_NOTHING
    )


def _places(text: str) -> dict[str, str]:
    """Return places as they are written to the one that is meant."""
    found: dict[str, str] = {}
    for match in _CAPITALS.finditer(text):
        written = match.group()
        names = [written, *written.split()] if " " in written else [written]
        for name in names:
            bare = re.sub(r"['’]s$", "", name)
            if (len(bare) > 1) and (place := place_of(bare)):
                found[name] = f"@{place}"
                break
    return found


def _asked_of_it(stated: str) -> str:
    """Return the word that says what is asked of the matter: the first behind the auxiliaries."""
    words = stated.rstrip(".").split()
    places = [at for at, word in enumerate(words) if word.lower() in AUXILIARIES | _HELPERS]
    behind = places[-1] + 1 if places else len(words)
    return words[behind] if behind < len(words) else ""


_HELPERS = frozenset("be been being have not".split())
_TELL_NOTHING = AUXILIARIES | frozenset(
    "people say says said think thinks believe opinion opinions view views about right wrong good bad allowed really "
    "ever critics experts".split()
)
"""Words of questions that name no matter."""
