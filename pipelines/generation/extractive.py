"""The built-in generator: the answer is the best sentence or two, in the article's own words."""

from haystack import component

from core.types import QueryKind, Relation
from pipelines.attribution.citations import CitedSentence
from pipelines.contracts.evidence import Draft, Evidence, number_articles
from pipelines.rendering.escape import visible

NAME = "extractive"


@component
class ExtractiveGenerator:
    """
    Write the answer out of the best evidence.

    :param max_sentences: Sentences in the answer.
    """

    def __init__(self, *, max_sentences: int = 1) -> None:
        self.max_sentences = max_sentences

    @component.output_types(draft=Draft)
    def run(
        self, kind: QueryKind, evidence: list[Evidence], query: str = "", mode: str | None = None
    ) -> dict[str, Draft]:
        """
        Write the answer. `query` and `mode` are for generators that ask a model.

        :param evidence: Judged, best first.
        :returns: `draft`: cited sentences; empty text without evidence.
        """
        numbers = number_articles(evidence)
        chosen = [item for item in evidence if kind is QueryKind.QUESTION or item.relation is not Relation.MENTIONS]
        chosen = (chosen or evidence)[: self.max_sentences]
        text = " ".join(_cited(item.text, numbers[item.article.article_id]).marked() for item in chosen)
        return {"draft": Draft(text=text, generator=NAME)}


def _cited(text: str, number: int) -> CitedSentence:
    """Cite an article's words as they are: a number that they hold is no citation of ours."""
    return CitedSentence(text=" ".join(visible(text).split()), numbers=(number,))
