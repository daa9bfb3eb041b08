"""What a fit is worth on questions that it has not seen: every part is judged by weights of the other parts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.calibration.examples import Example
from evaluation.calibration.logistic import fit_weights, question_weights
from evaluation.calibration.thresholds import (
    BestAnswer,
    Thresholds,
    choose_thresholds,
)
from evaluation.measures.verdict.brier import brier_right
from evaluation.measures.verdict.calibration import expected_calibration_error

FOLDS = 5
_COPIES = 20
"""Of a question that counts one; a weighted mean without weights in the measures."""


@dataclass(frozen=True)
class Judged:
    """A question's best answer, and what thresholds chosen on other questions make of it."""

    answer: BestAnswer
    thresholds: Thresholds

    @property
    def verified(self) -> bool:
        """Whether it is verified."""
        return self.answer.probability >= self.thresholds.verified_from

    @property
    def shown(self) -> bool:
        """Whether it is shown, verified or not."""
        return self.answer.probability >= self.thresholds.shown_from


def cross_fit(examples: Sequence[Example]) -> list[Judged]:
    """
    Judge every question by weights and thresholds of the parts without its passage; in the order of `examples`.

    The thresholds of a part are chosen on answers that the others give each other, so that it has no say in them.
    """
    folds = _folds(examples)
    chosen = {}
    for fold in set(folds):
        rest = [(one, at) for one, at in zip(examples, folds, strict=True) if at != fold]
        chosen[fold] = choose_thresholds(_held_out([one for one, _ in rest], [at for _, at in rest]))
    answers = _held_out(examples, folds)
    return [Judged(answer, chosen[fold]) for answer, fold in zip(answers, folds, strict=True)]


def _held_out(examples: Sequence[Example], folds: Sequence[int]) -> list[BestAnswer]:
    """Answer each question with weights of the other folds."""
    counts = question_weights([example.kind for example in examples])
    weights = {
        fold: fit_weights([one for one, at in zip(examples, folds, strict=True) if at != fold]) for fold in set(folds)
    }
    answers = []
    for example, fold, count in zip(examples, folds, counts, strict=True):
        logit, right = weights[fold].best(example)
        answers.append(BestAnswer(example.kind, float(1 / (1 + np.exp(-logit))), right, count))
    return answers


def _folds(examples: Sequence[Example]) -> list[int]:
    """Spread the passages of each kind evenly."""
    groups = sorted({(example.kind, example.group) for example in examples})
    at: dict[str, int] = {}
    for number, (_, group) in enumerate(groups):
        at.setdefault(group, number % FOLDS)
    return [at[example.group] for example in examples]


def held_out_scores(judged: Sequence[Judged]) -> dict[str, float]:
    """
    Summarise, rounded.

    :returns: `questions`; `ece`, `brier` and `verified_right`, weighted as in the fit; and for each kind, unweighted,
        how many best answers are right, how many are verified, wrongly verified, and shown.
    """
    copies = [max(1, round(_COPIES * one.answer.weight)) for one in judged]
    probabilities = np.repeat([one.answer.probability for one in judged], copies)
    right = np.repeat([one.answer.right for one in judged], copies)
    verified = [one for one in judged if one.verified]
    total = sum(one.answer.weight for one in verified)
    scores = {
        "questions": float(len(judged)),
        "ece": expected_calibration_error(probabilities, right),
        "brier": float(brier_right(probabilities, right).mean()),
        "verified_right": sum(one.answer.weight for one in verified if one.answer.right) / total if total else 1.0,
    }
    for kind in sorted({one.answer.kind for one in judged}):
        asked = [one for one in judged if one.answer.kind == kind]
        scores[f"{kind}_best_right"] = sum(one.answer.right for one in asked) / len(asked)
        scores[f"{kind}_verified"] = sum(one.verified for one in asked) / len(asked)
        scores[f"{kind}_verified_wrong"] = sum(one.verified and not one.answer.right for one in asked) / len(asked)
        scores[f"{kind}_shown"] = sum(one.shown for one in asked) / len(asked)
    return {name: round(value, 3) for name, value in scores.items()}
