"""Score the replies and choose the best; below the floors, none."""

from haystack import component

from pipelines.contracts.span_reader import SpanReader
from pipelines.contracts.verifier import Verifier
from pipelines.systems.counter.compose import WORDS, Length
from pipelines.systems.counter.floors import FLOOR, with_floors
from pipelines.systems.counter.scores import Scorer
from pipelines.systems.counter.types import Candidate, ChosenReply, Material


@component
class CounterChooser:
    """
    Choose the best reply.

    :param verifier: Judges what a reply says.
    :param reader: Judges what it bears on.
    :param floor: Least mean of the scores.
    """

    def __init__(self, *, verifier: Verifier, reader: SpanReader, floor: float = FLOOR) -> None:
        self.verifier = verifier
        self.reader = reader
        self.floor = floor

    @component.output_types(chosen=ChosenReply)
    def run(self, query: str, material: Material, candidates: list[Candidate], length: str) -> dict[str, ChosenReply]:
        """
        Choose.

        :param length: A `Length`.
        :returns: `chosen`.
        """
        if material.why_not:
            return {"chosen": ChosenReply(reply=None, others=(), why_not=material.why_not)}
        scorer = Scorer(
            query,
            material.quotes,
            verifier=self.verifier,
            reader=self.reader,
            max_words=WORDS[Length(length)],
        )
        judged = [with_floors(scorer.judge(candidate), floor=self.floor) for candidate in candidates]
        ranked = sorted(judged, key=lambda one: (bool(one.fault), -one.total))
        if not ranked:
            why = f"No sentence that refutes it can be quoted whole in {WORDS[Length(length)]} words."
            return {"chosen": ChosenReply(reply=None, others=(), why_not=why)}
        if ranked[0].fault:
            why = f"None of {len(ranked)} replies is good enough. The best: {ranked[0].fault}"
            return {"chosen": ChosenReply(reply=None, others=tuple(ranked), why_not=why)}
        return {"chosen": ChosenReply(reply=ranked[0], others=tuple(ranked[1:]))}
