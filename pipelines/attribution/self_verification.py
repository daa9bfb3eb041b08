"""The model's own word on whether an answer is right: yes or no, and how sure. It never raises a verdict."""

import math
import re
from collections.abc import Iterator, Mapping

from core.types import Model, Probability

_WORD = re.compile(r"[a-z]+(?:['\u2019][a-z]+)*")
_CLAUSE = re.compile(r"[.,;:!?()\n\u2013\u2014]|\b(?:and|but|because)\b")
_YES = frozenset({"yes", "y", "yeah", "correct", "true", "right"})
_NO = frozenset({"no", "n", "nope", "incorrect", "false", "wrong"})
_NEGATIONS = frozenset({"not", "never", "cannot", "neither", "hardly"})
_UNSURE = frozenset({"sure", "certain", "know", "say", "tell", "if", "whether"})
"""What a negation turns into neither: "not sure that it is right"."""


class SelfVerification(Model):
    """What came of asking."""

    says_yes: bool | None
    """None: the reply was neither yes nor no, or there was none."""
    probability: Probability | None
    """Of yes against no, from log-probabilities; None where the server gives none."""


def read_reply(text: str, *, first_token: Mapping[str, float] | None = None) -> SelfVerification:
    """
    Read a reply.

    :param text: Words that mean yes or no count, the other way round where their clause denies them ("not correct"),
        and must agree: "yes and no" is neither.
    :param first_token: Likeliest tokens at the first place, with their log-probabilities.
    """
    said = {yes for clause in _CLAUSE.split(text.lower()) for yes in _said(clause)}
    says_yes = said.pop() if len(said) == 1 else None
    return SelfVerification(says_yes=says_yes, probability=yes_probability(first_token or {}))


def _said(clause: str) -> Iterator[bool]:
    """Give for each word of a clause that means yes or no whether yes is meant."""
    denied = unsure = False
    for word in _WORD.findall(clause):
        if word in _YES or word in _NO:
            if not unsure:
                yield (word in _YES) is not denied
        elif word in _NEGATIONS or word.endswith(("n't", "n\u2019t")):
            denied = True
        else:
            unsure = unsure or (denied and word in _UNSURE)


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
