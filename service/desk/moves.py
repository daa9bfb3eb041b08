"""What a change does to a check: which moves are allowed, and when a decision stands."""

import json
from dataclasses import dataclass, field
from typing import Any

from core.errors import ConflictError, InputError
from service.desk.types import DECIDED, MOVES, Check, CheckPatch, CheckState, DecisionPatch, Reviewer
from service.state.database import now

_PLAIN = ("owner", "note", "claim_author", "claim_appearance", "claim_date", "published_url")
_NO_DECISION: dict[str, Any] = {
    "decided_verdict": None,
    "reason_code": None,
    "comment": None,
    "decided_at": None,
    "decided_by": "[]",
    "decided_key": None,
}


@dataclass
class Step:
    """What is to be written."""

    action: str = "edited"
    fields: dict[str, Any] = field(default_factory=dict)
    """Column to value; empty: nothing changes."""
    changes: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    """For the history."""
    settles: bool = False
    """Whether somebody has decided what had changed."""


def plan(check: Check, patch: CheckPatch, *, who: Reviewer, reviewers: int) -> Step:
    """
    Work out what a change does.

    :param reviewers: People who must agree before a check is decided.
    :raises ConflictError: If the move is not allowed, or another person must decide.
    :raises InputError: If a decision lacks something.
    """
    step = Step()
    _plan_fields(check, patch, step)
    target = _target(check, patch)
    if target is None:
        return step
    _require_move(check, target)
    if target in DECIDED:
        _plan_decision(check, patch.decision or DecisionPatch(), target, step, who=who, reviewers=reviewers)
        return step
    step.action = target.value
    step.fields |= {"state": target.value} | _NO_DECISION
    step.changes["state"] = (check.state.value, target.value)
    if (before := check.decision or check.proposal) is not None:
        step.changes["decision"] = (before.model_dump(mode="json"), None)
    step.settles = target is CheckState.WITHDRAWN
    return step


def _plan_fields(check: Check, patch: CheckPatch, step: Step) -> None:
    for name in _PLAIN:
        if name in patch.model_fields_set:
            before, after = getattr(check, name), (getattr(patch, name) or "").strip() or None
            if before != after:
                step.fields[name] = after
                step.changes[name] = (before, after)
    if patch.checklist is not None:
        merged = check.checklist | patch.checklist
        if merged != check.checklist:
            step.fields["checklist"] = json.dumps(merged, ensure_ascii=False)
            step.changes["checklist"] = (check.checklist, merged)


def _target(check: Check, patch: CheckPatch) -> CheckState | None:
    """Return where a change moves the check; None if it stays. A decision alone says it by its verdict."""
    if patch.state is not None:
        stays = patch.state is check.state and patch.state not in DECIDED
        if patch.decision is not None and patch.state not in DECIDED:
            raise InputError(
                f"decision goes with state approved or overridden, not {patch.state.value}",
                field="decision",
                hint="Leave one of them out.",
            )
        return None if stays else patch.state
    if patch.decision is None:
        return None
    verdict = patch.decision.verdict
    return CheckState.APPROVED if verdict in {None, check.verdict} else CheckState.OVERRIDDEN


def _require_move(check: Check, target: CheckState) -> None:
    if target in MOVES[check.state]:
        return
    allowed = ", ".join(state.value for state in CheckState if state in MOVES[check.state])
    by = ""
    if check.state in DECIDED and check.decision is not None and check.decision.decided_by:
        by = f" by {' and '.join(check.decision.decided_by)}"
    raise ConflictError(
        f"this check is {check.state.value.replace('_', ' ')}{by}, and cannot become {target.value.replace('_', ' ')}",
        field="state",
        hint=f"From here it can become: {allowed}.",
    )


def _plan_decision(
    check: Check, decision: DecisionPatch, target: CheckState, step: Step, *, who: Reviewer, reviewers: int
) -> None:
    verdict, reason = _decided(check, decision, target)
    names = _agreeing(check, verdict=verdict, who=who, reviewers=reviewers)
    stands = max(len(names), 1) >= reviewers
    state = target if stands else CheckState.IN_REVIEW
    written = {"verdict": verdict, "reason_code": reason, "comment": decision.comment, "decided_by": names}
    step.action = target.value if stands else "proposed"
    step.fields |= {
        "state": state.value,
        "decided_verdict": verdict,
        "reason_code": reason,
        "comment": decision.comment or (check.proposal.comment if check.proposal and len(names) > 1 else None),
        "decided_at": now(),
        "decided_by": json.dumps(names, ensure_ascii=False),
        "decided_key": who.key,
    }
    before = check.decision or check.proposal
    step.changes |= {
        "state": (check.state.value, state.value),
        "decision": (before.model_dump(mode="json") if before else None, written),
    }
    step.settles = stands


def _decided(check: Check, decision: DecisionPatch, target: CheckState) -> tuple[str, str]:
    """Return verdict and reason of a decision."""
    machine, people = check.verdict, decision.verdict
    if target is CheckState.APPROVED:
        if machine is None:
            raise InputError(
                "the machine gave no verdict, so there is none to approve",
                field="state",
                hint="Decide yourself: state overridden, with decision.verdict.",
            )
        if people not in {None, machine}:
            raise InputError(
                f"decision.verdict is {people.value if people else None}, the machine says {machine.value}",
                field="decision.verdict",
                hint="Send state overridden to decide otherwise than the machine.",
            )
        return machine.value, decision.reason_code or "agrees"
    if people is None:
        raise InputError(
            "an override needs a verdict",
            field="decision.verdict",
            hint="Send verified, refuted, conflicting or unverified.",
        )
    if people is machine:
        raise InputError(
            f"decision.verdict is {people.value}, which the machine says, too",
            field="decision.verdict",
            hint="Send state approved.",
        )
    if decision.reason_code is None:
        raise InputError(
            "an override needs a reason", field="decision.reason_code", hint="Send one such as missing_evidence."
        )
    return people.value, decision.reason_code


def _agreeing(check: Check, *, verdict: str, who: Reviewer, reviewers: int) -> list[str]:
    """Return who stands behind a verdict once this person does; a different proposal falls."""
    if reviewers > 1 and who.name is None:
        raise InputError(
            f"{reviewers} people must decide here, and the service does not know who you are",
            field="by",
            hint="Use a key, or send your name as 'by'.",
        )
    before = check.proposal
    agreed = list(before.decided_by) if before is not None and before.verdict.value == verdict else []
    if agreed and who.name in agreed:
        raise ConflictError(
            f"{who.name} has decided this already; one more person must",
            field="state",
            hint="Ask a colleague to look at it.",
        )
    return [*agreed, who.name] if who.name else agreed
