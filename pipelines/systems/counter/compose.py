"""
Replies put together from quotes by plain code: they say what the articles say, and never repeat the claim.

A quote is never cut: where the room is short, a reply has fewer quotes.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations

from core.types import Relation
from core.urls import hostname
from pipelines.contracts.evidence import ConflictKind, Evidence, number_articles
from pipelines.injection.sanitise import looks_like_instruction
from pipelines.systems.counter.types import Candidate

MAX_WORDS = 115
"""With the links of three articles, fewer than 120."""


class Tone(StrEnum):
    """How a reply meets its reader."""

    PLAIN = "plain"
    EMPATHETIC = "empathetic"


class Length(StrEnum):
    """How long a reply may be."""

    SHORT = "short"
    NORMAL = "normal"


WORDS = {Length.SHORT: 60, Length.NORMAL: MAX_WORDS}
"""Longest reply, links left out."""
_CHOICES = 2
"""Choices of quotes that replies are made of, at most."""
OPENINGS = {
    Tone.PLAIN: ("{reported}:", "Reports tell it differently. {reported}:"),
    Tone.EMPATHETIC: (
        "It is easy to come across different versions of this. {reported}:",
        "Thank you for raising this. {reported}:",
    ),
}
BARE = "{reported}:"
"""Where no opening leaves room for a quote."""
_DIFFERENCES = {ConflictKind.NUMBER: "The number reported is", ConflictKind.DATE: "The date reported is"}
_CLOSINGS = {
    Tone.PLAIN: "Anyone can read the full {report} at the {link} below.",
    Tone.EMPATHETIC: "The full {report} can be read at the {link} below, in case that helps.",
}


def compose(quotes: Sequence[Evidence], *, tone: Tone, length: Length) -> list[Candidate]:
    """
    Put replies together: one for each opening and choice of quotes.

    :param quotes: As `choose_quotes` gives them; not empty.
    :returns: Candidates, each with every quote whole and cited; those with most quotes first. Empty: no sentence that
        refutes is short enough.
    """
    numbers = number_articles(list(quotes))
    for openings in (OPENINGS[tone], (BARE,)):
        found: dict[str, None] = {}
        for chosen in _choices(quotes):
            texts = [_fitting(chosen, opening, numbers, tone=tone, length=length) for opening in openings]
            found |= dict.fromkeys(text for text in texts if text)
            if len(found) >= _CHOICES * len(openings):
                break
        if found:
            return [Candidate(text=text) for text in found]
    return []


def _choices(quotes: Sequence[Evidence]) -> Iterator[list[Evidence]]:
    """Yield what may be quoted together: what refutes with what leads up to it, and more or fewer of the others."""
    refuting = [place for place, item in enumerate(quotes) if item.relation is Relation.REFUTES]
    needed, rest = list(quotes[: refuting[0] + 1]), quotes[refuting[0] + 1 :]
    for count in range(len(rest), -1, -1):
        for others in combinations(rest, count):
            yield [*needed, *others]
    for place in refuting:
        yield [quotes[place]]


def _fitting(quotes: Sequence[Evidence], opening: str, numbers: dict[str, int], *, tone: Tone, length: Length) -> str:
    """Return the reply with as much behind the quotes as there is room for; empty: there is no room for the quotes."""
    one = len({item.article.article_id for item in quotes}) == 1
    closing = _CLOSINGS[tone].format(report="report" if one else "reports", link="link" if one else "links")
    difference = _difference(quotes, numbers)
    for ends in ([difference, closing], [difference], [closing], []):
        text = " ".join([_quotes_in_words(quotes, opening, numbers), *filter(None, ends)])
        if len(text.split()) <= WORDS[length]:
            return text
    return ""


def _quotes_in_words(quotes: Sequence[Evidence], opening: str, numbers: dict[str, int]) -> str:
    first, *rest = quotes
    parts = [f"{opening.format(reported=_reported(first))} {_quoted(first, numbers)}"]
    said = {first.article.article_id}
    for item in rest:
        place = item.article.article_id
        again = "The same report" + " also" * (len(parts) > 1) + " says"
        parts.append(f"{again if place in said else _reported(item, verb='also reported')}: {_quoted(item, numbers)}")
        said.add(place)
    return " ".join(parts)


def _difference(quotes: Sequence[Evidence], numbers: dict[str, int]) -> str:
    """Name the number or date that a quote has instead of the claim's; empty: there is none."""
    for item in quotes:
        for conflict in item.conflicts:
            if conflict.kind in _DIFFERENCES and _says_enough(conflict.found, item.text):
                return f"{_DIFFERENCES[conflict.kind]} {conflict.found} Doc[{numbers[item.article.article_id]}]."
    return ""


def _says_enough(found: str, text: str) -> bool:
    """Say whether a number means something by itself: no lone "two", no part of a name, no footnote."""
    whole = re.compile(rf"(?<![\w.,(-]){re.escape(found)}(?![\w-]|[.,]\d)", re.IGNORECASE)
    return (any(letter.isdigit() for letter in found) or " " in found) and whole.search(text) is not None


def _reported(item: Evidence, *, verb: str = "reported") -> str:
    article = item.article
    day = f" on {article.published_at:%-d %B %Y}" if article.published_at else ""
    name = article.source if article.source and not looks_like_instruction(article.source) else hostname(article.url)
    return f"{name} {verb}{day}"


def _quoted(item: Evidence, numbers: dict[str, int]) -> str:
    text = " ".join(item.text.split()).replace("“", '"').replace("”", '"')
    return f"“{text.rstrip('.')}” Doc[{numbers[item.article.article_id]}]."
