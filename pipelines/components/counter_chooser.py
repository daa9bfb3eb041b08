"""Score the replies and choose the best; below the floors, none."""

from haystack import component

from pipelines.counter.compose import WORDS, Length
from pipelines.counter.parts import Candidate, ChosenReply, JudgedReply, Material
from pipelines.counter.scores import Scorer
from pipelines.resources import Resources

FLOORS = {
    "refutation": 0.5,
    "factuality": 0.75,
    "politeness": 0.75,
    "relevance to claim": 0.1,
    "relevance to evidence": 0.5,
}
"""Least value of each score."""


@component
class CounterChooser:
    """
    Choose the best reply.

    :param floor: Least mean of the scores.
    """

    def __init__(self, *, floor: float = 0.6) -> None:
        self.floor = floor
        self.resources: Resources | None = None

    @component.output_types(chosen=ChosenReply)
    def run(self, query: str, material: Material, candidates: list[Candidate], length: str) -> dict[str, ChosenReply]:
        """
        Choose.

        :param length: A `Length`.
        :returns: `chosen`.
        """
        assert self.resources is not None, "the engine sets the resources"  # noqa: S101
        if material.why_not:
            return {"chosen": ChosenReply(reply=None, others=(), why_not=material.why_not)}
        scorer = Scorer(
            query,
            material.quotes,
            verifier=self.resources.verifier(),
            model=self.resources.evidence_model(),
            max_words=WORDS[Length(length)],
        )
        judged = [self._judged(scorer, candidate) for candidate in candidates]
        ranked = sorted(judged, key=lambda one: (bool(one.fault), -one.total))
        if not ranked or ranked[0].fault:
            why = f"None of {len(ranked)} replies is good enough. The best: {ranked[0].fault if ranked else 'none'}"
            return {"chosen": ChosenReply(reply=None, others=tuple(ranked), why_not=why)}
        return {"chosen": ChosenReply(reply=ranked[0], others=tuple(ranked[1:]))}

    def _judged(self, scorer: Scorer, candidate: Candidate) -> JudgedReply:
        """Score a reply; below a floor is a fault."""
        judged = scorer.judge(candidate)
        low = [score for score in judged.scores if score.value < FLOORS[score.name]]
        if not judged.fault and low:
            fault = f"Its {low[0].name} is {low[0].value:.2f}; at least {FLOORS[low[0].name]:.2f} is needed."
            return judged.model_copy(update={"fault": fault})
        if not judged.fault and judged.total < self.floor:
            fault = f"Its scores come to {judged.total:.2f}; at least {self.floor:.2f} is needed."
            return judged.model_copy(update={"fault": fault})
        return judged
