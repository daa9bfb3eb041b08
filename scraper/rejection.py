"""Why a page is not an article."""

from enum import StrEnum

from core.types import Model


class RejectionReason(StrEnum):
    """What was found in place of an article. The values are stable: reports and the crawl state keep them."""

    EMPTY = "empty"
    """No content, or nothing but markup."""
    TOO_LARGE = "too_large"
    """More bytes than an article page can sensibly have."""
    TOO_COMPLEX = "too_complex"
    """More elements, or deeper nesting, than is safe to process."""
    NOT_HTML = "not_html"
    """A PDF, an image, a feed, a JSON reply or other content that is not a web page."""
    BROKEN_HTML = "broken_html"
    """The page could not be parsed at all."""
    CONSENT = "consent"
    """A cookie or consent page stands in place of the article."""
    BLOCKED = "blocked"
    """A bot check or an access-denied page."""
    PAYWALLED = "paywalled"
    """Only the teaser of an article that is for subscribers."""
    SOFT_404 = "soft_404"
    """A "not found" page that was served with status 200."""
    NOT_ARTICLE = "not_article"
    """A front page, section page, video player, gallery or search result."""
    NO_HEADLINE = "no_headline"
    """Text, but no headline."""
    NO_BODY = "no_body"
    """A headline, but no text, or too little of it."""
    FILTERED = "filtered"
    """An article, but outside the publisher's date range or keywords."""
    OTHER_LANGUAGE = "other_language"
    """An article in none of the publisher's languages."""
    TIMED_OUT = "timed_out"
    """Extraction took longer than a page may take."""
    OUT_OF_MEMORY = "out_of_memory"
    """Extraction took more memory than a page may take."""
    CRASHED = "crashed"
    """Extraction failed in a way that nobody foresaw; the detail names the error."""


class Rejection(Model):
    """A page from which no article was taken, and why."""

    url: str
    reason: RejectionReason
    detail: str
    """One sentence for a person: what was seen, with the figure or marker that decided."""
