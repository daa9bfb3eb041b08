"""Reciprocal rank."""

from evaluation.measures.retrieval.base import RetrievalMeasure

MEASURES = (
    RetrievalMeasure(
        name="MRR",
        definition="1 / rank of the first relevant article (grade 1 or better); 0 if none is. Mean over queries.",
        source="Kantor and Voorhees, TREC-5 Confusion Track, 1997; ir-measures RR (trec_eval recip_rank).",
        expression="RR",
    ),
)
