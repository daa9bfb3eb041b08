"""
Choose from which probabilities on an article supports or refutes a statement.

    python -m evaluation.calibration.statements --pairs NEWS --pairs WIKIPEDIA --articles ARTICLES --work FOLDER

Statements are those of `evaluation.calibration.statement_corpus`, and the development halves of the bundled sample, its
retold statements and the checklist. They are put to the product as a user's would be; what was read is kept in the work
folder, for the same data, model, relation weights and code. The result is written into `calibration.json` beside the
model. Fit the relations first: these probabilities are made of theirs.

Whether an article refutes is a logistic regression on two things, how many times as likely that is as that it supports
and how many articles were found before it: an article about another matter is easily taken to deny what a statement
says. A regression on more (kinds of conflict, words and names that are missing, how much of the statement an article
has) was better on the packs it was fitted on and worse on the sample and the checklist; for supports none was better
than the plain average.
"""

import argparse
import logging
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.paths import DATASETS, SAMPLE
from core.progress import Progress, ignore_progress
from core.settings import Settings, load_settings
from evaluation.calibration.command import arguments, log_progress, pack_names
from evaluation.calibration.logistic import regress
from evaluation.calibration.readings_cache import kept_file
from evaluation.calibration.statement_corpus import CLAIMS, build
from evaluation.calibration.statement_readings import ReadStatement, read_statements
from evaluation.calibration.statement_thresholds import Bars, Stand, choose, scores
from evaluation.calibration.store import store_fit
from evaluation.data.formats.labels import Label
from evaluation.data.formats.retrieval_data import find_corpus
from evaluation.data.group_folds import joined, spread
from models.calibration import UNFITTED, RefutationWeights, VerdictThresholds, load_calibration, log_ratio
from models.evidence import EvidenceModel
from pipelines.conflicts.severity import HARD
from pipelines.contracts.verifier import SMALL
from pipelines.resources import Resources

logger = logging.getLogger(__name__)

FOLDS = 5
DIGITS = 3


def fit_statements(statements: Sequence[ReadStatement], *, model: str, packs: Sequence[str]) -> VerdictThresholds:
    """
    Choose on all statements; scores are of each fifth with what was chosen on the others.

    :param model: Identity of the model that judged.
    :param packs: Names of the packs that the statements are from.
    """
    folds = spread(joined([one.about for one in statements]), folds=FOLDS)
    fits = {fold: _fit([one for one, at in zip(statements, folds, strict=True) if at != fold]) for fold in set(folds)}
    stands = [_stand(one, fits[fold][0]) for one, fold in zip(statements, folds, strict=True)]
    verdicts = [fits[fold][1].verdict(one) for one, fold in zip(stands, folds, strict=True)]
    weights, bars = _fit(statements)
    return VerdictThresholds(
        model=model,
        fitted_on=(
            f"{len(statements)} statements put to the product: of the development parts of {', '.join(packs)}, every "
            "other passage replaced by its mirror (written), and of the sample, retold and checklist (free). "
            "Scores with weights and thresholds that were chosen on other articles."
        ),
        scores=scores(stands, verdicts),
        verified_from=bars.verified_from,
        refutation=weights,
        refuted_from=bars.refuted_from,
        sure_refuted_from=bars.sure_refuted_from,
        bare_refuted_from=bars.bare_refuted_from,
    )


def _fit(statements: Sequence[ReadStatement]) -> tuple[RefutationWeights | None, Bars]:
    weights = fit_refutation(statements)
    return weights, choose([_stand(statement, weights) for statement in statements])


def fit_refutation(statements: Sequence[ReadStatement]) -> RefutationWeights | None:
    """
    Learn from all articles that were read when one refutes: its statement is false and about it.

    Statements of each kind count alike in all.

    :returns: None where all articles refute, or none does.
    """
    articles = [(statement, article) for statement in statements for article in statement.articles]
    right = np.array([one.own and statement.label is Label.REFUTES for statement, one in articles], dtype=bool)
    if right.all() or not right.any():
        return None
    counts = Counter(statement.kind for statement, _ in articles)
    intercept, (ratio, rank) = regress(
        np.array(
            [[log_ratio(supports=one.supports, refutes=one.refutes), math.log1p(one.rank)] for _, one in articles]
        ),
        right,
        np.array([len(articles) / len(counts) / counts[statement.kind] for statement, _ in articles]),
    )
    return RefutationWeights(
        intercept=round(intercept, DIGITS), log_ratio=round(float(ratio), DIGITS), log_rank=round(float(rank), DIGITS)
    )


def _stand(statement: ReadStatement, weights: RefutationWeights | None) -> Stand:
    weighed = UNFITTED.model_copy(update={"refutation": weights})
    refutes: dict[str, float] = {}
    for one in statement.articles:
        if one.refutes > one.supports:
            reason = "sure" if HARD & set(one.conflicts) else "pointed" if one.conflicts else "bare"
            found = weighed.refuted(supports=one.supports, refutes=one.refutes, rank=one.rank)
            refutes[reason] = max(found, refutes.get(reason, 0.0))
    return Stand(
        label=statement.label,
        kind=statement.kind,
        supports=max((one.supports for one in statement.articles), default=0.0),
        sure_refutes=refutes.get("sure", 0.0),
        refutes=refutes.get("pointed", 0.0),
        bare_refutes=refutes.get("bare", 0.0),
    )


def read_all(
    packs: Sequence[Path],
    titles: Path,
    work: Path,
    settings: Settings,
    *,
    model: str,
    progress: Progress = ignore_progress,
) -> list[ReadStatement]:
    """
    Make the corpus, index it, and read all statements.

    :param model: Identity of the settings' model; what was read with another one is not taken for its.
    :param work: Kept: corpus, indexes, and what was read.
    """
    build(packs, titles, work / "statements")
    judge = [] if settings.judge == SMALL else [load_calibration(Path(settings.judge)).relation.model_dump()]
    weights = [Resources(settings).calibration().relation.model_dump(), *judge]
    found: list[ReadStatement] = []
    for name, file, kind, split in (
        ("written", work / "statements" / CLAIMS, "written", None),
        ("sample", SAMPLE / "queries.jsonl", "free", "dev"),
        ("retold", SAMPLE / "retold.jsonl", "free", "dev"),
        ("checklist", DATASETS / "checklist" / "claims.jsonl", "free", "dev"),
    ):
        data = [path for path in (file, find_corpus(file.parent)) if path]
        kept = kept_file(work, f"statements-{name}", model=model, data=data, settings=settings, relation=weights)
        found += read_statements(file, settings, kept, kind=kind, split=split, progress=progress)
    return found


def main(command: Sequence[str] | None = None) -> None:
    """Read the command line; `command` stands for it in tests."""
    parser = argparse.ArgumentParser(description="Choose from which probabilities on an article settles a statement.")
    parser.add_argument("--articles", type=Path, required=True, help="Articles with id and title, JSON lines, gzip.")
    given = arguments(parser, command)
    judge = str(given.judge or SMALL)
    settings = load_settings({"data_dir": given.work, "reader_model": str(given.model), "judge": judge})
    folder = given.judge or given.model
    identity = EvidenceModel(folder).identity
    statements = read_all(given.pairs, given.articles, given.work, settings, model=identity, progress=log_progress)
    fitted = fit_statements(statements, model=identity, packs=pack_names(given.pairs))
    logger.info("wrote %s: %s", store_fit(folder, fitted), fitted.model_dump_json(indent=2))


if __name__ == "__main__":
    main()
