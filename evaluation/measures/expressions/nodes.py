"""The parts of a parsed expression; each says whether an article matches."""

from dataclasses import dataclass
from typing import Protocol

from evaluation.measures.expressions.document import Searchable


class Node(Protocol):
    """A part of an expression."""

    def matches(self, article: Searchable) -> bool:
        """Say whether the article is one of those meant."""
        ...


@dataclass(frozen=True)
class Phrase:
    """Words that follow each other in one of the fields."""

    needle: str
    """The words between blanks; without the last blank, the last word is the beginning of one."""
    fields: tuple[str, ...]

    def matches(self, article: Searchable) -> bool:
        """Look for the words in each field."""
        return any(self.needle in article.lines[name] for name in self.fields)


@dataclass(frozen=True)
class DateRange:
    """Articles published from one date to another, both included."""

    first: str
    last: str

    def matches(self, article: Searchable) -> bool:
        """Compare as text, to the precision given: ISO dates sort by time."""
        day = article.published
        return bool(day) and day[: len(self.first)] >= self.first and day[: len(self.last)] <= self.last


@dataclass(frozen=True)
class DatePrefix:
    """Articles whose publication date begins so."""

    prefix: str

    def matches(self, article: Searchable) -> bool:
        """Compare as text."""
        return article.published.startswith(self.prefix)


@dataclass(frozen=True)
class Not:
    """What the part does not match."""

    part: Node

    def matches(self, article: Searchable) -> bool:
        """Turn the answer round."""
        return not self.part.matches(article)


@dataclass(frozen=True)
class And:
    """What all parts match."""

    parts: tuple[Node, ...]

    def matches(self, article: Searchable) -> bool:
        """Ask each part until one says no."""
        return all(part.matches(article) for part in self.parts)


@dataclass(frozen=True)
class Or:
    """What some part matches."""

    parts: tuple[Node, ...]

    def matches(self, article: Searchable) -> bool:
        """Ask each part until one says yes."""
        return any(part.matches(article) for part in self.parts)
