"""Recall at k."""

from evaluation.measures.retrieval.base import RetrievalMeasure

CUT_OFFS = (5, 10, 20, 100)

MEASURES = tuple(
    RetrievalMeasure(
        name=f"R@{k}",
        definition=f"Relevant articles among the first {k}, divided by all relevant ones.",
        source="van Rijsbergen, Information Retrieval, 1979; ir-measures R (trec_eval recall).",
        expression=f"R@{k}",
    )
    for k in CUT_OFFS
)
