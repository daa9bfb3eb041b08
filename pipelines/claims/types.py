"""What a text is taken into: claims with their place, and what is not a claim, with the reason."""

from enum import StrEnum

from pydantic import Field

from core.types import Model, Probability


class ClaimKind(StrEnum):
    """What a claim mostly states; it decides which evidence settles it."""

    QUOTATION = "quotation"
    """That somebody said something, word for word."""
    REPORT = "report"
    """That somebody said something, in other words."""
    NUMBER = "number"
    CAUSE = "cause"
    COMPARISON = "comparison"
    ABSOLUTE = "absolute"
    """Never, nobody, every, the only."""
    EVENT = "event"
    """Everything else that happened or is so."""


class NoClaim(StrEnum):
    """Why a sentence is not a claim."""

    OPINION = "opinion"
    QUESTION = "question"
    GREETING = "greeting"
    WISH = "wish"
    """Also an appeal, a request, an order to the reader."""
    PREDICTION = "prediction"
    FRAGMENT = "fragment"
    """A heading, a list item or a call without a verb."""
    UNSPECIFIC = "unspecific"
    """States nothing that could be looked up."""
    INSTRUCTION = "instruction"
    """Speaks to a program that reads the text."""
    TOO_LONG = "too_long"


class Signal(Model):
    """Something that makes a sentence more or less worth checking."""

    name: str
    """number, name, cause, ..."""
    words: str
    """Where it shows in the sentence."""


class Claim(Model):
    """A statement found in a text."""

    claim_id: str
    """c1, c2, ... in the order of the text."""
    text: str
    """As it is written, `given[start:end]`."""
    start: int = Field(ge=0)
    """Characters of the text as given."""
    end: int
    standalone: str
    """The wording that can be understood alone; the same as `text` where nothing had to be said otherwise."""
    replaced: tuple[tuple[str, str], ...] = ()
    """What was put in the place of what: ("She", "Petra Vogel")."""
    kind: ClaimKind
    check_worthiness: Probability
    reasons: tuple[Signal, ...] = ()
    unclear: str = ""
    """Why it cannot be judged as it stands, one sentence; empty: it can."""


class Skipped(Model):
    """A sentence that is not a claim."""

    text: str
    start: int = Field(ge=0)
    end: int
    reason: NoClaim
    why: str
    """One sentence for readers."""


class TextClaims(Model):
    """Everything a text was taken into, in its order."""

    claims: tuple[Claim, ...]
    skipped: tuple[Skipped, ...]

    def working_order(self) -> tuple[Claim, ...]:
        """Return the claims as a checker should work on them: clear ones first, then by worth, then by place."""
        return tuple(sorted(self.claims, key=lambda one: (bool(one.unclear), -one.check_worthiness, one.start)))
