"""The words of a text, and the stem by which two of them count as one. The index alone has a tokeniser of its own."""

import re
import unicodedata
from functools import lru_cache

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
"""Letters and digits: it's, 1990s."""
LETTERS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
"""Letters alone, hyphens within: well-known. What has a digit is no such word."""
TERM = re.compile(r"\w+")
"""What a search engine would split a text into."""
LETTER_RUN = re.compile(r"[^\W\d_]+")
"""Letters and nothing else: of "it's well-known", it, s, well, known."""
LETTER_OR_DIGIT_RUN = re.compile(r"[^\W_]+")
"""Letters and digits: of "it's 5G", it, s, 5G."""
STEM_LETTERS = 5
KIN_LETTERS = 4
"""A deed and its noun often share no more: invaded, invasion."""


@lru_cache(maxsize=16384)
def fold_word(word: str) -> str:
    """
    Return a word in lower case without accents and possessive ending.

    >>> fold_word("Zürich's")
    'zurich'
    """
    plain = "".join(
        character for character in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(character)
    )
    return re.sub(r"['’]s$", "", plain)


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """
    Return the folded words of a text, in order.

    >>> words("Zürich isn't 40 km away.")
    ('zurich', "isn't", '40', 'km', 'away')
    """
    return tuple(fold_word(match.group()) for match in WORD.finditer(text))


def stem(word: str, *, letters: int = STEM_LETTERS) -> str:
    """
    Return the beginning of a folded word, by which its forms are one: a stemmer that is good enough to count by.

    >>> stem("closing"), stem("closed"), stem("invaded"), stem("invasion", letters=KIN_LETTERS)
    ('closi', 'close', 'invad', 'inva')
    """
    return word[:letters]


def stems(said: str, *, letters: int = STEM_LETTERS) -> frozenset[str]:
    """
    Return the stems of folded words with blanks between.

    >>> sorted(stems("sign signs signed"))
    ['sign', 'signe', 'signs']
    """
    return frozenset(stem(word, letters=letters) for word in said.split())
