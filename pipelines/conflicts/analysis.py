"""A text taken apart once: its words, stems, names, numbers, and what it denies."""

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TypeVar, cast

from core.words import words
from pipelines.conflicts.lexicon import content_stems
from pipelines.conflicts.names.names import Name, is_negation, names
from pipelines.conflicts.numbers.quantities import quantities
from pipelines.conflicts.numbers.quantity import Quantity
from pipelines.conflicts.wording.negation_scope import SaidWord, said_words

_MOST = 0.6
"""Share of a statement's other words by which two texts differ in one thing alone."""
Part = TypeVar("Part")


class Analysis:
    """
    Hold what finders of conflicts ask of a text; each part is worked out when it is first asked for.

    >>> text = analyse("The ferry never carried 40 people to Osterholm.")
    >>> [name.text for name in text.names], [number.value for number in text.numbers]
    (['Osterholm'], [40.0])
    >>> [word.word for word in text.said if word.denied]
    ['carried', '40', 'people', 'to']

    :param text: A statement, a sentence, or an article.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._parts: dict[Callable[[Analysis], object], object] = {}

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words, folded, in order."""
        return words(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words that say what it is about, numbers among them."""
        return content_stems(self.text)

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """People, places and organisations, in order."""
        return names(self.text)

    @cached_property
    def numbers(self) -> tuple[Quantity, ...]:
        """Numbers with what they count, in order."""
        return quantities(self.text)

    @cached_property
    def said(self) -> tuple[SaidWord, ...]:
        """All words in their clauses: which are denied, and what stands near them."""
        return said_words(self.text)

    @cached_property
    def denies(self) -> bool:
        """Whether any word denies."""
        return any(map(is_negation, self.words))

    def part(self, read: Callable[["Analysis"], Part]) -> Part:
        """Return what one finder reads in the text, read once."""
        if read not in self._parts:
            self._parts[read] = read(self)
        return cast(Part, self._parts[read])


@lru_cache(maxsize=4096)
def analyse(text: str) -> Analysis:
    """Return the analysis of a text; of the same text it is the same."""
    return Analysis(text)


def says_rest(statement: Analysis, sentence: Analysis, *, beside: str) -> bool:
    """Say whether a sentence has most of the words of a statement beside some."""
    rest = statement.stems - content_stems(beside)
    return len(rest & sentence.stems) >= _MOST * len(rest) > 0
