"""
Words that state nothing by themselves: courtesies, and what introduces a quote. English.

A sentence of such words alone needs no source; any other sentence of a reply does.
"""
# ruff: noqa: SIM905, RUF001  (a long word list reads better as text; the quotation marks that are printed)

import re

_FRAME = frozenset(
    "a about across again all also an and anyone are as at be because been below both by can careful careless "
    "carefully check come comes concern concerns could date day deserves different differently differ easy even every "
    "feel fair for from full get glad good happy hard have hear help helpful helps here hope how i if in is it its "
    "just kind know let like link linked links look looks made make may me might mind more much my name need not "
    "number of on one or our out people please question raise raised raises raising read reading real report reported "
    "reporting reports same say says see seem seems share shared sharing so some something sometimes sorry story sure "
    "take takes tell thank thanks that the their them there these they thing things this time to too true trust "
    "understand understandable up us versions very want was way we well were what when where which who why will wish "
    "with worried worries worry worth would write wrote you your different put case according".split()
)
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def states_nothing(sentence: str, *, sources: str = "") -> bool:
    """
    Say whether a sentence consists of courtesies, introductions and quotations.

    :param sentence: Without citations; its quotations, numbers and names must have been checked.
    :param sources: Names of publishers and dates, which introductions may hold.
    """
    rest = _QUOTED.sub(" ", sentence)
    known = _FRAME | {word.casefold() for word in _WORD.findall(sources)}
    return all(word.split("'")[0].split("’")[0].casefold() in known for word in _WORD.findall(rest))
