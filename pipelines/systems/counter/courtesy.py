"""
Words that state nothing by themselves: courtesies, and what introduces a quote. English.

A sentence of such words alone needs no source; any other sentence of a reply does.
"""

import re

from pipelines.systems.counter.compose import BARE, OPENINGS

_FRAME = frozenset(
    "a about according across again all also an and anyone are as at be because been below both by can careful "
    "carefully careless check come comes concern concerns could date day deserves easy even every fair feel for "
    "from full get glad good happy hard have hear help helpful helps here hope how i if in is it its just kind "
    "know let like link linked links look looks made make may me might mind more much my name need number of on "
    "one or our out people please put question raise raised raises raising read reading report reported reporting "
    "reports say says see seem seems share shared sharing some something sometimes sorry story take takes tell "
    "thank thanks that the their them there these they thing things this time to too understand understandable up "
    "us versions very want was way we well were what when where which who why will wish with worried worries worry "
    "worth would write wrote you your".split()
)
"""Without words that judge: "That is so" and "These reports are not true" would pass."""
_WRITTEN = [one.removesuffix(BARE).strip() for openings in OPENINGS.values() for one in openings]
_OPENING = re.compile("|".join(re.escape(text.rstrip(".")) + r"(?!\w)" for text in _WRITTEN if text))
"""Of plain code's own replies, to the letter but for the mark behind it: a quote may follow a colon."""
_NO_JUDGEMENT = re.compile(
    r"\bto (?:know|check|see|ask) (?:what|whether (?:it|this|that)) is (?:true|real)(?=\W*$|,)"
    r"|\bin case\b|\bmake sure\b|\bso much\b|\bsame report\b",
    re.IGNORECASE,
)
"""Words that judge, where they do not."""
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def states_nothing(sentence: str, *, sources: str = "") -> bool:
    """
    Say whether a sentence consists of courtesies, introductions and quotations.

    :param sentence: Without citations; its quotations, numbers and names must have been checked.
    :param sources: Names of publishers and dates, which introductions may hold.
    """
    opening = _OPENING.match(sentence)
    rest = _NO_JUDGEMENT.sub(" ", _QUOTED.sub(" ", sentence[opening.end() if opening else 0 :]))
    known = _FRAME | {word.casefold() for word in _WORD.findall(sources)}
    return all(word.split("'")[0].split("’")[0].casefold() in known for word in _WORD.findall(rest))
