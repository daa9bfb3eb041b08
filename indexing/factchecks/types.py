"""A published fact-check, and what is made of it."""

import datetime

from pydantic import Field

from core.types import FactCheckMatch, Model

MAX_CLAIM_CHARS = 5000
MAX_FIELD_CHARS = 1000
MAX_URL_CHARS = 2000
REVIEW_PREFIX = "cr-"
"""Of the id of a fact-check that was read from a ClaimReview."""


class FactCheck(Model):
    """What somebody has published about a claim."""

    id: str = Field(min_length=1, max_length=MAX_FIELD_CHARS)
    """Given by the file; of a ClaimReview: made of its address and claim."""
    claim: str = Field(min_length=1, max_length=MAX_CLAIM_CHARS)
    title: str = Field(default="", max_length=MAX_CLAIM_CHARS)
    """Headline of the report; empty: not known. So are the other texts."""
    verdict: str = Field(default="", max_length=MAX_FIELD_CHARS)
    """In the publisher's words: False, Mostly true, Altered photo, ..."""
    url: str = Field(default="", max_length=MAX_URL_CHARS)
    publisher: str = Field(default="", max_length=MAX_FIELD_CHARS)
    date: datetime.date | None = None
    """When the report was published."""
    claimant: str = Field(default="", max_length=MAX_FIELD_CHARS)
    """Who made the claim."""
    check_id: str | None = None
    """Of the desk's own check; None: somebody else's."""


class Refusal(Model):
    """Why an entry was not taken."""

    place: str
    """Where it stands: line 3, item 17."""
    reason: str
    field: str | None = None


class ImportReport(Model):
    """What an import did."""

    read: int
    """Entries in the file."""
    taken: int
    """New in the index."""
    changed: int
    unchanged: int
    removed: int
    """Claims that their page no longer names."""
    refused: int
    refusals: tuple[Refusal, ...]
    """The first ones."""
    total: int
    """Fact-checks in the index now."""


class Matches(Model):
    """What was found for one text, best first."""

    id: str | None = None
    matches: tuple[FactCheckMatch, ...]
