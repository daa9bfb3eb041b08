"""From checked evidence to a verdict."""

from haystack import component

from core.types import QueryKind, Relation, Verdict
from pipelines.findings import CheckedAnswer, Evidence, Ruling

METHOD = "uncalibrated-1"


@component
class VerdictWriter:
    """
    Rule on a query.

    :param answer_threshold: A question is answered from this probability on.
    :param relevance_threshold: Evidence bears on a statement from this relevance on.
    """

    def __init__(self, *, answer_threshold: float = 0.01, relevance_threshold: float = 0.2) -> None:
        self.answer_threshold = answer_threshold
        self.relevance_threshold = relevance_threshold

    @component.output_types(ruling=Ruling)
    def run(self, kind: QueryKind, checked: CheckedAnswer) -> dict[str, Ruling]:
        """
        Rule.

        :returns: `ruling`.
        """
        rule = self._question if kind is QueryKind.QUESTION else self._statement
        return {"ruling": rule(checked)}

    def _question(self, checked: CheckedAnswer) -> Ruling:
        best = max((item.score for item in checked.evidence), default=0.0)
        answered = bool(checked.text) and best >= self.answer_threshold
        evidence = tuple(_with_relation(item, index, checked.evidence) for index, item in enumerate(checked.evidence))
        return Ruling(
            kind=QueryKind.QUESTION,
            has_evidence=answered,
            verdict=Verdict.VERIFIED if answered else Verdict.UNVERIFIED,
            confidence=best,
            method=METHOD,
            answer=checked.text if answered else "",
            evidence=evidence if answered else (),
            missing=() if answered else ("No sentence in the indexed articles answers the question.",),
        )

    def _statement(self, checked: CheckedAnswer) -> Ruling:
        relevant = tuple(item for item in checked.evidence if item.relevance >= self.relevance_threshold)
        supporting = [item for item in relevant if item.relation is Relation.SUPPORTS]
        best = max((item.score for item in supporting or relevant), default=0.0)
        return Ruling(
            kind=QueryKind.STATEMENT,
            has_evidence=bool(relevant),
            verdict=Verdict.VERIFIED if supporting else Verdict.UNVERIFIED,
            confidence=best if supporting else 1.0 - best,
            method=METHOD,
            answer=checked.text if relevant else "",
            evidence=relevant,
            missing=() if supporting else ("No sentence in the indexed articles settles the statement.",),
        )


def _with_relation(item: Evidence, index: int, evidence: tuple[Evidence, ...]) -> Evidence:
    same = item.answer and item.answer.lower() in evidence[0].text.lower()
    return item.model_copy(update={"relation": Relation.SUPPORTS if index == 0 or same else Relation.MENTIONS})
