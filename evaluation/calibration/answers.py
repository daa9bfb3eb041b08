"""
Fit the probability that an answer is right, and the thresholds from which it is shown and verified.

    python -m evaluation.calibration.answers --pairs NEWS --pairs WIKIPEDIA --articles ARTICLES --work FOLDER

The questions are those of `evaluation.calibration.pairs`, and the bundled sample's development half ("free": worded far
from the articles, some without an answer). They are read as the product reads them; what was read is kept in the work
folder, for the same data, model and code. The result is written into `calibration.json` beside the model.
"""

import argparse
import logging
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from core.progress import Progress, ignore_progress
from core.settings import Settings, load_settings
from evaluation.calibration.answer_readings import ReadQuestion, read_questions
from evaluation.calibration.command import arguments, log_progress, pack_names
from evaluation.calibration.crossfit import cross_fit, held_out_scores
from evaluation.calibration.examples import Example, make_examples
from evaluation.calibration.logistic import SHARES, fit_weights
from evaluation.calibration.pairs import build
from evaluation.calibration.readings_cache import kept_file
from evaluation.calibration.store import store_fit
from evaluation.calibration.thresholds import choose_thresholds
from evaluation.data.corpora import index_corpus
from evaluation.data.formats.questions import QueryRow, read_queries
from models.calibration import AnswerWeights
from models.evidence import EvidenceModel
from pipelines.reading.answer_features import FEATURES
from pipelines.resources import SHIPPED_EVIDENCE_MODEL

logger = logging.getLogger(__name__)

SAMPLE = Path(__file__).parent.parent / "datasets" / "sample"
DIGITS = 4


def fit_answers(examples: Sequence[Example], *, model: str, packs: Sequence[str]) -> AnswerWeights:
    """
    Fit on all examples; scores come from cross-fitting.

    :param model: Identity of the model that read.
    :param packs: Names of the packs that the written questions are from.
    """
    judged = cross_fit(examples)
    weights = fit_weights(examples)
    chosen = choose_thresholds([one.answer for one in judged])
    return AnswerWeights(
        model=model,
        fitted_on=_described(examples, packs),
        scores=held_out_scores(judged),
        intercept=round(weights.intercept, DIGITS),
        weights={name: round(float(weight), DIGITS) for name, weight in zip(FEATURES, weights.weights, strict=True)},
        shown_from=chosen.shown_from,
        verified_from=chosen.verified_from,
    )


def _described(examples: Sequence[Example], packs: Sequence[str]) -> str:
    counts = Counter(example.kind for example in examples)
    parts = ", ".join(f"{counts[kind]} {kind} ({share:.0%} of the weight)" for kind, share in SHARES.items())
    return (
        f"Logistic regression on the candidate answers of {len(examples)} questions: {parts}. Answered and near: "
        f"written on passages of {', '.join(packs)} that the model was not trained on; absent: on articles that the "
        "corpus lacks; free: the sample's development half. Scores by nested five-fold cross-fitting over passages, "
        "weighted alike."
    )


def read_all(
    pairs: Sequence[Path], articles: Path, work: Path, settings: Settings, *, progress: Progress = ignore_progress
) -> list[ReadQuestion]:
    """
    Make the corpus, index it, and read all questions of all kinds.

    :param work: Kept: corpus, indexes, and what was read.
    """
    build(pairs, articles, work)
    identity = EvidenceModel(Path(settings.reader_model or SHIPPED_EVIDENCE_MODEL)).identity
    written = read_queries(work / "queries.jsonl")
    free = [
        row.model_copy(update={"split": "free"})
        for row in read_queries(SAMPLE / "queries.jsonl")
        if row.split == "dev" and row.kind == "question"
    ]
    found: list[ReadQuestion] = []
    for name, corpus, rows in (
        ("written", work / "articles.jsonl", written),
        ("free", SAMPLE / "articles.jsonl.gz", free),
    ):
        data = [corpus, corpus.with_name("queries.jsonl")]
        kept = kept_file(work, f"read-{name}", model=identity, data=data, settings=settings)
        found += _read(corpus, rows, settings, kept, progress)
    return found


def _read(
    corpus: Path, rows: Sequence[QueryRow], settings: Settings, kept: Path, progress: Progress
) -> list[ReadQuestion]:
    indexed = index_corpus(corpus, settings, progress=progress)
    return read_questions(rows, indexed.settings, kept, store=indexed.store, progress=progress)


def main(command: Sequence[str] | None = None) -> None:
    """Read the command line; `command` stands for it in tests."""
    parser = argparse.ArgumentParser(description="Fit the probability that an answer is right.")
    parser.add_argument("--articles", type=Path, required=True, help="Articles with id, title, body, JSON lines, gzip.")
    given = arguments(parser, command)
    settings = load_settings({"data_dir": given.work, "reader_model": str(given.model)})
    questions = read_all(given.pairs, given.articles, given.work, settings, progress=log_progress)
    fitted = fit_answers(
        make_examples(questions), model=EvidenceModel(given.model).identity, packs=pack_names(given.pairs)
    )
    logger.info("wrote %s: %s", store_fit(given.model, fitted), fitted.model_dump_json(indent=2))


if __name__ == "__main__":
    main()
