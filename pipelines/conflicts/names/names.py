"""Names in running text: people, places, organisations, as runs of capitalised words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.words import fold_word, words
from pipelines.conflicts.lexicon import GENERIC, NEGATIONS, NOT_NAMES
from pipelines.conflicts.names.places import is_another_place, is_place, other_names, shared_letters

_CAPITAL = r"[^\W\d_a-z][\w.'’&-]*"
_JOIN = r"(?:\s+(?:of|de|da|del|van|von|der|al|bin|el|la)(?:\s+the)?)?"
_RUN = re.compile(rf"(?<!\w){_CAPITAL}(?:{_JOIN}\s+{_CAPITAL})*")
_SMALL = frozenset({"of", "the", "and", "for", "in", "on", "to", "de", "du", "des"})
_STRETCH = re.compile(rf"{_CAPITAL}(?:\s+(?:(?:{'|'.join(sorted(_SMALL))})\s+){{0,2}}{_CAPITAL})*")
_ACRONYM = re.compile(r"\b[^\W\d_](?:[.&]?[^\W\d_]){1,5}\b")
_SHARED = 4
"""Letters that a name and its forms have in common."""
_LONG = 3
_ENDING = re.compile(r"(?:[aeoyi]|i?a?n|ean|ese|ish|is[tm]|sm|ite|ics?|al|ary|er(?=s))?s?")
"""Of a name and its forms: Marxist and Marxism, Democrats and Democratic; not: Williamson."""


@dataclass(frozen=True)
class Name:
    """One name in a text."""

    text: str
    start: int
    end: int
    keys: frozenset[str]
    """The words that tell it from others, folded."""


@lru_cache(maxsize=4096)
def names(text: str) -> tuple[Name, ...]:
    """Return the names of a text in order. A word that begins a sentence counts only if it is not a common one."""
    found = []
    for match in _RUN.finditer(text):
        start, end = _trim(match.group(), match.start())
        text_words = words(text[start:end])
        keys = frozenset(word for word in text_words if word not in GENERIC and word not in NOT_NAMES)
        if not keys and text[start:end].isupper() and end - start > 1:
            keys = frozenset(text_words)  # an acronym that reads like a common word: WHO
        if keys and text[start].isupper():
            found.append(Name(text=text[start:end], start=start, end=end, keys=keys))
    return tuple(found)


def _trim(run: str, at: int) -> tuple[int, int]:
    """Cut common words and dates off the beginning of a run, and marks and possessives off its end."""
    start, end = 0, len(run)
    while (match := re.match(r"([\w'’.-]+)\s+", run[start:])) and fold_word(match.group(1)) in NOT_NAMES:
        start += match.end()
    body = re.sub(r"(?:['’]s|[.'’&-])+$", "", run[start:end])
    return at + start, at + start + len(body)


def mentions(keys: frozenset[str], text: str) -> bool:
    """Say whether a text holds any distinguishing word of a name, a form of it (Britain, British), or its initials."""
    there = words(text)
    return any(key in there or any(_is_form(key, word) for word in there) for key in keys) or _has_initials(keys, text)


def speaks_of(name: Name, text: str) -> bool:
    """Say whether a text mentions a name, a place by another name, or one has an acronym of the other: Burma, WHO."""
    return mentions(name.keys, text) or spells(text, name.text) or spells(name.text, text) or _calls(text, name.text)


def is_misspelt(one: str, other: str) -> bool:
    """Say whether two names are one but for a letter in some eight: Tolbury, Tollbury."""
    ours, theirs = words(one), words(other)
    if len(ours) != len(theirs) or not ours or ours == theirs:
        return False
    pairs = list(zip(ours, theirs, strict=True))
    return all(mine == there or _is_near(mine, there) for mine, there in pairs) and not any(
        is_another_place(mine, there) for mine, there in pairs
    )


def _is_near(one: str, other: str) -> bool:
    """Say whether two words of some length differ by one letter, left out, put in, changed, or two turned round."""
    if min(len(one), len(other)) <= _SHARED or abs(len(one) - len(other)) > 1 or one[0] != other[0]:
        return False
    start = shared_letters(one, other)
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    mine, theirs = one[start : len(one) - end], other[start : len(other) - end]
    return (len(mine) <= 1 and len(theirs) <= 1) or (len(mine) == len(theirs) == 2 and mine == theirs[::-1])  # noqa: PLR2004 - parts


def _calls(text: str, place: str) -> bool:
    """Say whether a text has another name of a place, or a form of it: Britain, the UK, British."""
    others = other_names(place)
    if not others:
        return False
    forms = frozenset(fold_word(other) for other in others if other.isalpha() and not other.isupper())
    return mentions(forms, text) or _any_of(others).search(text) is not None


@lru_cache(maxsize=1024)
def _any_of(names: frozenset[str]) -> re.Pattern[str]:
    """Return what finds any of some names."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?![\w$])")


def spells(short: str, long: str) -> bool:
    """
    Say whether words with capitals that stand together begin with the letters of an acronym; generic words count.

    :param short: Text with the acronym: a spokesman of WHO, the U.N.
    :param long: Text with the words: the World Health Organization, the United Nations Security Council.
    """
    bare = (re.sub(r"[.&]", "", match.group()).removesuffix("s") for match in _ACRONYM.finditer(short))
    acronyms = {letters.lower() for letters in bare if sum(letter.isupper() for letter in letters) > 1}
    return any(acronym in initials for initials in _initials(long) for acronym in acronyms)


def _initials(text: str) -> Iterator[str]:
    """Yield the first letters of each stretch of words with capitals, with those of its small words and without."""
    for match in _STRETCH.finditer(text):
        said = words(match.group())
        yield "".join(word[0] for word in said)
        yield "".join(word[0] for word in said if word not in _SMALL)


@lru_cache(maxsize=65536)
def _is_form(key: str, word: str) -> bool:
    """Say whether a word is a name with another ending or, by one letter, another spelling: Zelensky, Zelenskyy."""
    if key[:_SHARED] != word[:_SHARED] or not _same_beginning(key, word) or is_another_place(key, word):
        return False
    shared = shared_letters(key, word)
    if is_place(key) or is_place(word) or key[shared + 1 :] in {word[shared:], word[shared + 1 :]}:
        return True
    return key[shared:] == word[shared + 1 :] or any(
        _ENDING.fullmatch(key, at) and _ENDING.fullmatch(word, at) for at in range(_SHARED, shared + 1)
    )


def _same_beginning(key: str, word: str) -> bool:
    if len(key) == _SHARED:
        return len(word) <= _SHARED + _LONG
    shared = min(len(key), len(word), max(_SHARED, len(key) - _LONG))
    return len(key) > _SHARED and len(word) >= _SHARED and key[:shared] == word[:shared]


def _has_initials(keys: frozenset[str], text: str) -> bool:
    short = {key for key in keys if 1 < len(key) <= _SHARED + 1}
    for match in _RUN.finditer(text):
        initials = "".join(word[0] for word in words(match.group()) if word not in {"of", "the", "and", "for"})
        if initials in short:
            return True
    return False


def is_negation(word: str) -> bool:
    """Say whether a folded word denies."""
    return word in NEGATIONS or word.endswith(("n't", "n’t"))
