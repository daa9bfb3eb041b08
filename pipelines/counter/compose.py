"""Replies put together from quotes by plain code: they say what the articles say, and never repeat the claim."""

from collections.abc import Sequence
from enum import StrEnum

from core.urls import hostname
from pipelines.counter.parts import Candidate
from pipelines.counter.quotes import shorten
from pipelines.findings import Evidence, number_articles
from pipelines.neutralise import looks_like_instruction

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
_ROOMS = {Length.SHORT: (34, 24, 16), Length.NORMAL: (72, 56, 40)}
"""Words of all quotes together; the most that leaves the reply short enough."""
_FIRST = 0.6
_OPENINGS = {
    Tone.PLAIN: ("{reported}:", "Reports tell it differently. {reported}:"),
    Tone.EMPATHETIC: (
        "It is easy to come across different versions of this. {reported}:",
        "Thank you for raising this. {reported}:",
    ),
}
_DIFFERENCES = {"number": "The number reported is", "date": "The date reported is"}
_CLOSINGS = {
    Tone.PLAIN: "Anyone can read the full reports at the links below.",
    Tone.EMPATHETIC: "The full reports are linked below, in case they help.",
}


def compose(quotes: Sequence[Evidence], *, tone: Tone, length: Length) -> list[Candidate]:
    """
    Put replies together: one for each opening and number of quotes.

    :param quotes: Those that refute first; not empty.
    :returns: Candidates, each with every quote cited.
    """
    counts = [1] if len(quotes) == 1 else [2] if length is Length.SHORT else sorted({2, len(quotes)}, reverse=True)
    found = []
    for count in counts:
        for opening in _OPENINGS[tone]:
            tries = [_cut(quotes[:count], opening, tone=tone, room=room) for room in _ROOMS[length]]
            fitting = [text for text in tries if len(text.split()) <= WORDS[length]]
            found.append(Candidate(text=fitting[0] if fitting else tries[-1]))
    return found


def _cut(quotes: Sequence[Evidence], opening: str, *, tone: Tone, room: int) -> str:
    """Give the first quote, which refutes, more of the room than the others."""
    first = room if len(quotes) == 1 else round(_FIRST * room)
    rest = (room - first) // max(1, len(quotes) - 1)
    cut = [shorten(item, max_words=rest if place else first) for place, item in enumerate(quotes)]
    return _reply(cut, opening, tone=tone)


def _reply(quotes: Sequence[Evidence], opening: str, *, tone: Tone) -> str:
    numbers = number_articles(list(quotes))
    first, *rest = quotes
    parts = [f"{opening.format(reported=_reported(first))} {_quoted(first, numbers)}"]
    known = {first.article.article_id}
    for item in rest:
        again = "The same report says" if item.article.article_id in known else _reported(item, verb="also reported")
        parts.append(f"{again}: {_quoted(item, numbers)}")
        known.add(item.article.article_id)
    difference = next(((item, one) for item in quotes for one in item.conflicts if one.kind in _DIFFERENCES), None)
    if difference is not None:
        item, conflict = difference
        parts.append(f"{_DIFFERENCES[conflict.kind]} {conflict.found} Doc[{numbers[item.article.article_id]}].")
    parts.append(_CLOSINGS[tone])
    return " ".join(parts)


def _reported(item: Evidence, *, verb: str = "reported") -> str:
    article = item.article
    day = f" on {article.published_at:%-d %B %Y}" if article.published_at else ""
    name = article.source if article.source and not looks_like_instruction(article.source) else hostname(article.url)
    return f"{name} {verb}{day}"


def _quoted(item: Evidence, numbers: dict[str, int]) -> str:
    text = " ".join(item.text.split()).replace("“", '"').replace("”", '"')
    return f"“{text.rstrip('.')}” Doc[{numbers[item.article.article_id]}]."
