"""
A decided check as schema.org ClaimReview, in JSON-LD.

Source: https://schema.org/ClaimReview. Only people may publish a check, so it must be approved or overridden first.
"""

import re
from typing import Any

from core.errors import ConflictError, ForbiddenError, InputError
from core.types import QueryKind, Result, Verdict
from service.desk.types import Check
from service.web.view import ReferenceView, view_result

RATINGS = {Verdict.VERIFIED: 5, Verdict.CONFLICTING: 3, Verdict.REFUTED: 1}
"""On a scale from 1, refuted, to 5, verified. Unverified has none: silence says nothing on how true a claim is."""
_CITATION = re.compile(r"Doc(\[\d+\])")


def claim_review(result: Result, check: Check | None, *, page: str, reason: str | None = None) -> dict[str, Any]:
    """
    Export a check. Evidence stands under `citation`, the claim's author and appearance under `itemReviewed`.

    :param result: The check's latest answer.
    :param page: Address of the check's page, used until `published_url` is set.
    :param reason: Why the evidence of a check has changed, in words.
    :raises ConflictError: If its evidence has changed, and nobody has decided since.
    :raises ForbiddenError: If nobody has decided.
    :raises InputError: If it has no verdict, or what was asked is a question, which claims nothing.
    """
    if check is not None and check.changed:
        raise ConflictError(
            f"The evidence of this check has changed: {reason or 'see the check'}",
            field="check_id",
            hint=f"Decide again: PATCH /v1/checks/{check.check_id}, or the page {page}.",
        )
    decision = check.decision if check else None
    if check is None or decision is None:
        raise ForbiddenError(
            "Nobody has approved this run.", hint="POST /v1/checks puts it on the desk, where people decide."
        )
    if result.kind is QueryKind.QUESTION:
        raise InputError(
            "A ClaimReview is of a claim; this run answers a question.", field="run_id", hint="Ask about the statement."
        )
    agrees = decision.verdict is result.verdict
    return {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "url": check.published_url or page,
        "claimReviewed": check.text,
        "datePublished": decision.decided_at.date().isoformat(),
        "author": _author(decision.decided_by),
        "itemReviewed": _claim(check),
        "reviewRating": _rating(decision.verdict),
        "reviewBody": (decision.comment or "") if not agrees else _CITATION.sub(r"\1", result.answer),
        "citation": [_article(view) for view in view_result(result, {}).cited],
    }


def _author(names: tuple[str, ...]) -> dict[str, Any] | list[dict[str, Any]]:
    people = [{"@type": "Person", "name": name} for name in names]
    if not people:
        return {"@type": "Organization", "name": "Looksy"}
    return people[0] if len(people) == 1 else people


def _claim(check: Check) -> dict[str, Any]:
    claim: dict[str, Any] = {"@type": "Claim", "text": check.text}
    if check.claim_author:
        claim["author"] = {"@type": "Thing", "name": check.claim_author}
    if check.claim_appearance:
        claim["appearance"] = {"@type": "CreativeWork", "url": check.claim_appearance}
    if check.claim_date:
        claim["datePublished"] = check.claim_date
    return claim


def _rating(verdict: Verdict) -> dict[str, Any]:
    rating: dict[str, Any] = {"@type": "Rating", "alternateName": verdict.value}
    if verdict in RATINGS:
        rating |= {"ratingValue": RATINGS[verdict], "bestRating": 5, "worstRating": 1}
    return rating


def _article(view: ReferenceView) -> dict[str, Any]:
    """Describe an article that the answer rests on; `position` is its number in `reviewBody`."""
    reference = view.reference
    described: dict[str, Any] = {
        "@type": "NewsArticle",
        "position": reference.number,
        "url": reference.url,
        "headline": reference.headline,
        "hasPart": [{"@type": "Quotation", "text": item.quote.text} for item in view.telling],
    }
    if reference.published_at is not None:
        described["datePublished"] = reference.published_at.date().isoformat()
    return described
