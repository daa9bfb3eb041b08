"""Quotations in a statement: looked up word for word, with who said it."""

import re

from core.words import LETTER_OR_DIGIT_RUN, fold_word
from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.names.names import mentions, names
from pipelines.contracts.evidence import Conflict, ConflictKind

QUOTED = re.compile(r"[“\"„«](?P<words>[^”\"“»„]{2,1200})[”\"“»]")
"""What stands in double marks of any kind."""
_FEWEST_WORDS = 3
"""Fewer words in quotation marks are a name or a term, not a quotation."""
_SAY = re.compile(
    r"\b(?:said|says|saying|call(?:s|ed|ing)|told|tells|added|adds|wrote|writes|described?|describes|warned|argued|insisted|declared|tweeted)\b"
)


def quotation_conflicts(statement: Analysis, sentence: Analysis, *, around: Analysis) -> list[Conflict]:
    """
    Return a quotation of the statement that the article has not, or has of another speaker in this sentence.

    :param around: Text of the article that the sentence is from.
    """
    for quote in quoted_strings(statement.text):
        if not _has(around if around.text else sentence, quote):
            other = next((one for one in quoted_strings(sentence.text)), "")
            return [
                Conflict(
                    kind=ConflictKind.QUOTATION, stated=f"“{quote}”", found=f"“{other}”" if other else "no such words"
                )
            ]
        if _has(sentence, quote):
            return _speaker_conflict(statement, sentence)
    return []


def quoted_strings(text: str) -> list[str]:
    """Return what stands in quotation marks and has some words."""
    found = [match["words"].strip() for match in QUOTED.finditer(text)]
    return [quote for quote in found if len(quote.split()) >= _FEWEST_WORDS]


def _has(text: Analysis, quote: str) -> bool:
    """Say whether a text has a quotation word for word; marks and capitals do not count."""
    return f" {_plain(quote)} " in f" {text.part(_plain_text)} "


def _plain_text(analysis: Analysis) -> str:
    return _plain(analysis.text)


def _plain(text: str) -> str:
    return " ".join(LETTER_OR_DIGIT_RUN.findall(text.casefold()))


def _speaker_conflict(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """Return who is named beside the words in the sentence, where the statement names somebody else alone."""
    ours = [name for name in names(_unquoted(statement.text)) if name.start < len(statement.text)]
    theirs = names(_unquoted(sentence.text))
    if not ours or not theirs or not _SAY.search(statement.text):
        return []
    speaker = ours[0]
    if mentions(speaker.keys, sentence.text) or any(fold_word(key) in sentence.text.casefold() for key in speaker.keys):
        return []
    return [Conflict(kind=ConflictKind.QUOTATION, stated=speaker.text, found=theirs[0].text)]


def _unquoted(text: str) -> str:
    """Return a text without what it quotes, each letter in its place."""
    letters = list(text)
    for quote in quoted_strings(text):
        at = text.find(quote)
        if at >= 0:
            letters[at : at + len(quote)] = " " * len(quote)
    return "".join(letters)
