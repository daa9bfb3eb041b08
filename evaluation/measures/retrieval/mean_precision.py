"""Mean of precision over cut-offs: what the News Verifiers study reports as "MAP"; not average precision."""

from collections.abc import Sequence

from evaluation.measures.retrieval.base import RetrievalMeasure

DEPTH = 10


def mean_precision(grades: Sequence[int], *, depth: int = DEPTH) -> float:
    """
    Average precision@1 to precision@depth.

    :param grades: Of the ranked articles, best first; a shorter ranking counts as padded with irrelevant ones.
    """
    found, total = 0, 0.0
    for rank in range(1, depth + 1):
        found += rank <= len(grades) and grades[rank - 1] > 0
        total += found / rank
    return total / depth


MEASURES = (
    RetrievalMeasure(
        name=f"mean_precision@{DEPTH}",
        definition=f"Mean over k = 1 to {DEPTH} of precision@k. Low where few articles are relevant.",
        source='News Verifiers, reported there as "MAP".',
        compute=mean_precision,
    ),
)
