"""What passes between the steps of a reply."""

from core.types import Model, Notice, Probability
from pipelines.contracts.evidence import Evidence, Passed


class Material(Passed):
    """What a reply may be made of."""

    quotes: tuple[Evidence, ...]
    """Two or three, those that refute first; their articles are Doc[1], Doc[2], ... by first appearance."""
    why_not: str = ""
    """Why there is to be no reply; empty: there is to be one."""


class Candidate(Passed):
    """A reply before it is judged."""

    text: str
    """With Doc[n]; without links."""
    generator: str | None = None
    """The chat model that wrote it; None: plain code."""


class Score(Model):
    """One thing that a reply must be."""

    name: str
    value: Probability
    why: str
    """One sentence for a person."""


class JudgedReply(Passed):
    """A reply with its scores."""

    candidate: Candidate
    scores: tuple[Score, ...]
    total: Probability
    """Mean of the scores."""
    fault: str = ""
    """Why it cannot be returned whatever its scores; empty: it can."""


class ChosenReply(Passed):
    """The best of the candidates, or none."""

    reply: JudgedReply | None
    others: tuple[JudgedReply, ...]
    """The rest, best first."""
    why_not: str = ""
    warnings: tuple[Notice, ...] = ()
