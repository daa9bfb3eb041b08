"""Sentences that near copies are made of, and what one edit of them is."""

import re
from dataclasses import dataclass
from random import Random

FALSE = "refutes"
OPEN = "open"
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SHORTEST, _LONGEST = 7, 32
_STANDS_ALONE = re.compile(
    r"^(?!(?:He|She|It|They|We|I|You|His|Her|Its|Their|This|That|These|Those|There|Both|Another)\b)[A-Z]"
)
_UNFIT = re.compile(r"[\"“”()\[\]*|]|\b(?:I|we|our|my|you|your)\b|[a-z]\?")


@dataclass(frozen=True)
class Source:
    """An article whose sentences are edited."""

    article_id: str
    headline: str
    body: str
    year: int | None
    """Of publication; None if absent."""
    people: tuple[str, ...] = ()
    """Full names in it."""

    def has(self, words: str) -> bool:
        """Say whether the article holds some words, in any case."""
        return bool(re.search(rf"(?<!\w){re.escape(words)}(?!\w)", f"{self.headline} {self.body}", re.IGNORECASE))


@dataclass(frozen=True)
class Edit:
    """A sentence as a true and as a false statement in the same wording."""

    kind: str
    true: str
    false: str
    label: str = FALSE
    """Of the false one: refutes, or open where the sentence settles it neither way."""


@dataclass(frozen=True)
class Draw:
    """A sentence to edit."""

    text: str
    source: Source
    rng: Random
    others: tuple[str, ...]
    """Full names of people of other articles."""


def is_fit(sentence: str) -> bool:
    """Say whether a sentence can stand alone as a statement."""
    count = len(sentence.split())
    return (
        _SHORTEST <= count <= _LONGEST
        and sentence.endswith(".")
        and bool(_STANDS_ALONE.match(sentence))
        and not _UNFIT.search(sentence)
    )


def put(text: str, match: re.Match[str], new: str, group: int | str = 0) -> str:
    """Replace a group of a match."""
    return text[: match.start(group)] + new + text[match.end(group) :]
