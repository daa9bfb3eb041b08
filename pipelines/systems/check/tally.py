"""What has settled of a text that is being checked: claims with their verdicts, times, and what was searched."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from core.progress import ProgressEvent, Stage
from core.types import Relation, Result, Searched, Verdict
from pipelines.contracts.evidence import Conflict
from pipelines.systems.check.types import CheckedClaim, CheckedText, ClaimStatus, Summary

Settled = Callable[[CheckedClaim, Result | None], None]
"""Told of each claim as it settles, with the answer run behind it; None: it was not judged."""


class Tally:
    """
    Note what has settled.

    :param begun: The text with its claims found; some may have settled before.
    :param settled: Told of each claim.
    """

    def __init__(self, begun: CheckedText, settled: Settled) -> None:
        self._begun = begun
        self._settled = settled
        self._claims = {claim.id: claim for claim in begun.claims}
        self._stages: Counter[str] = Counter()
        self._searched = begun.searched

    def waiting(self) -> list[CheckedClaim]:
        """Return the claims that are to be judged, in working order."""
        waiting = [claim for claim in self._claims.values() if claim.status is ClaimStatus.WAITING]
        return sorted(waiting, key=lambda claim: claim.order)

    def tell_of_the_unjudged(self) -> None:
        """Tell of the claims that are settled without a verdict."""
        for claim in self._claims.values():
            if claim.status in {ClaimStatus.UNCLEAR, ClaimStatus.LEFT_OUT}:
                self._settled(claim, None)

    def add(self, group: Sequence[CheckedClaim], result: Result) -> None:
        """Note the result of claims that say the same."""
        self._stages.update({str(name): value for name, value in result.timings.items() if name != "total"})
        self._searched = self._searched or _searched(result.searched)
        for claim in group:
            self._claims[claim.id] = _settle(claim, result)
            self._settled(self._claims[claim.id], result)

    def event(self) -> ProgressEvent:
        """Say how far it is."""
        total = len(self._claims)
        return ProgressEvent(stage=Stage.CHECK, done=total - len(self.waiting()), total=total, unit="claims")

    def checked(self, *, spent_ms: float) -> CheckedText:
        """
        Return the text as far as it is.

        :param spent_ms: Since it was gone on with. It is shared out over the stages: claims that are judged together
            wait for each other, so that their own times are longer than the clock's.
        """
        final = tuple(self._claims[claim.id] for claim in self._begun.claims)
        before = self._begun.summary
        share = spent_ms / (self._stages.total() or 1.0)
        timings = Counter(self._begun.timings)
        timings.update({name: value * share for name, value in self._stages.items()} | {"total": spent_ms})
        return self._begun.model_copy(
            update={
                "claims": final,
                "summary": summary_of(final, skipped=before.skipped, words=before.words),
                "timings": dict(timings),
                "searched": self._searched,
            }
        )


def _settle(claim: CheckedClaim, result: Result) -> CheckedClaim:
    failure = result.failure
    return claim.model_copy(
        update={
            "status": ClaimStatus(result.status.value),
            "why": f"{failure.message}. {failure.hint or ''}".strip() if failure else "",
            "verdict": result.verdict,
            "confidence": result.confidence.value if result.confidence and result.verdict else None,
            "answer": result.answer,
            "conflicts": _conflicts(result),
            "references": result.references,
            "run_id": result.run_id,
        }
    )


def _conflicts(result: Result) -> tuple[Conflict, ...]:
    """Return what the claim and the quotes that refute it say differently."""
    judged = result.run.verdict_inputs.get("evidence", []) if result.run else []
    telling = [item for item in judged if item.get("relation") == Relation.REFUTES.value]
    found = [Conflict.model_validate(one) for item in telling for one in item.get("conflicts", ())]
    return tuple({(one.kind, one.stated, one.found): one for one in found}.values())


def _searched(searched: Searched | None) -> dict[str, Any] | None:
    return searched.model_dump(mode="json", exclude={"queries"}) if searched else None


def summary_of(claims: Sequence[CheckedClaim], *, skipped: int, words: int) -> Summary:
    """Count verdicts and states."""
    verdicts = Counter(claim.verdict for claim in claims if claim.verdict is not None)
    states = Counter(claim.status for claim in claims)
    return Summary(
        claims=len(claims),
        judged=states[ClaimStatus.OK] + states[ClaimStatus.NO_EVIDENCE],
        **{verdict.value: verdicts[verdict] for verdict in Verdict},
        unclear=states[ClaimStatus.UNCLEAR],
        failed=states[ClaimStatus.FAILED],
        left_out=states[ClaimStatus.LEFT_OUT],
        waiting=states[ClaimStatus.WAITING],
        skipped=skipped,
        words=words,
    )
