"""An answer in the articles' own words: the best evidence, cited."""

from collections.abc import Sequence

from core.text import visible
from core.types import QueryKind, Relation
from pipelines.attribution.markers import marked
from pipelines.contracts.evidence import Evidence, number_articles

EXTRACTIVE = "extractive"
"""Names the writer of such an answer."""


def quoted_answer(kind: QueryKind, evidence: Sequence[Evidence], *, max_sentences: int = 1) -> str:
    """
    Write the best sentences as they stand, each with its Doc[n]; empty without evidence.

    :param evidence: Judged, best first. For a statement, what settles it goes before what only mentions.
    """
    numbers = number_articles(list(evidence))
    chosen = [item for item in evidence if kind is QueryKind.QUESTION or item.relation is not Relation.MENTIONS]
    chosen = (chosen or list(evidence))[:max_sentences]
    # a number that an article's words hold is not a citation of ours: they are written as they are
    return " ".join(
        marked(" ".join(visible(item.text).split()), (numbers[item.article.article_id],)) for item in chosen
    )
