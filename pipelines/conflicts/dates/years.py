"""
Years that surely are dates: "in 2019", "on 3 May 2019", "since 2019".

A count, a decade, a season, a span and a bound ("by 2019") are none.
"""

import re

from pipelines.conflicts.lexicon import MONTHS, WEEKDAYS

_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_DAY = (
    rf"(?:(?:{'|'.join(WEEKDAYS)}),?\s+)?(?:{_NUMBER}\s+(?:of\s+)?)?"
    rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?(?:\s+{_NUMBER})?,?\s+"
)
_BEFORE = re.compile(rf"\b(?P<how>in|on|during|since|until|till)\s+(?:the\s+year\s+|{_DAY})?$", re.IGNORECASE)
_SAME = {"on": "in", "during": "in", "till": "until"}
_SPAN = re.compile(
    r"\s*(?:[-–—/]|(?:to|or|and|until|through)\b)\s*(?:[^\W\d_]+\s+)?\d",
    re.IGNORECASE,
)
_FOLLOWS = (
    "the a an and but at by on in to for from with when after before as while because under during against between he "
    "she it they we his her its their was were is are had has have did that which who whose where amid following"
)
_AFTER = re.compile(rf"\s*$|\s*[.,;:!?)\]\"”]|\s+[–—-]\s|\s+(?:[A-Z]|(?:{'|'.join(_FOLLOWS.split())})\b)")
"""A word that is not listed may be what is counted: in 2000 homes."""


def dating(before: str, after: str) -> str:
    """
    Say how a number of four digits dates what is said.

    :param before: The text before it.
    :param after: The text behind it.
    :returns: in, since or until; empty: it may not be a year, or more than one.
    """
    match = _BEFORE.search(before)
    if match is None or _SPAN.match(after) or not _AFTER.match(after):
        return ""
    how = match.group("how").lower()
    return _SAME.get(how, how)
