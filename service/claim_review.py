"""
An approved run as schema.org ClaimReview, in JSON-LD.

Source: https://schema.org/ClaimReview. Only a person may publish a check, so a run must be approved first.
"""

from typing import Any

from core.errors import ForbiddenError, InputError
from core.types import Result, Verdict
from service.state.runs import Approval

RATINGS = {Verdict.VERIFIED: 5, Verdict.CONFLICTING: 3, Verdict.UNVERIFIED: 2, Verdict.REFUTED: 1}
"""On a scale from 1, refuted, to 5, verified."""


def claim_review(result: Result, approval: Approval | None, *, page: str) -> dict[str, Any]:
    """
    Export a run.

    :param page: Address of the run's page.
    :raises ForbiddenError: If nobody has approved the run.
    :raises InputError: If it has no verdict.
    """
    if approval is None:
        raise ForbiddenError(
            "Nobody has approved this run.", hint="PUT /v1/runs/<run_id>/approval marks it as approved by a person."
        )
    if result.verdict is None:
        raise InputError("This run failed and has no verdict to publish.", field="run_id", hint="Ask again.")
    return {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "url": page,
        "claimReviewed": result.request.text,
        "datePublished": approval.approved_at.date().isoformat(),
        "author": {"@type": "Person", "name": approval.approved_by},
        "itemReviewed": {
            "@type": "Claim",
            "appearance": [{"@type": "CreativeWork", "url": reference.url} for reference in result.references],
        },
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": RATINGS[result.verdict],
            "bestRating": 5,
            "worstRating": 1,
            "alternateName": result.verdict.value,
        },
        "reviewBody": result.answer,
        "citation": [
            {
                "@type": "NewsArticle",
                "url": reference.url,
                "headline": reference.headline,
                "datePublished": reference.published_at.date().isoformat() if reference.published_at else None,
                "hasPart": [{"@type": "Quotation", "text": quote.text} for quote in reference.quotes],
            }
            for reference in result.references
        ],
    }
