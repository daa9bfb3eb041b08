"""From checked evidence to a verdict."""

from collections.abc import Sequence

from haystack import component

from core.types import QueryKind, Relation, Verdict
from models.calibration import UNCALIBRATED, Calibration
from pipelines.attribution.grounding import holds
from pipelines.contracts.evidence import CheckedAnswer, ConflictKind, Evidence, Ruling
from pipelines.contracts.verifier import Verifier
from pipelines.rendering.missing_evidence import missing_for_question, missing_for_statement


@component
class VerdictWriter:
    """
    Rule on a query.

    >>> supporting = evidence[0].model_copy(update={"relation": Relation.SUPPORTS})
    >>> checked = CheckedAnswer(text="Its repairs cost 48 million crowns Doc[1].", evidence=(supporting,))
    >>> VerdictWriter(verifier=verifier).run(QueryKind.STATEMENT, checked)["ruling"].verdict.value
    'verified'

    :param verifier: What judged the evidence of a statement; it names the method.
    :param answer_calibration: What the reader's answers are worth.
    :param answer_threshold: A question gets an answer from this probability on; below, it is declined. None: as the
        calibration says.
    :param verified_threshold: The answer is verified from this probability on; below, it is shown as unverified. None:
        as the calibration says.
    :param relevance_threshold: A sentence bears on a statement from this relevance on, or if it supports or refutes.
    :param verdict_threshold: Below this confidence a statement stays unverified.
    """

    def __init__(
        self,
        *,
        verifier: Verifier,
        answer_calibration: Calibration = UNCALIBRATED,
        answer_threshold: float | None = None,
        verified_threshold: float | None = None,
        relevance_threshold: float = 0.1,
        verdict_threshold: float = 0.5,
    ) -> None:
        self.verifier = verifier
        self.answer_calibration = answer_calibration
        self.answer_threshold = answer_threshold
        self.verified_threshold = verified_threshold
        self.relevance_threshold = relevance_threshold
        self.verdict_threshold = verdict_threshold

    @component.output_types(ruling=Ruling)
    def run(self, kind: QueryKind, checked: CheckedAnswer) -> dict[str, Ruling]:
        """
        Rule.

        :param checked: Its evidence as the verifier judged it, corrections weighed.
        :returns: `ruling`.
        """
        rule = self._question if kind is QueryKind.QUESTION else self._statement
        return {"ruling": rule(checked)}

    def _question(self, checked: CheckedAnswer) -> Ruling:
        # A model's answer stands or falls with its own sources, which are marked; others have only mentions here.
        sources = [item for item in checked.evidence if item.relation is Relation.SUPPORTS] or checked.evidence
        best = max((item.score for item in sources), default=0.0)
        calibration = self.answer_calibration
        shown_from = _either(self.answer_threshold, calibration.answer.shown_from)
        answered = bool(checked.text) and best >= shown_from
        verified_from = _either(self.verified_threshold, calibration.answer.verified_from)
        verified = answered and best >= verified_from and _is_borne_out(sources, threshold=verified_from)
        return Ruling(
            kind=QueryKind.QUESTION,
            has_evidence=answered,
            verdict=Verdict.VERIFIED if verified else Verdict.UNVERIFIED,
            confidence=best if verified else 1.0 - best,
            method=f"answer: {calibration.method}",
            answer=checked.text if answered else "",
            evidence=with_answer(checked.evidence, threshold=shown_from) if answered else (),
            missing=() if verified else missing_for_question(checked.evidence),
        )

    def _statement(self, checked: CheckedAnswer) -> Ruling:
        evidence = tuple(
            item
            for item in checked.evidence
            if item.relation is not Relation.MENTIONS or item.relevance >= self.relevance_threshold
        )
        supports, refutes = _best(evidence, Relation.SUPPORTS), _best(evidence, Relation.REFUTES)
        verdict = self._verdict(supports, refutes)
        return Ruling(
            kind=QueryKind.STATEMENT,
            has_evidence=bool(evidence),
            verdict=verdict,
            confidence=_confidence(verdict, supports, refutes, evidence),
            method=f"relation: {self.verifier.method}",
            answer=checked.text if evidence else "",
            evidence=evidence,
            missing=missing_for_statement(verdict, evidence),
        )

    def _verdict(self, supports: float, refutes: float) -> Verdict:
        if max(supports, refutes) < self.verdict_threshold:
            return Verdict.UNVERIFIED
        if min(supports, refutes) >= self.verdict_threshold:
            return Verdict.CONFLICTING
        return Verdict.VERIFIED if supports > refutes else Verdict.REFUTED


def _either(chosen: float | None, default: float) -> float:
    return default if chosen is None else chosen


def _is_borne_out(sources: Sequence[Evidence], *, threshold: float) -> bool:
    """Say whether the answer stands elsewhere than in a claim that its sentence calls false, from the threshold on."""
    first = max(sources, key=lambda item: item.score, default=None)
    return (
        first is None
        or not _is_disputed(first)
        or any(
            item.score >= threshold and not _is_disputed(item) and holds(item.text, first.answer) for item in sources
        )
    )


def _is_disputed(item: Evidence) -> bool:
    return any(conflict.kind is ConflictKind.DISPUTED for conflict in item.conflicts)


def _best(evidence: tuple[Evidence, ...], relation: Relation) -> float:
    return max((item.score for item in evidence if item.relation is relation), default=0.0)


def _confidence(verdict: Verdict, supports: float, refutes: float, evidence: tuple[Evidence, ...]) -> float:
    if verdict is Verdict.CONFLICTING:
        return min(supports, refutes)
    if verdict is Verdict.UNVERIFIED:
        return 1.0 - max((item.supports for item in evidence), default=0.0)
    return max(supports, refutes)


def with_answer(evidence: tuple[Evidence, ...], *, threshold: float) -> tuple[Evidence, ...]:
    """
    Mark as supporting the best evidence of a question, and what gives the same answer from the threshold on.

    Sources of a chat model's answer, which come marked, stay so.
    """
    answer = evidence[0].answer if evidence else ""

    def supports(item: Evidence) -> bool:
        same = item.score >= threshold and holds(item.text, answer) and not _is_disputed(item)
        return same or item.relation is Relation.SUPPORTS

    return tuple(
        item.model_copy(update={"relation": Relation.SUPPORTS if index == 0 or supports(item) else Relation.MENTIONS})
        for index, item in enumerate(evidence)
    )
