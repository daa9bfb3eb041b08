"""The ruling on what a yes/no question asks about, turned into its answer."""

from core.types import QueryKind, Relation, Verdict
from pipelines.contracts import Evidence, Ruling

_TURNED = {Relation.REFUTES: Relation.SUPPORTS, Relation.SUPPORTS: Relation.REFUTES}


def yes_or_no(ruling: Ruling) -> Ruling:
    """
    Turn a ruling on the statement behind a question into one on its answer.

    *Verified* answers yes, *refuted* no. Either answer is verified: the quotes that refute the statement support the
    answer no, and the other way round. What is conflicting or unverified gets no yes or no.
    """
    asked = ruling.model_copy(update={"kind": QueryKind.QUESTION})
    if ruling.verdict is Verdict.VERIFIED:
        return asked.model_copy(update={"answer": f"Yes. {ruling.answer}".strip()})
    if ruling.verdict is not Verdict.REFUTED:
        return asked
    return asked.model_copy(
        update={
            "verdict": Verdict.VERIFIED,
            "answer": f"No. {ruling.answer}".strip(),
            "evidence": tuple(_turned(item) for item in ruling.evidence),
        }
    )


def _turned(item: Evidence) -> Evidence:
    return item.model_copy(update={"relation": _TURNED.get(item.relation, item.relation)})
