"""Precision at k."""

from evaluation.measures.retrieval.base import RetrievalMeasure

CUT_OFFS = (1, 3, 5, 10)

MEASURES = tuple(
    RetrievalMeasure(
        name=f"P@{k}",
        definition=f"Relevant articles among the first {k}, divided by {k} even if fewer are ranked.",
        source="van Rijsbergen, Information Retrieval, 1979; ir-measures P (trec_eval P).",
        expression=f"P@{k}",
    )
    for k in CUT_OFFS
)
