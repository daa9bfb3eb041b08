"""Success at k."""

from evaluation.measures.retrieval.base import RetrievalMeasure

CUT_OFFS = (1, 5, 10)

MEASURES = tuple(
    RetrievalMeasure(
        name=f"success@{k}",
        definition=f"1 if a relevant article is among the first {k}, else 0.",
        source="ir-measures Success (trec_eval success).",
        expression=f"Success@{k}",
    )
    for k in CUT_OFFS
)
