"""Statements in free wording under a passage and under its mirror, beside what their wording alone gives away."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evaluation.measures.claim_only_baseline import statement_only_labels
from evaluation.measures.stats.clustered import clustered_mean, clustered_statistic
from evaluation.measures.values import MeasureValue
from evaluation.measures.verdict.calibration import expected_calibration_error
from models.calibration import Calibration
from models.evidence import EvidenceModel, EvidenceReading
from training.data.examples import Example, Group
from training.data.sources.counterfactual_passages import mirror_groups
from training.measure.pair_accuracy import examples_of, likeliest, paired_figures
from training.measure.readings import Say, read_examples, spread

PACKS = ("news_pairs_news", "news_pairs_wikipedia")
OWN_PACKS = {"two_worlds": None, "two_articles": None, "mirrored_wikipedia": None, "mirrored_news": "allsides_articles"}
"""Ship with Looksy; named is the pack of articles that passages are parts of, which does not. The others stand behind
their headlines, where they have one."""
_LABELS = ("supports", "refutes", "neutral")


def measure_mirrors(
    model: EvidenceModel, calibration: Calibration, data: Path, *, limit: int, say: Say
) -> dict[str, MeasureValue]:
    """
    Measure on the development parts of `news_pairs` and of our own mirrors.

    :param limit: Groups (a statement under one or two passages) at most; 0: all.
    :returns: Among others `both right` and `order`, over statements that turn between supports and refutes, two-way.
    """
    groups = spread(mirror_groups(data, PACKS, splits=("dev",), far=0.0, headlines=0.0), limit)
    examples = examples_of(groups)
    readings = read_examples(model, examples, say=say, what="mirrors")
    figures = paired_figures(groups, readings, name="news_pairs dev mirrors")
    plain = _plain(groups)
    blind = _statement_only(plain, mirror_groups(data, PACKS, far=0.0, headlines=0.0))
    if blind is not None:
        figures["news_pairs dev, statement only (three-way)"] = blind
    by_example = dict(zip(map(id, examples), readings, strict=True))
    right = [float(likeliest(by_example[id(example)]) == example.relation) for example in plain]
    figures["news_pairs dev, given the passage (three-way)"] = clustered_mean(
        right, [example.passage for example in plain]
    )
    figures["news_pairs dev, ECE of the calibrated relation"] = calibration_error(calibration, examples, readings)
    for pack, articles in OWN_PACKS.items():
        own = mirror_groups(
            data, [pack], splits=("dev",), far=0.0, headlines=0.0 if articles else 1.0, articles=articles
        )
        own = spread(own, limit)
        figures |= paired_figures(
            own, read_examples(model, examples_of(own), say=say, what=pack), name=f"{pack} dev mirrors"
        )
    return figures


def calibration_error(
    calibration: Calibration, examples: Sequence[Example], readings: Sequence[EvidenceReading]
) -> MeasureValue:
    """Compute the calibration error of the likeliest of three relations."""
    chances = np.array([calibration.relation_probabilities(reading.relation_logits) for reading in readings])
    right = chances.argmax(axis=1) == np.array([example.relation for example in examples])
    confidence = chances.max(axis=1)
    return clustered_statistic(
        [example.passage for example in examples],
        lambda picks: expected_calibration_error(confidence[picks], right[picks]),
        resamples=300,
        basic=True,
    )


def _statement_only(measured: Sequence[Example], training: Sequence[Group]) -> MeasureValue | None:
    """Measure a bag of words that sees no passage, fitted on the training part and other passages' statements."""
    learned = _plain(training)
    examples = [*measured, *learned]
    labels = [_LABELS[example.relation or 0] for example in examples]
    passages = [example.passage for example in examples]
    given = statement_only_labels([example.query for example in examples], labels, passages)
    if given is None:
        return None
    right = [float(one == label) for one, label in zip(given, labels, strict=True)]
    return clustered_mean(right[: len(measured)], passages[: len(measured)])


def _plain(groups: Sequence[Group]) -> list[Example]:
    """Return the statements with their own passages, mirrors left out."""
    return [group.examples[0] for group in groups]
