"""Average precision."""

from evaluation.measures.retrieval.base import RetrievalMeasure

MEASURES = (
    RetrievalMeasure(
        name="MAP",
        definition="Mean of precision at the rank of each relevant article, those not ranked counting 0. Mean over queries.",
        source="Harman, NIST, 1992; ir-measures AP (trec_eval map).",
        expression="AP",
    ),
)
