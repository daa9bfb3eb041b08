"""The model's own word on whether an answer is right: yes or no, and how sure. It never raises a verdict."""

import math
import re
from collections.abc import Mapping

from core.types import Model, Probability

_WORD = re.compile(r"[a-z]+")
_YES = frozenset({"yes", "y", "yeah", "correct", "true", "right"})
_NO = frozenset({"no", "n", "nope", "incorrect", "false", "wrong"})


class SelfVerification(Model):
    """What came of asking."""

    says_yes: bool | None
    """None: the reply was neither yes nor no, or there was none."""
    probability: Probability | None
    """Of yes against no, from log-probabilities; None where the server gives none."""


def read_reply(text: str, *, first_token: Mapping[str, float] | None = None) -> SelfVerification:
    """
    Read a reply.

    :param text: Its first word that is yes or no counts, unless the other follows: "yes and no" is neither.
    :param first_token: Likeliest tokens at the first place, with their log-probabilities.
    """
    words = _WORD.findall(text.lower())
    yes, no = any(word in _YES for word in words), any(word in _NO for word in words)
    return SelfVerification(says_yes=yes if yes != no else None, probability=yes_probability(first_token or {}))


def yes_probability(first_token: Mapping[str, float]) -> float | None:
    """
    Return the probability of yes, given that the reply is yes or no.

    Tokens that differ in case or blanks are added up.

    :returns: None if neither is among the tokens.
    """
    masses = {True: 0.0, False: 0.0}
    for token, logprob in first_token.items():
        word = token.strip(" \u2581\u0120\"'.").lower()
        if word in _YES or word in _NO:
            masses[word in _YES] += math.exp(min(logprob, 0.0))
    total = masses[True] + masses[False]
    return min(1.0, masses[True] / total) if total > 0 else None
