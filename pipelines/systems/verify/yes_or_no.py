"""The ruling on what a yes/no question asks about, turned into its answer."""

from core.types import QueryKind, Relation, Verdict
from pipelines.conflicts.analysis import analyse
from pipelines.contracts import Evidence, Ruling

_TURNED = {Relation.REFUTES: Relation.SUPPORTS, Relation.SUPPORTS: Relation.REFUTES}


def yes_or_no(ruling: Ruling, statement: str) -> Ruling:
    """
    Turn a ruling on the statement behind a question into one on its answer.

    *Verified* answers yes, *refuted* no. Either answer is verified: the quotes that refute the statement support the
    answer no, and the other way round. What is conflicting or unverified gets no yes or no, and neither does what rests
    on quotes without any word of the statement: read beside a bare yes, they answer nothing.
    """
    asked = ruling.model_copy(update={"kind": QueryKind.QUESTION})
    answered = {Verdict.VERIFIED: Relation.SUPPORTS, Verdict.REFUTED: Relation.REFUTES}.get(ruling.verdict)
    if answered is None:
        return asked
    quotes = [item for item in ruling.evidence if item.relation is answered]
    if not any(_shares_a_word(statement, item) for item in quotes):
        evidence = tuple(item.model_copy(update={"relation": Relation.MENTIONS}) for item in ruling.evidence)
        update = {"verdict": Verdict.UNVERIFIED, "confidence": 1.0 - ruling.confidence, "evidence": evidence}
        return asked.model_copy(update=update)
    if ruling.verdict is Verdict.VERIFIED:
        return asked.model_copy(update={"answer": f"Yes. {ruling.answer}".strip()})
    return asked.model_copy(
        update={
            "verdict": Verdict.VERIFIED,
            "answer": f"No. {ruling.answer}".strip(),
            "evidence": tuple(_turned(item) for item in ruling.evidence),
        }
    )


def _shares_a_word(statement: str, item: Evidence) -> bool:
    return bool(analyse(statement).stems & analyse(item.text).stems)


def _turned(item: Evidence) -> Evidence:
    return item.model_copy(update={"relation": _TURNED.get(item.relation, item.relation)})
