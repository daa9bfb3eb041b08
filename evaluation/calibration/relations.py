"""
Fit what the relation logits are worth: vector scaling on written statements.

    python -m evaluation.calibration.relations --pairs NEWS --pairs WIKIPEDIA --work FOLDER

A pack's line has `id`, `passage`, `mirror` (the same matter where other facts hold), `statements` (each `text`,
`label`, `mirror_label`) and `split`. Its `dev` part is used, which the model was not trained on; with the mirrors, as
a statement's wording gives its label away without them. The result goes into `calibration.json` beside the model.
"""

import argparse
import logging
from collections.abc import Sequence
from typing import Any

import numpy as np

from evaluation.calibration.command import arguments, pack_names
from evaluation.calibration.examples import Floats
from evaluation.calibration.readings_cache import kept_file
from evaluation.calibration.relation_readings import ReadPair, read_pairs
from evaluation.calibration.store import store_fit
from evaluation.data.group_folds import spread
from evaluation.measures.verdict.brier import brier
from evaluation.measures.verdict.calibration import expected_calibration_error
from evaluation.optional_import import require
from models.calibration import Logits, RelationWeights
from models.evidence import EvidenceModel

logger = logging.getLogger(__name__)

FOLDS = 5
DIGITS = 3


def fit_relations(pairs: Sequence[ReadPair], *, model: str, packs: Sequence[str]) -> RelationWeights:
    """
    Fit on all pairs; scores come from cross-fitting over passages.

    :param model: Identity of the model that judged.
    :param packs: Names of the packs that the pairs are from.
    """
    logits, gold = np.array([_logits(pair) for pair in pairs]), np.array([pair.label for pair in pairs])
    folds = np.array(spread([pair.group for pair in pairs], folds=FOLDS))
    held_out = np.zeros_like(logits[:, 0])
    for fold in set(folds.tolist()):
        held_out[folds == fold] = scaled(logits[folds == fold], _fit(logits[folds != fold], gold[folds != fold]))
    supports, refutes, scale, *first = (round(float(value), DIGITS) for value in _fit(logits, gold))
    of_both = " of both models' logits" if first else ""
    return RelationWeights(
        model=model,
        fitted_on=(
            f"Vector scaling{of_both} on {len(pairs)} pairs of statement and passage of the development parts of "
            f"{', '.join(packs)}, mirrors included, which the model was not trained on. Scores by five-fold "
            "cross-fitting over passages."
        ),
        scores=_scores(held_out, gold),
        scale=scale,
        first=sum(first),
        supports=supports,
        refutes=refutes,
        neither=0.0,
    )


def _logits(pair: ReadPair) -> list[Logits]:
    return [pair.logits, pair.first] if pair.first else [pair.logits]


def scaled(logits: Floats, weights: Floats) -> Floats:
    """
    Return probabilities.

    :param logits: Shape (pairs, models, labels).
    :param weights: Bias of supports, bias of refutes, and a scale for each model.
    """
    values = np.einsum("pml,m->pl", logits, weights[2:]) + np.array([weights[0], weights[1], 0.0])
    parts = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


def _fit(logits: Floats, gold: Any) -> Floats:
    optimize: Any = require("scipy.optimize", extra="evaluation", need="fitting a calibration")
    scales = np.full(logits.shape[1], 1.0 / logits.shape[1])
    found = optimize.minimize(lambda weights: _nll(scaled(logits, weights), gold), [0.0, 0.0, *scales])
    return np.asarray(found.x)


def _nll(probabilities: Floats, gold: Any) -> float:
    return float(-np.log(np.maximum(probabilities[np.arange(len(gold)), gold], 1e-12)).mean())


def _scores(probabilities: Floats, gold: Any) -> dict[str, float]:
    right = probabilities.argmax(axis=1) == gold
    scores = {
        "pairs": float(len(gold)),
        "accuracy": float(right.mean()),
        "ece": expected_calibration_error(probabilities.max(axis=1), right),
        "brier": float(brier(probabilities, gold).mean()),
        "nll": _nll(probabilities, gold),
    }
    return {name: round(value, DIGITS) for name, value in scores.items()}


def main(command: Sequence[str] | None = None) -> None:
    """Read the command line; `command` stands for it in tests."""
    given = arguments(argparse.ArgumentParser(description="Fit what the relation logits are worth."), command)
    model = EvidenceModel(given.judge or given.model)
    first = EvidenceModel(given.model) if given.judge else None
    kept = kept_file(given.work, "relations", model=model.identity, data=given.pairs, first=first and first.identity)
    pairs = read_pairs(given.pairs, model, kept, first=first)
    fitted = fit_relations(pairs, model=model.identity, packs=pack_names(given.pairs))
    logger.info("wrote %s: %s", store_fit(model.folder, fitted), fitted.model_dump_json(indent=2))


if __name__ == "__main__":
    main()
