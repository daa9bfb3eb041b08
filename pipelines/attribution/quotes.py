"""
Quotations checked against the stored article: verbatim, or why not.

Comparison is on folded text (`pipelines.attribution.folding`); offsets are those of the article's body as it is stored.
"""

import re
from collections.abc import Mapping
from enum import StrEnum

from core.types import Model
from pipelines.attribution.folding import FoldedText, fold

MIN_QUOTED_WORDS = 3
"""Fewer words in quotation marks are a name or a term, not a quotation."""
MIN_PIECE_WORDS = 3
"""Shorter pieces would let any sentence pass for one stitched from an article."""

_ELLIPSIS = re.compile(r"[\[(]?\s*(?:\.\s?\.\s?\.+|…)\s*[\])]?")
_MARKS = str.maketrans({**dict.fromkeys("“”„‟«»‹›＂〝〞「」『』", '"'), **dict.fromkeys("‘’‚‛＇", "'")})
_TWO_SINGLE = re.compile("``|''")
_SHORT_FORM = r"(?:tis|twas|til|em|cause|n|\d0s)\b"
"""What an apostrophe begins: 'tis, rock 'n' roll, the '90s."""
_QUOTED = re.compile(
    rf"(?<!\d)\"([^\"]+)(?:\"|$)|(?<!\w)'(?!{_SHORT_FORM})(?=\S)([^\"]{{1,1000}}?)(?<=\S)'(?!\w)", re.IGNORECASE
)
"""A quotation that is not closed goes on to the end."""
_EDGES = " \t\n\r.,;:!?'\"“”‘’«»"


class QuoteOutcome(StrEnum):
    """What a quotation turned out to be."""

    VERBATIM = "verbatim"
    ELLIPSIS = "ellipsis"
    """Words were left out; the pieces may be there, the quotation is not."""
    OTHER_ARTICLE = "other_article"
    """Verbatim, in another article than the one cited."""
    STITCHED = "stitched"
    """Made of separate pieces of the cited article."""
    NOT_FOUND = "not_found"


class QuoteCheck(Model):
    """A quotation and where it stands."""

    quote: str
    outcome: QuoteOutcome
    article_id: str | None = None
    """Where it stands; None if nowhere."""
    start: int | None = None
    end: int | None = None


def quoted_strings(text: str) -> list[str]:
    """
    Return what stands in quotation marks and has at least `MIN_QUOTED_WORDS` words, in order.

    All kinds of double marks are one, and all kinds of single ones: models open with one kind and close with another.
    """
    marked = _TWO_SINGLE.sub('" ', text.translate(_MARKS))  # each letter keeps its place
    spans = [match.span(match.lastindex or 0) for match in _QUOTED.finditer(marked)]
    found = [text[start:end].strip(" `'") for start, end in spans]
    return [quote for quote in found if len(quote.split()) >= MIN_QUOTED_WORDS]


def stands_at(body: str, start: int, end: int, text: str) -> bool:
    """Say whether `text` is `body[start:end]` to the letter and is not empty."""
    return bool(text) and 0 <= start < end <= len(body) and body[start:end] == text


def find_quote(quote: str, body: str) -> tuple[int, int] | None:
    """
    Find a quotation in an article.

    Quotation marks and punctuation at its edges do not count. It must begin and end where words do.

    :returns: Half-open character span in `body` of its first place; None if it is not there or has no word.
    """
    return _find(fold(quote.strip(_EDGES)).text, fold(body))


def check_quote(quote: str, *, cited: Mapping[str, str], others: Mapping[str, str] | None = None) -> QuoteCheck:
    """
    Say what a quotation is.

    :param cited: Article id to body, of the articles that the quotation is attributed to.
    :param others: Further articles that it might have been taken from.
    """
    wanted = fold(quote.strip(_EDGES)).text
    bodies = {article_id: fold(body) for article_id, body in cited.items()}
    for article_id, body in bodies.items():
        if (span := _find(wanted, body)) is not None:
            return QuoteCheck(
                quote=quote, outcome=QuoteOutcome.VERBATIM, article_id=article_id, start=span[0], end=span[1]
            )
    if _ELLIPSIS.search(wanted):
        return QuoteCheck(quote=quote, outcome=QuoteOutcome.ELLIPSIS)
    for article_id, text in (others or {}).items():
        if article_id not in cited and (span := _find(wanted, fold(text))) is not None:
            return QuoteCheck(
                quote=quote, outcome=QuoteOutcome.OTHER_ARTICLE, article_id=article_id, start=span[0], end=span[1]
            )
    for article_id, body in bodies.items():
        if _is_stitched(wanted, body.text):
            return QuoteCheck(quote=quote, outcome=QuoteOutcome.STITCHED, article_id=article_id)
    return QuoteCheck(quote=quote, outcome=QuoteOutcome.NOT_FOUND)


def _find(wanted: str, body: FoldedText) -> tuple[int, int] | None:
    if not any(character.isalnum() for character in wanted):
        return None
    at = body.text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _is_edge(body.text, at) and _is_edge(body.text, end):
            return body.original_span(at, end)
        at = body.text.find(wanted, at + 1)
    return None


def _is_edge(text: str, index: int) -> bool:
    """Say whether no word runs across this index."""
    return not (0 < index < len(text) and text[index - 1].isalnum() and text[index].isalnum())


def _is_stitched(wanted: str, body: str) -> bool:
    """Say whether the words can be cut into pieces of `MIN_PIECE_WORDS` words or more, each in the body."""
    words = wanted.split()
    reachable = {0}
    for start in range(len(words)):
        if start not in reachable:
            continue
        for end in range(start + MIN_PIECE_WORDS, len(words) + 1):
            if " ".join(words[start:end]).strip(_EDGES) not in body:
                break
            reachable.add(end)
    return len(words) in reachable and len(words) >= 2 * MIN_PIECE_WORDS
