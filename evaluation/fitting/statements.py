"""
Fit where an article stands towards a statement, and from which probabilities on it supports or refutes.

    python -m evaluation.fitting.statements --pairs NEWS --pairs WIKIPEDIA --articles ARTICLES --work FOLDER

Statements are those of `evaluation.fitting.statement_corpus`, and the development halves of the bundled sample and
checklist. They are put to the product as a user's would be; what was read for a model is kept in the work folder. The
result is written into `calibration.json` beside the model. Fit the relations first: these features are made of them.
"""

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.paths import DATASETS, SAMPLE
from core.progress import Progress, ignore_progress
from core.settings import Settings, load_settings
from evaluation.extras import require
from evaluation.fitting.command import arguments, log_progress, pack_names
from evaluation.fitting.examples import Floats
from evaluation.fitting.statement_corpus import CLAIMS, build
from evaluation.fitting.statement_readings import ReadStatement, read_statements
from evaluation.fitting.statement_thresholds import Stand, choose, held_out_scores
from evaluation.fitting.store import store_fit
from evaluation.formats.labels import Label
from models.calibration import SideWeights, StatementWeights
from models.evidence import EvidenceModel
from pipelines.standing import FEATURES

logger = logging.getLogger(__name__)

FOLDS = 5
RIDGE = 0.1
"""Inverse strength of the penalty on weights of standardised features."""
DIGITS = 3
_LABELS = (Label.SUPPORTS, Label.REFUTES, Label.NEITHER)


class Fit:
    """
    Weights of the two sides against neither.

    :param weights: Shape (2, features).
    :param intercepts: Shape (2,).
    """

    def __init__(self, weights: Floats, intercepts: Floats) -> None:
        self.weights = weights
        self.intercepts = intercepts

    def stand(self, statement: ReadStatement) -> Stand:
        """Judge a statement by its articles."""
        logits = _rows(statement) @ self.weights.T + self.intercepts  # (articles, 2)
        parts = np.exp(np.concatenate([logits, np.zeros((len(logits), 1))], axis=1))
        chances = parts / parts.sum(axis=1, keepdims=True)  # (articles, 3)
        pointed = np.array([article.conflict for article in statement.articles], dtype=bool)
        return Stand(
            label=statement.label,
            supports=float(chances[:, 0].max(initial=0.0)),
            refutes=float(chances[pointed, 1].max(initial=0.0)),
            bare_refutes=float(chances[~pointed, 1].max(initial=0.0)),
        )


def _rows(statement: ReadStatement) -> Floats:
    """Shape (articles, features)."""
    values = [[article.features[name] for name in FEATURES] for article in statement.articles]
    return np.array(values, dtype=np.float64).reshape(len(values), len(FEATURES))


def fit(statements: Sequence[ReadStatement]) -> Fit:
    """
    Weigh the features of all articles; one that the statement is not about has nothing to say.

    :raises ConfigError: Without the extra [evaluation].
    """
    linear: Any = require("sklearn.linear_model", extra="evaluation", need="fitting a calibration")
    rows = np.concatenate([_rows(statement) for statement in statements])
    gold = [
        _LABELS.index(statement.label) if article.own and statement.label in _LABELS else 2
        for statement in statements
        for article in statement.articles
    ]
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1.0
    model = linear.LogisticRegression(C=RIDGE, max_iter=5000).fit((rows - mean) / spread, gold)
    weights = (model.coef_[:2] - model.coef_[2]) / spread
    intercepts = model.intercept_[:2] - model.intercept_[2] - weights @ mean
    return Fit(weights, intercepts)


def fit_statements(statements: Sequence[ReadStatement], *, model: str, packs: Sequence[str]) -> StatementWeights:
    """
    Fit on all statements; thresholds and scores come from cross-fitting over articles.

    :param model: Identity of the model that judged.
    :param packs: Names of the packs that the statements are from.
    """
    groups = {group: number for number, group in enumerate(sorted({one.group for one in statements}))}
    folds = [groups[one.group] % FOLDS for one in statements]
    held_out: dict[str, Stand] = {}
    for fold in sorted(set(folds)):
        fitted = fit([one for one, at in zip(statements, folds, strict=True) if at != fold])
        held_out |= {one.id: fitted.stand(one) for one, at in zip(statements, folds, strict=True) if at == fold}
    stands = [held_out[one.id] for one in statements]
    bars = choose(stands)
    final = fit(statements)
    supports, refutes = (
        SideWeights(
            intercept=round(float(intercept), DIGITS),
            weights={name: round(float(weight), DIGITS) for name, weight in zip(FEATURES, weights, strict=True)},
        )
        for intercept, weights in zip(final.intercepts, final.weights, strict=True)
    )
    return StatementWeights(
        model=model,
        fitted_on=(
            f"Multinomial logistic regression on {len(statements)} statements put to the product: of the development "
            f"parts of {', '.join(packs)}, every other passage replaced by its mirror, and of the sample and the "
            "checklist. Thresholds and scores by five-fold cross-fitting over articles."
        ),
        scores=held_out_scores(stands, bars),
        supports=supports,
        refutes=refutes,
        verified_from=bars.verified_from,
        refuted_from=bars.refuted_from,
        bare_refuted_from=bars.bare_refuted_from,
    )


def read_all(
    packs: Sequence[Path], titles: Path, work: Path, settings: Settings, *, progress: Progress = ignore_progress
) -> list[ReadStatement]:
    """
    Make the corpus, index it, and read all statements.

    :param work: Kept: corpus, indexes, and what was read.
    """
    build(packs, titles, work / "statements")
    found: list[ReadStatement] = []
    for name, file, split in (
        ("written", work / "statements" / CLAIMS, None),
        ("sample", SAMPLE / "queries.jsonl", "dev"),
        ("checklist", DATASETS / "checklist" / "claims.jsonl", "dev"),
    ):
        identity = EvidenceModel(Path(settings.reader_model or "")).identity
        kept = work / f"statements-{name}-{identity}.jsonl"
        found += read_statements(file, settings, kept, split=split, progress=progress)
    return found


def main(command: Sequence[str] | None = None) -> None:
    """Read the command line; `command` stands for it in tests."""
    parser = argparse.ArgumentParser(description="Fit where an article stands towards a statement.")
    parser.add_argument("--articles", type=Path, required=True, help="Articles with id and title, JSON lines, gzip.")
    given = arguments(parser, command)
    settings = load_settings({"data_dir": given.work, "reader_model": str(given.model)})
    statements = read_all(given.pairs, given.articles, given.work, settings, progress=log_progress)
    fitted = fit_statements(statements, model=EvidenceModel(given.model).identity, packs=pack_names(given.pairs))
    logger.info("wrote %s: %s", store_fit(given.model, fitted), fitted.model_dump_json(indent=2))


if __name__ == "__main__":
    main()
