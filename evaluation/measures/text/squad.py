"""
Exact match and token F1 as the official SQuAD script computes them.

Source: Rajpurkar, Jia and Liang, ACL 2018, evaluation script version 2.0: lower case, punctuation and the articles a,
an, the left out, blanks collapsed; the best value over the accepted answers. A question without an answer accepts only
the empty answer.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence

_ARTICLES = re.compile(r"\b(a|an|the)\b", re.UNICODE)
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise_answer(text: str) -> str:
    """Write an answer as the script compares it."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(gold: Sequence[str], predicted: str) -> float:
    """
    Compare with the accepted answers.

    :param gold: Accepted answers; empty: there is no answer.
    :returns: 1 if one of them is equal after normalisation, else 0.
    """
    return float(normalise_answer(predicted) in {normalise_answer(answer) for answer in _accepted(gold)})


def token_f1(gold: Sequence[str], predicted: str) -> float:
    """Return the best F1 of shared words over the accepted answers."""
    return max(_f1(normalise_answer(answer).split(), normalise_answer(predicted).split()) for answer in _accepted(gold))


def _accepted(gold: Sequence[str]) -> Sequence[str]:
    return [answer for answer in gold if normalise_answer(answer)] or [""]


def _f1(gold: list[str], predicted: list[str]) -> float:
    if not gold or not predicted:
        return float(gold == predicted)
    shared = sum((Counter(gold) & Counter(predicted)).values())
    if shared == 0:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(gold)
    return 2 * precision * recall / (precision + recall)
