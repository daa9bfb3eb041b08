"""Average precision."""

from evaluation.measures.retrieval.base import RetrievalMeasure

MEASURES = (
    RetrievalMeasure(
        name="MAP",
        definition="Mean over relevant articles of precision at their rank, 0 if not ranked. Mean over queries.",
        source="Harman, NIST, 1992; ir-measures AP (trec_eval map).",
        expression="AP",
    ),
)
