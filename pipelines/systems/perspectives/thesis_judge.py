"""Say what each article's thesis is, and which side it takes."""

from collections.abc import Sequence

from haystack import component

from models.embedder import OnnxEmbedder
from models.hashes import file_hash
from models.stance import HEAD, SHIPPED_STANCE, StanceHead
from pipelines.contracts.evidence import Evidence, premise
from pipelines.contracts.span_reader import SpanReader
from pipelines.reading.windows import word_stems
from pipelines.systems.perspectives.proposition import is_yes_or_no, proposition
from pipelines.systems.perspectives.stances import StanceModel, mean_yes, stance_of
from pipelines.systems.perspectives.types import Thesis


@component
class ThesisJudge:
    """
    Keep, of each article, the sentences that bear most on the query; the first is its thesis.

    :param reader: Says what bears on the query.
    :param threads: Threads of the embedder; 0: one per core.
    :param quotes: Sentences of an article at most, 1 to 3.
    :param least_relevance: A sentence bears on the query from this probability on.
    :param least_apart: The same for one that shares no word with the query, nor does its headline.
    :param least_stance: An article takes a side from this probability on; below, it is mixed.
    """

    def __init__(
        self,
        *,
        reader: SpanReader,
        threads: int = 0,
        quotes: int = 3,
        least_relevance: float = 0.6,
        least_apart: float = 0.9,
        least_stance: float = 0.7,
    ) -> None:
        self.reader = reader
        self.threads = threads
        self.quotes = quotes
        self.least_relevance = least_relevance
        self.least_apart = least_apart
        self.least_stance = least_stance
        self._stances: StanceModel | None = None
        self._identity: str | None = None

    @property
    def identity(self) -> str:
        """Name the stance head and the embedder that it was fitted on, for the run record."""
        if self._identity is None:
            head = f"{SHIPPED_STANCE.name}@{file_hash(SHIPPED_STANCE / HEAD)[:12]}"
            self._identity = f"{head} on {OnnxEmbedder().identity}"
        return self._identity

    @component.output_types(theses=list[Thesis])
    def run(self, query: str, evidence: list[Evidence]) -> dict[str, list[Thesis]]:
        """
        Judge.

        :param evidence: Candidates, article by article.
        :returns: `theses`, one per article that bears on the query, in the order of `evidence`.
        """
        kept = self._relevant(query, evidence)
        yes = self._yes(query, kept)
        grouped: dict[str, list[int]] = {}
        for index, item in enumerate(kept):
            grouped.setdefault(item.article.article_id, []).append(index)
        return {"theses": [self._thesis([(kept[one], yes[one]) for one in own]) for own in grouped.values()]}

    def _relevant(self, query: str, evidence: list[Evidence]) -> list[Evidence]:
        """Return the best sentences of each article, best first, scored by relevance."""
        readings = self.reader.read([(query, premise(item)) for item in evidence])
        wanted = word_stems(query)
        scored = [
            item.model_copy(update={"score": reading.relevance})
            for item, reading in zip(evidence, readings, strict=True)
            if reading.relevance >= (self.least_relevance if wanted & word_stems(premise(item)) else self.least_apart)
        ]
        articles: dict[str, list[Evidence]] = {}
        for item in scored:
            articles.setdefault(item.article.article_id, []).append(item)
        return [item for own in articles.values() for item in sorted(own, key=_order)[: self.quotes]]

    def _yes(self, query: str, evidence: Sequence[Evidence]) -> list[float]:
        """Return how much each sentence says yes; a question that yes does not answer has no sides."""
        if not is_yes_or_no(query) or not evidence:
            return [0.5] * len(evidence)
        if self._stances is None:
            # The head was fitted on the shipped embedder, whatever the index uses.
            self._stances = StanceHead(OnnxEmbedder(threads=self.threads).embed)
        stated = proposition(query)
        return self._stances.probability_yes([(stated, item.text) for item in evidence])

    def _thesis(self, judged: list[tuple[Evidence, float]]) -> Thesis:
        yes = mean_yes([one for _, one in judged])
        first = judged[0][0]
        return Thesis(
            article=first.article,
            text=first.text,
            quotes=tuple(item for item, _ in judged),
            stance=stance_of(yes, least=self.least_stance),
            yes=yes,
        )


def _order(item: Evidence) -> tuple[float, int]:
    return (-(item.score + item.relevance), item.start)
