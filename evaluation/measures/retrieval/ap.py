"""Average precision."""

from evaluation.measures.retrieval.base import RetrievalMeasure

MEASURES = (
    RetrievalMeasure(
        name="MAP",
        definition="Mean over relevant articles of precision at their rank, 0 if not ranked. Mean over queries.",
        source="Harman, NIST, 1992; ir-measures AP (trec_eval map).",
        expression="AP",
    ),
    RetrievalMeasure(
        name="MAP@5",
        definition="As MAP, of the first 5 alone. The measure of claims that were checked before.",
        source="Nakov et al., CheckThat! 2022, task 2; ir-measures AP@5 (trec_eval map_cut).",
        expression="AP@5",
    ),
)
