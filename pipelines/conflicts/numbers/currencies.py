"""
Currencies: the words and codes behind a number, the signs and codes before one. English.

The table `currencies.txt` names its source and licence in its first line; `training/data/currencies.py` makes it.
"""

import re
from collections.abc import Iterable
from pathlib import Path

TABLE = Path(__file__).with_name("currencies.txt")
"""A line of sources; then a currency a line: between tabs its name and, of each kind, with a bar between them."""
KINDS = ("words", "codes", "signs")
DOLLAR = "dollar"
"""Of any country: newspapers write $ for their own."""
_WON = "won"
_SCALED = re.compile(r"(?:illion|bn|tn|trn)$", re.IGNORECASE)
"""Without such a scale "won" is a verb."""
_NAMES_TOO = frozenset({"rand"})
"""Words that are no currency with a capital: Rand is a think tank."""
_OF_COUNTRY = r"(?:(?:[a-z]+\s)?[a-z]*(?:an|ish|ese|i|ss)\s+)?"
"""Swedish kronor, South African rand."""


def _read_table() -> tuple[dict[str, str], dict[str, str]]:
    """Read the table: what stands behind a number, and what stands before one, to the name of its currency."""
    behind: dict[str, str] = {}
    before: dict[str, str] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        name, *cells = line.split("\t")
        words, codes, signs = (filter(None, cell.split("|")) for cell in cells)
        written = tuple(codes)
        behind |= dict.fromkeys((*words, *(code.lower() for code in written)), name)
        before |= dict.fromkeys((*written, *signs), name)
    return behind, before


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of any of the words, the longest first."""
    return "|".join(r"\s+".join(map(re.escape, word.split())) for word in sorted(words, key=len, reverse=True))


_BEHIND, _BEFORE = _read_table()
_FIRST_LETTERS = "".join(sorted({sign[0] for sign in _BEFORE}))
SIGN = re.compile(rf"(?=[{re.escape(_FIRST_LETTERS)}])(?:{_any_of(_BEFORE)})")
"""What says before a number that it is a sum of money."""
_OF_ONE_COUNTRY = {word for word, name in _BEHIND.items() if name != DOLLAR and name.endswith(DOLLAR)}
_WORD = re.compile(
    rf"\s*(?:{_OF_COUNTRY}(?P<dollar>{_any_of(_OF_ONE_COUNTRY)})"
    rf"|{_OF_COUNTRY}(?P<word>{_any_of(_BEHIND.keys() - _OF_ONE_COUNTRY)}))\b",
    re.IGNORECASE,
)


def currency_of(number: str, after: str) -> str:
    """
    Return the currency of a number.

    :param number: As it stands, with a sign of currency before it.
    :param after: The text behind it.
    :returns: Name of the currency; empty: the number is no sum of money.
    """
    sign = SIGN.match(number.strip())
    if sign:
        return _BEFORE[sign.group()]
    currency = _named(_WORD.match(after))
    return "" if currency == _WON and not _SCALED.search(number) else currency


def is_currency(text: str, currency: str) -> bool:
    """Say whether a text is the name of a currency and nothing else."""
    return _named(_WORD.fullmatch(text)) == currency != ""


def _named(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    word = match["dollar"] or match["word"]
    low = " ".join(word.lower().split())
    return "" if low in _NAMES_TOO and low != word else _BEHIND[low]
