"""What a text check is asked for, and what it gives."""

from datetime import date
from enum import StrEnum
from typing import Any

from pydantic import Field

from core.types import Filters, Model, Notice, Probability, Reference, UtcTime, Verdict
from pipelines.claims import ClaimKind, NoClaim, Signal
from pipelines.contracts.evidence import Conflict

MAX_WORDS = 20_000
MAX_CHARS = 400_000
"""Of a text with as many words: longer ones are not running text."""
MAX_CLAIMS = 2_000


class CheckRequest(Model):
    """A text to check, and how."""

    text: str = Field(min_length=1, max_length=MAX_CHARS)
    title: str = ""
    """Shown on the report: a file's name, an article's headline."""
    url: str = ""
    """Where the text is from, if it is on the web."""
    written_on: date | None = None
    """The day it was written or said, for "last year"; None: as the text itself says, if it does."""
    speaker: str = Field(default="", max_length=100)
    """Who says "I" in it; empty: claims about "I" and "we" are not judged."""
    max_claims: int = Field(default=MAX_CLAIMS, ge=1, le=MAX_CLAIMS)
    """Claims to judge, those most worth checking first; the others are listed without a verdict."""
    as_of: UtcTime | None = None
    """Only what was published and first seen by then is evidence."""
    filters: Filters = Filters()
    """Which articles may be evidence."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of `verify`, which judges each claim."""


class ClaimStatus(StrEnum):
    """Whether a claim has been judged."""

    OK = "ok"
    NO_EVIDENCE = "no_evidence"
    FAILED = "failed"
    """Something broke; `why` says what. Never a verdict."""
    UNCLEAR = "unclear"
    """It does not stand alone, so it was not judged; `why` says what is missing."""
    LEFT_OUT = "left_out"
    """More claims were found than were to be judged."""
    WAITING = "waiting"
    """Not judged yet."""


class CheckedClaim(Model):
    """A claim of the text with its verdict."""

    id: str
    """c1, c2, ... in the order of the text."""
    text: str
    start: int
    end: int
    standalone: str
    """What was judged."""
    replaced: tuple[tuple[str, str], ...] = ()
    """What was put in the place of what in `standalone`."""
    check_worthiness: Probability
    reasons: tuple[Signal, ...] = ()
    order: int
    """Place in the working order; 1 is first."""
    kind: ClaimKind
    status: ClaimStatus
    why: str = ""
    """Why it was not judged, or failed; one sentence."""
    verdict: Verdict | None = None
    confidence: Probability | None = None
    answer: str = ""
    """What the articles say, with Doc[n]."""
    conflicts: tuple[Conflict, ...] = ()
    """What the claim and its quotes say differently."""
    references: tuple[Reference, ...] = ()
    run_id: str | None = None
    """Of the answer run that judged it; None: it was not judged."""


class SkippedText(Model):
    """A sentence that is not a claim."""

    text: str
    start: int
    end: int
    reason: NoClaim
    why: str


class Summary(Model):
    """How many claims of each verdict."""

    claims: int
    judged: int
    verified: int = 0
    refuted: int = 0
    conflicting: int = 0
    unverified: int = 0
    unclear: int = 0
    failed: int = 0
    left_out: int = 0
    waiting: int = 0
    skipped: int = 0
    words: int


class CheckedText(Model):
    """A text, its claims and their verdicts. Offsets are characters of the text as given."""

    id: str
    text_sha256: str
    claims: tuple[CheckedClaim, ...]
    """In the order of the text."""
    skipped: tuple[SkippedText, ...]
    summary: Summary
    warnings: tuple[Notice, ...] = ()
    searched: dict[str, Any] | None = None
    """What the index held: articles, sources, first and last day, snapshot."""
    version: str
    """Of Looksy."""
    created_at: UtcTime
    timings: dict[str, float] = Field(default_factory=dict)
    """Stage to milliseconds, summed over the claims; `total` as the clock says."""
