"""Say what each article's theses are, and which side each of them takes."""

from collections.abc import Sequence

from haystack import component

from pipelines.contracts.evidence import Evidence, premise
from pipelines.contracts.span_reader import SpanReader
from pipelines.contracts.verifier import Verifier
from pipelines.systems.perspectives.side_judge import LEAST_RELEVANCE, LEAST_STANCE, SideJudge
from pipelines.systems.perspectives.stances import mean_yes
from pipelines.systems.perspectives.thesis_finder import takes_sides
from pipelines.systems.perspectives.topic import Topic
from pipelines.systems.perspectives.types import Stance, Thesis


@component
class ThesisJudge:
    """
    Keep, of each article, the sentences that bear on the query; those of one side are one thesis.

    :param reader: Says what bears on the query.
    :param verifier: Says what a sentence does to the proposition and to its denial.
    :param threads: Threads of the embedder; 0: one per core.
    :param quotes: Sentences of an article on one side at most, 1 to 3.
    :param least_relevance: A sentence bears on the query from this probability on.
    :param least_stance: A sentence takes a side from this probability on; below, it takes none.
    """

    def __init__(
        self,
        *,
        reader: SpanReader,
        verifier: Verifier,
        threads: int = 0,
        quotes: int = 3,
        least_relevance: float = LEAST_RELEVANCE,
        least_stance: float = LEAST_STANCE,
    ) -> None:
        self.reader = reader
        self.verifier = verifier
        self.threads = threads
        self.quotes = quotes
        self.least_relevance = least_relevance
        self.least_stance = least_stance
        self._sides = SideJudge(
            verifier=verifier,
            reader=reader,
            threads=threads,
            least_stance=least_stance,
            least_relevance=least_relevance,
        )

    @property
    def identity(self) -> str:
        """Name the stance head and the embedder that it was fitted on, for the run record."""
        return self._sides.identity

    @component.output_types(theses=list[Thesis], left_out=list[str])
    def run(self, query: str, evidence: list[Evidence]) -> dict[str, object]:
        """
        Judge.

        :param evidence: Candidates, article by article.
        :returns: `theses`, for each article that bears on the query one a side that its quotes take, or one that takes
            none; in the order of `evidence`. `left_out`: headlines of articles of which no sentence bears on it.
        """
        kept, topic = self._relevant(query, evidence), Topic(query)
        yes = self._sides.yes(query, [item.text for item in kept])
        grouped: dict[str, list[tuple[Evidence, float]]] = {}
        for item, value in zip(kept, yes, strict=True):
            grouped.setdefault(item.article.article_id, []).append((item, value))
        theses = [thesis for own in grouped.values() for thesis in self._theses(own, topic)]
        others = {item.article.headline: None for item in evidence if item.article.article_id not in grouped}
        return {"theses": theses, "left_out": list(others)}

    def _relevant(self, query: str, evidence: list[Evidence]) -> list[Evidence]:
        """
        Return the sentences that bear on the query, scored by relevance, in order.

        An article counts only if one of its sentences, behind its headline, is about what the query is about.
        """
        topic = Topic(query)
        about = {item.article.article_id for item in evidence if topic.has(premise(item))}
        asked = [item for item in evidence if item.article.article_id in about]
        relevances = self._sides.relevances(query, [premise(item) for item in asked])
        return [
            item.model_copy(update={"score": relevance})
            for item, relevance in zip(asked, relevances, strict=True)
            if relevance >= self.least_relevance
        ]

    def _theses(self, judged: Sequence[tuple[Evidence, float]], topic: Topic) -> list[Thesis]:
        """Make one thesis of each side's quotes; one of all of them where none takes a side."""
        sides: dict[Stance, list[tuple[Evidence, float]]] = {}
        for item, yes in judged:
            sides.setdefault(self._stance(item.text, yes, topic), []).append((item, yes))
        taken: list[Stance] = [stance for stance in (Stance.YES, Stance.NO) if stance in sides]
        return [self._thesis(stance, sides[stance]) for stance in taken or [Stance.MIXED]]

    def _stance(self, text: str, yes: float, topic: Topic) -> Stance:
        """Name the side of a quote: it must name the matter, and judge, demand or tell what was said."""
        return self._sides.stance(yes) if takes_sides(text) and topic.names_matter(text) else Stance.MIXED

    def _thesis(self, stance: Stance, judged: Sequence[tuple[Evidence, float]]) -> Thesis:
        best = sorted(judged, key=lambda one: _order(*one, stance=stance))[: self.quotes]
        quotes = tuple(item for item, _ in best)
        yes = mean_yes([value for _, value in best])
        return Thesis(article=quotes[0].article, text=quotes[0].text, quotes=quotes, stance=stance, yes=yes)


def _order(item: Evidence, yes: float, *, stance: Stance) -> tuple[float, int]:
    """Put first what takes the side most surely; where none is taken, what bears on the query most."""
    sure = {Stance.YES: yes, Stance.NO: 1 - yes, Stance.MIXED: 0.0}[stance]
    return (-(sure + item.score + item.relevance), item.start)
