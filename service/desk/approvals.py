"""Approval of a run in one step, for clients that know no checks: a check is made and approved."""

from core.errors import ConflictError, NotFoundError
from core.types import Model, UtcTime
from service.desk.checks import Desk
from service.desk.types import Check, CheckPatch, CheckState, Reviewer


class Approval(Model):
    """A person's sign-off."""

    run_id: str
    approved_by: str
    approved_at: UtcTime
    note: str | None = None
    key: str | None = None
    """Id and name of the key that was used; None: none was asked for."""


def approve(desk: Desk, run_id: str, *, by: str, note: str | None = None, key: str | None = None) -> Approval:
    """
    Note that a person stands behind a run. The first approval stays.

    :raises NotFoundError: If there is no such run.
    :raises ConflictError: If it takes more than one person, or the check has been decided otherwise.
    :raises InputError: If the run has no verdict.
    """
    who = Reviewer(by, key)
    check, _ = desk.add(run_id, who=who)
    if (standing := approval_of(desk, check)) is not None:
        return standing
    if desk.reviewers > 1:
        raise ConflictError(
            f"{desk.reviewers} people must decide here",
            field="approved_by",
            hint=f"Each sends PATCH /v1/checks/{check.check_id} with state approved.",
        )
    if check.state is CheckState.WITHDRAWN:
        check = desk.change(check.check_id, CheckPatch(state=CheckState.OPEN), who=who)
    patch = {"state": CheckState.APPROVED} | ({"note": note} if note else {})
    approval = approval_of(desk, desk.change(check.check_id, CheckPatch.model_validate(patch), who=who))
    if approval is None:
        raise NotFoundError("the run went while it was approved", field="run_id")
    return approval


def withdraw(desk: Desk, run_id: str, *, who: Reviewer) -> bool:
    """Take an approval back; say whether there was one."""
    check = desk.of_run(run_id)
    if check is None or check.state is not CheckState.APPROVED:
        return False
    desk.change(check.check_id, CheckPatch(state=CheckState.WITHDRAWN), who=who)
    return True


def approval(desk: Desk, run_id: str) -> Approval | None:
    """Return who approved a run and when; None: nobody did."""
    check = desk.of_run(run_id)
    return None if check is None else approval_of(desk, check)


def approval_of(desk: Desk, check: Check) -> Approval | None:
    """Return an approved check's approval; None if it is not approved."""
    if check.state is not CheckState.APPROVED or check.decision is None:
        return None
    return Approval(
        run_id=check.run_id,
        approved_by=" and ".join(check.decision.decided_by),
        approved_at=check.decision.decided_at,
        note=check.note,
        key=desk.key_of_decision(check.check_id),
    )
