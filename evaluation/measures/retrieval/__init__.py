"""Measures of rankings; `ALL` lists them in the order of reports."""

from evaluation.measures.retrieval import ap, mean_precision, ndcg, precision, recall, rr, success
from evaluation.measures.retrieval.base import Judgements, RetrievalMeasure

ALL: tuple[RetrievalMeasure, ...] = (
    *rr.MEASURES, *ap.MEASURES, *mean_precision.MEASURES, *ndcg.MEASURES, *precision.MEASURES, *recall.MEASURES,
    *success.MEASURES,
)  # fmt: skip

__all__ = ["ALL", "Judgements", "RetrievalMeasure"]
