"""
One table of the label names of the fact-checking data sets.

FEVER, SciFact (SUPPORT, CONTRADICT), AVeriTeC, LIAR-New, Climate-FEVER, and plain words. LIAR-New's six grades become
three as its authors' evaluation groups them: the upper half is supported, the lower half refuted.
"""

import re
from enum import StrEnum


class Label(StrEnum):
    """What a claim is, given the evidence."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    NEITHER = "neither"
    CONFLICTING = "conflicting"


NAMES: dict[Label, tuple[str, ...]] = {
    Label.SUPPORTS: (
        "supports", "support", "supported", "entailment", "entails", "true", "mostly true", "half true", "verified",
        "verified true",
    ),
    Label.REFUTES: (
        "refutes", "refute", "refuted", "contradict", "contradicts", "contradiction", "false", "mostly false",
        "barely true", "pants on fire", "pants fire",
    ),
    Label.NEITHER: (
        "neither", "neutral", "not enough info", "not enough information", "not enough evidence", "nei",
        "notenoughinfo", "unverified", "unverifiable", "unproven", "cant say", "unknown", "none",
    ),
    Label.CONFLICTING: (
        "conflicting", "disputed", "mixed", "mixture", "conflicting evidence cherrypicking",
        "conflicting evidence cherry picking",
    ),
}  # fmt: skip
"""Our label to the names that it has, in lower case without punctuation."""

_BY_NAME = {name: label for label, names in NAMES.items() for name in names}
_SEPARATORS = re.compile(r"[\s_/\-]+")
_DROPPED = re.compile(r"[^a-z0-9 ]")


def normal_name(name: str) -> str:
    """Write a label name in lower case, words separated by one blank, without punctuation."""
    return _DROPPED.sub("", _SEPARATORS.sub(" ", name.lower().strip()))


def map_label(name: str) -> Label | None:
    """Return our label for a name of any of the data sets; None if the table lacks it."""
    return _BY_NAME.get(normal_name(name))
