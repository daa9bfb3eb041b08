"""Normalised discounted cumulative gain."""

from evaluation.measures.retrieval.base import RetrievalMeasure

CUT_OFFS = (1, 3, 5, 10)

MEASURES = tuple(
    RetrievalMeasure(
        name=f"nDCG@{k}",
        definition=f"Sum over the first {k} ranks of grade / log2(rank + 1), divided by that of the best ranking.",
        source="Järvelin and Kekäläinen, ACM TOIS 20(4), 2002; ir-measures nDCG (trec_eval ndcg_cut, gain = grade).",
        expression=f"nDCG@{k}",
    )
    for k in CUT_OFFS
)
