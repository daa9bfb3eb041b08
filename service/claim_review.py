"""
An approved run as schema.org ClaimReview, in JSON-LD.

Source: https://schema.org/ClaimReview. Only a person may publish a check, so a run must be approved first.
"""

import re
from typing import Any

from core.errors import ForbiddenError, InputError
from core.types import QueryKind, Result, Verdict
from service.answers.runs import Approval
from service.web.view import ReferenceView, view_result

RATINGS = {Verdict.VERIFIED: 5, Verdict.CONFLICTING: 3, Verdict.REFUTED: 1}
"""On a scale from 1, refuted, to 5, verified. Unverified has none: silence says nothing on how true a claim is."""
_CITATION = re.compile(r"Doc(\[\d+\])")


def claim_review(result: Result, approval: Approval | None, *, page: str) -> dict[str, Any]:
    """
    Export a run. Evidence stands under `citation`; where the claim was made is not known, so no `appearance` is named.

    :param page: Address of the run's page.
    :raises ForbiddenError: If nobody has approved the run.
    :raises InputError: If it has no verdict, or what was asked is a question, which claims nothing.
    """
    if approval is None:
        raise ForbiddenError(
            "Nobody has approved this run.", hint="PUT /v1/runs/<run_id>/approval marks it as approved by a person."
        )
    if result.verdict is None:
        raise InputError(
            "This run has no verdict to publish.", field="run_id", hint="Ask 'verify' about the statement."
        )
    if result.kind is QueryKind.QUESTION:
        raise InputError(
            "A ClaimReview is of a claim; this run answers a question.", field="run_id", hint="Ask about the statement."
        )
    return {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "url": page,
        "claimReviewed": result.request.text,
        "datePublished": approval.approved_at.date().isoformat(),
        "author": {"@type": "Person", "name": approval.approved_by},
        "itemReviewed": {"@type": "Claim", "text": result.request.text},
        "reviewRating": _rating(result.verdict),
        "reviewBody": _CITATION.sub(r"\1", result.answer),
        "citation": [_article(view) for view in view_result(result, {}).cited],
    }


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
