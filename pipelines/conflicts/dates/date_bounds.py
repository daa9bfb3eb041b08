"""Days that begin or end a time: "since Sunday", "from 3 March", "before 20 March", "between Monday and Friday"."""

import re

from pipelines.conflicts.lexicon import WEEKDAYS

_BOUND = re.compile(
    r"\b(?:(?P<how>since|from|after|until|till|by|through|before|prior\s+to|ahead\s+of|(?:no|not)\s+later\s+than)\s+"
    r"(?:at\s+least\s+)?"
    r"|(?P<far>since|until|till)\s+(?:(?:[ap]\.m\.|\w+(?:[:.]\w+)*)\s+){1,3}(?:on|of|in)\s+)"
    r"(?:the\s+)?(?:(?:end|start|beginning|middle)\s+of\s+)?(?:(?:early|late|mid)[\s-]+)?"
    rf"(?:(?:{'|'.join(WEEKDAYS)}),?\s+)?$",
    re.IGNORECASE,
)
"""A vote or an hour may stand between: since a vote on Sunday, until 6 p.m. on Friday."""
_BEGINS = {"since": "since", "from": "from", "after": "from"}
_ONLY_THEN = re.compile(
    r"(?:\b(?:not|never|cannot|(?:postpon|delay|adjourn|deferr|resched)\w*|put\s+off|(?:moved|pushed)(?:\s+back)?)"
    r"|n['’]t)\b[^,;:()]{0,40}$",
    re.IGNORECASE,
)
"""Did not open until, postponed until: what is told happens on that day, not up to it."""
_OWNS = re.compile(r"['’]s\b")
_UP_TO = re.compile(
    r"\s*(?:[-–—]|\b(?:to|until|till|through)\b)\s*(?:at\s+least\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\bbetween\s+(?:the\s+)?$", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+(?:the\s+)?", re.IGNORECASE)


def bound(before: str, after: str = "", *, is_span: bool = False) -> str:
    """
    Say which end of a time a day is.

    :param before: The text before the day.
    :param after: The text behind it: after Friday's vote tells when the vote was.
    :param is_span: Several days are named, to which "from" belongs: from 3 to 7 March.
    :returns: since, from (it may be still to come) or until; empty: neither end.
    """
    match = _BOUND.search(before)
    if match is None or _OWNS.match(after):
        return ""
    how = _BEGINS.get((match.group("how") or match.group("far")).lower())
    if how:
        return "" if is_span and how == "from" else how
    return "" if _ONLY_THEN.search(before[: match.start()]) else "until"


def spans(before: str, between: str) -> bool:
    """
    Say whether two dates are the ends of one span.

    :param before: The text before the first.
    :param between: The text from the first to the second.
    """
    return bool(_UP_TO.fullmatch(between) or (_AND.fullmatch(between) and _BETWEEN.search(before)))
