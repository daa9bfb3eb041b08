"""
Answer in evidence, and precision and recall of citations.

Own definitions: an answer is in a text if its words, normalised as the SQuAD script does, stand there in a row. A
citation is right if the cited article is one of those that hold the answer.
"""

from collections.abc import Collection, Sequence

from evaluation.measures.text.squad import normalise_answer


def contains_answer(texts: Sequence[str], answers: Sequence[str]) -> float:
    """Say whether an accepted answer stands in one of the texts: 1 or 0."""
    lines = [f" {normalise_answer(text)} " for text in texts]
    wanted = [f" {normalise_answer(answer)} " for answer in answers if normalise_answer(answer)]
    return float(any(answer in line for line in lines for answer in wanted))


def citation_precision(cited: Collection[str], gold: Collection[str]) -> float | None:
    """Return the share of the cited articles that hold the answer; None if nothing is cited."""
    unique = set(cited)
    return len(unique & set(gold)) / len(unique) if unique else None


def citation_recall(cited: Collection[str], gold: Collection[str]) -> float | None:
    """Return the share of the articles that hold the answer which are cited; None if there are none."""
    wanted = set(gold)
    return len(wanted & set(cited)) / len(wanted) if wanted else None
