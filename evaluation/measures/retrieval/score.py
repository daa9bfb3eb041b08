"""
Score rankings, a batch of queries at a time, so that memory does not grow with the length of a run file.

Rules, as in trec_eval: every query with judgements counts; one that is missing from the run, or has no result, scores
the measure's default; documents without a judgement are not relevant; documents are ordered by score in single
precision (32 bits), ties by document id in descending order. Queries without judgements are left out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from evaluation.measures.retrieval import ALL
from evaluation.measures.retrieval.base import Judgements, RetrievalMeasure
from evaluation.optional_import import require

Ranking = tuple[str, Mapping[str, float]]
"""Query id, and document id to score."""
BATCH_QUERIES = 1000


def score_rankings(
    judgements: Judgements, rankings: Iterable[Ranking], *, measures: Sequence[RetrievalMeasure] = ALL
) -> Iterator[tuple[str, dict[str, float]]]:
    """
    Yield each judged query's values: first the ranked ones in the order of the run, then the missing ones.

    :param rankings: One entry a query.
    """
    ranked: set[str] = set()
    known = (ranking for ranking in rankings if ranking[0] in judgements)
    while batch := list(islice(known, BATCH_QUERIES)):
        ranked.update(query for query, _ in batch)
        yield from _score_batch(judgements, batch, measures)
    for query in judgements:
        if query not in ranked:
            yield query, {measure.name: measure.default for measure in measures}


def order(scores: Mapping[str, float]) -> list[str]:
    """Order documents as trec_eval does: by falling score in single precision, ties by falling document id."""
    with np.errstate(over="ignore"):  # beyond its range all are infinite, and equal, there too
        single = dict(zip(scores, np.array([*scores.values()]).astype(np.float32).tolist(), strict=True))
    return sorted(sorted(scores, reverse=True), key=lambda document: -single[document])


def _score_batch(
    judgements: Judgements, batch: Sequence[Ranking], measures: Sequence[RetrievalMeasure]
) -> Iterator[tuple[str, dict[str, float]]]:
    by_expression = {measure.expression: measure.name for measure in measures if measure.expression}
    values: dict[str, dict[str, float]] = {
        query: {measure.name: measure.default for measure in measures} for query, _ in batch
    }
    for query, expression, value in _library_values(judgements, batch, list(by_expression)):
        values[query][by_expression[expression]] = value
    for query, scores in batch:
        grades = [judgements[query].get(document, 0) for document in order(scores)]
        for measure in measures:
            if measure.compute is not None:
                values[query][measure.name] = measure.compute(grades) if grades else measure.default
    yield from values.items()


def _library_values(
    judgements: Judgements, batch: Sequence[Ranking], expressions: Sequence[str]
) -> Iterator[tuple[str, str, float]]:
    library: Any = require("ir_measures", extra="evaluation", need="scoring rankings")
    parsed = [(library.parse_measure(expression), expression) for expression in expressions]
    # By identity: the library hashes a measure by writing it out, which would take a third of the time.
    named = {id(measure): expression for measure, expression in parsed}
    run = {query: dict(scores) for query, scores in batch if scores}
    judged = {query: dict(judgements[query]) for query, _ in batch}
    if run and parsed:
        for metric in library.iter_calc([measure for measure, _ in parsed], judged, run):
            yield metric.query_id, named[id(metric.measure)], metric.value
