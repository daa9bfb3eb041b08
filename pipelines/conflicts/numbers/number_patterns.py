"""How numbers are written: digits, number words, scales and shares, as regular expressions. English."""

import re

from pipelines.conflicts.lexicon import SCALES, TENS, UNITS
from pipelines.conflicts.numbers.currencies import SIGN

_SCALE_WORDS = "dozen hundred thousand lakh lakhs million crore crores billion trillion".split()
ANY_SCALE = "|".join(_SCALE_WORDS)
_NUMBER_WORD = "|".join(sorted([*UNITS, *TENS, *_SCALE_WORDS], key=len, reverse=True))
_OF_SCALE = r"(?:(?:an?|one)[\s-]+)?(?:half|quarter)|three[\s-]quarters?"
"""A quarter of a million."""
_AND_SHARE = r"\s+and\s+(?:(?:an?|one)[\s-]+(?:half|quarter)|three[\s-]quarters)\b(?!\s+of\b)"
"""Two and a half."""


def _and_after(scale: str) -> str:
    """Return the "and" within a number behind a scale: none as large follows, but for a hundred and two thousand."""
    larger = [word for word in _SCALE_WORDS if SCALES[word] >= SCALES[scale]] if scale != "hundred" else [scale]
    return rf"(?<={scale})\s+and\s+(?!(?:(?:{_NUMBER_WORD})[\s-]+){{0,4}}(?:{'|'.join(larger)})\b)"


_AND = "|".join(_and_after(scale) for scale in _SCALE_WORDS if scale != "dozen")
_BEGIN = rf"(?:(?:(?:{_OF_SCALE})(?:\s+of)?(?:\s+an?)?[\s-]+|an?\s+)(?=(?:{ANY_SCALE})\b))?(?:{_NUMBER_WORD})"
NUMBER_WORDS = (
    rf"\b(?:(?<=between\s){_BEGIN}(?:{_AND_SHARE}|[\s-]+(?:{_NUMBER_WORD}))*"
    rf"|(?<!between\s){_BEGIN}(?:{_AND_SHARE}|(?:{_AND}|[\s-]+)(?:{_NUMBER_WORD}))*)\b"
)
"""Two hundred and six; but ten and twelve are two numbers."""
_BLANK = "[ \u00a0\u2009\u202f]"
_WHOLE = rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,2}}(?:,\d\d)+,\d{{3}}|[1-9]\d{{0,2}}(?:{_BLANK}\d{{3}})+(?!\d)|\d+)"
_DIGITS = rf"(?<![\w.])(?-i:{SIGN.pattern})?\s?{_WHOLE}(?:\.\d+)?(?!\d)"
_PART = rf"(?:\s?[¼½¾]|[\s-](?:1/2|1/4|3/4)(?![\d/])|{_AND_SHARE})?"
SCALE = rf"(?:(?:[\s-]*(?:lakh\s+crore|{ANY_SCALE}|bln|bn|mln|mn|trn|tn|m|k)|b)\b)?"
PERCENT = r"(?:\s*(?:%|per\s?cent\b)|[\s-]*percentage[\s-]points?\b)?"
QUANTITY = re.compile(
    rf"(?P<digits>{_DIGITS})(?P<part>{_PART})(?P<ordinal>(?:st|nd|rd|th)\b)?(?P<scale>{SCALE})(?P<percent>{PERCENT})"
    rf"|(?P<words>{NUMBER_WORDS})(?P<wpercent>{PERCENT})",
    re.IGNORECASE,
)
"""One number as it stands, with a sign of currency before it, or percent behind it."""
MINUS = re.compile(r"(?:\bminus\s+|(?<!\w)[-–−])$", re.IGNORECASE)
"""Before a number."""


def scale_factor(written: str) -> float:
    """Return the factor of a scale as it stands behind digits; 1 where none does."""
    return SCALES.get(re.sub(r"[\s-]+", "", written).lower(), 1.0)
