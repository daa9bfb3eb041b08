"""The words of the desk: check, state, decision, history."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from core.types import Model, UtcTime, Verdict

MAX_NAME_CHARS = 100
MAX_NOTE_CHARS = 5000
MAX_URL_CHARS = 2000
MAX_CHECKLIST = 50
ReasonCode = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Address = Annotated[str, StringConstraints(pattern=r"^https?://[^\s<>\"]+$", max_length=MAX_URL_CHARS)]
REASONS = {
    "agrees": "The machine is right",
    "wrong_evidence": "The quotes are about something else",
    "missing_evidence": "There is evidence that the machine did not see",
    "misread_evidence": "The quotes say something else",
    "wrong_detail": "A number, date, name or place differs",
    "context_missing": "True in parts, or misleading without its context",
    "outdated": "It was so, and has changed",
    "source_not_reliable": "The source is not one to rely on",
    "claim_misread": "The claim means something else",
    "other": "Something else",
}
"""Code of a reason to its words on the page. A newsroom may use codes of its own."""
CHECKLIST = {
    "claim_found": "The claim is quoted as it was made, with its author and place",
    "quotes_read": "The quotes have been read in their articles",
    "sources_weighed": "The sources are independent of each other and of the claim",
    "dates_checked": "The evidence is of the time that the claim is about",
    "other_side_asked": "Who made the claim has been asked",
}
"""Item that the page offers to its words. A newsroom may use items of its own."""


class CheckState(StrEnum):
    """How a check stands."""

    OPEN = "open"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    """People say what the machine says."""
    OVERRIDDEN = "overridden"
    """People say something else; what the machine said stays beside it."""
    WITHDRAWN = "withdrawn"


DECIDED = frozenset({CheckState.APPROVED, CheckState.OVERRIDDEN})
MOVES: dict[CheckState, frozenset[CheckState]] = {
    CheckState.OPEN: frozenset({CheckState.IN_REVIEW, *DECIDED, CheckState.WITHDRAWN}),
    CheckState.IN_REVIEW: frozenset({CheckState.OPEN, *DECIDED, CheckState.WITHDRAWN}),
    CheckState.APPROVED: frozenset({CheckState.IN_REVIEW, CheckState.WITHDRAWN}),
    CheckState.OVERRIDDEN: frozenset({CheckState.IN_REVIEW, CheckState.WITHDRAWN}),
    CheckState.WITHDRAWN: frozenset({CheckState.OPEN}),
}
"""State to the states that people may move a check to. The machine moves decided checks to in_review."""


@dataclass(frozen=True)
class Reviewer:
    """Who works on a check."""

    name: str | None = None
    """None if the service does not know."""
    key: str | None = None
    """Id and name of the API key that was used, for the operator."""


class Decision(Model):
    """What people decided."""

    verdict: Verdict
    reason_code: str
    comment: str | None = None
    decided_by: tuple[str, ...] = ()
    """First who proposed it, then who agreed."""
    decided_at: UtcTime


class Check(Model):
    """A run on the desk."""

    check_id: str
    run_id: str
    """The latest answer of the machine."""
    text: str
    """The claim, as it was asked."""
    verdict: Verdict | None
    """What the machine says; None if it failed or judges nothing."""
    state: CheckState
    owner: str | None = None
    note: str | None = None
    checklist: dict[str, bool] = Field(default_factory=dict)
    claim_author: str | None = None
    """Who made the claim."""
    claim_appearance: str | None = None
    """Address where the claim can be seen."""
    claim_date: str | None = None
    published_url: str | None = None
    """Where the newsroom published its report; that page is never evidence for this check."""
    decision: Decision | None = None
    """Of approved and overridden checks; else None."""
    proposal: Decision | None = None
    """A decision that waits for a second person."""
    changed: bool = False
    """The evidence has changed, and nobody has decided since."""
    created_at: UtcTime
    created_by: str | None = None
    updated_at: UtcTime
    updated_by: str | None = None
    """None: the machine, or somebody without a name."""
    version: int
    """Counts changes; send it along, so that nobody's change is lost."""


class HistoryEntry(Model):
    """One step in the life of a check."""

    at: UtcTime
    who: str | None
    """None: the machine, or somebody without a name."""
    action: str
    """created, edited, in_review, proposed, approved, overridden, withdrawn, open, evidence_changed, asked_again."""
    changes: dict[str, tuple[Any, Any]]
    """Field to what it was before and after."""
    run_id: str | None = None


class DecisionPatch(Model):
    """A decision as people send it."""

    verdict: Verdict | None = None
    """None: that of the machine."""
    reason_code: ReasonCode | None = None
    comment: str | None = Field(default=None, max_length=MAX_NOTE_CHARS)


class CheckPatch(Model):
    """Changes of a check. Fields that are not set stay as they are; None empties a field."""

    state: CheckState | None = None
    owner: str | None = Field(default=None, max_length=MAX_NAME_CHARS)
    note: str | None = Field(default=None, max_length=MAX_NOTE_CHARS)
    checklist: dict[Annotated[str, StringConstraints(min_length=1, max_length=200)], bool] | None = Field(
        default=None, max_length=MAX_CHECKLIST
    )
    """Merged into the one that is there."""
    decision: DecisionPatch | None = None
    claim_author: str | None = Field(default=None, max_length=200)
    claim_appearance: Address | None = None
    claim_date: str | None = Field(default=None, max_length=40)
    published_url: Address | None = None


class CheckQuery(Model):
    """Which checks are looked for; None everywhere: all of them."""

    state: CheckState | None = None
    owner: str | None = None
    text: str | None = None
    """Words of the claim, note or comment."""
    verdict: Verdict | None = None
    """What people decided, else what the machine says."""
    changed: bool | None = None
    """Whether the evidence has changed since the last decision."""
    run_id: str | None = None
