"""The built-in generator: the answer is the best sentence or two, in the article's own words."""

from haystack import component

from core.types import QueryKind
from pipelines.attribution.quoted_answer import EXTRACTIVE, quoted_answer
from pipelines.contracts.evidence import Draft, Evidence


@component
class ExtractiveGenerator:
    """
    Write the answer out of the best evidence.

    >>> ExtractiveGenerator().run(QueryKind.STATEMENT, evidence)["draft"].text
    'Its repairs cost 48 million crowns Doc[1].'

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
        return {
            "draft": Draft(text=quoted_answer(kind, evidence, max_sentences=self.max_sentences), generator=EXTRACTIVE)
        }
