"""Claims of a checked text on the desk: put there one by one, and published together once people have decided."""

from typing import Any

from core.errors import ConflictError, ForbiddenError, NotFoundError
from pipelines.rendering.escape import safe_url
from service.answers.runs import Runs
from service.checks.store import StoredCheck
from service.desk import Check, CheckPatch, Desk, Reviewer
from service.desk.claim_review import claim_review
from service.reports.source import page_address


def put_on_desk(desk: Desk, stored: StoredCheck, claim_id: str, *, who: Reviewer) -> tuple[Check, bool]:
    """
    Put the run behind a claim on the desk, with who said it, where and when, as far as the text says.

    :returns: The check, and whether it is new; one that was there stays as it is.
    :raises NotFoundError: If the text has no such claim.
    :raises ConflictError: If the claim was not judged.
    """
    claim = next((one for one in stored.checked.claims if one.id == claim_id), None)
    if claim is None:
        hint = f"GET /v1/check/{stored.checked.id} lists its claims."
        raise NotFoundError(f"the text has no claim {claim_id[:40]!r}", field="claim_id", hint=hint)
    if claim.run_id is None:
        raise ConflictError(f"claim {claim_id} was not judged: {claim.status.value}", field="claim_id", hint=claim.why)
    check, is_new = desk.add(claim.run_id, who=who)
    request = stored.request
    said = {
        "claim_author": request.speaker,
        "claim_appearance": safe_url(request.url) or "",
        "claim_date": request.written_on.isoformat() if request.written_on else "",
    }
    known = {name: value for name, value in said.items() if value}
    if not is_new or not known:
        return check, is_new
    return desk.change(check.check_id, CheckPatch.model_validate(known), who=who), True


def claim_reviews(desk: Desk, runs: Runs, stored: StoredCheck, *, base: str) -> dict[str, Any]:
    """
    Write the decided claims of a text as schema.org ClaimReview, in one JSON-LD document.

    A claim whose evidence has changed since it was decided is left out until people decide again.

    :param base: Address of the service, with a slash at its end.
    :raises ForbiddenError: If nobody has decided a claim of this text.
    """
    reviews = []
    for claim in stored.checked.claims:
        check = desk.of_run(claim.run_id) if claim.run_id else None
        if check is None or check.decision is None or check.changed:
            continue
        result = runs.get(check.run_id)
        review = claim_review(result, check, page=page_address(base, result, check))
        reviews.append({name: value for name, value in review.items() if name != "@context"})
    if not reviews:
        hint = f"POST /v1/check/{stored.checked.id}/claims/c1/desk puts a claim on the desk, where people decide."
        raise ForbiddenError("Nobody has approved a claim of this text.", hint=hint)
    return {"@context": "https://schema.org", "@graph": reviews}
