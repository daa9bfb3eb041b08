"""What passes between the steps of perspectives."""

from enum import StrEnum

from core.types import Article, Notice, Probability
from pipelines.contracts.evidence import Evidence, Passed


class Stance(StrEnum):
    """What a text says to the question."""

    YES = "yes"
    NO = "no"
    MIXED = "mixed"
    """It says both, or reports without taking a side, or the models cannot tell."""


class SidedText(Passed):
    """A text as it was judged beside a query."""

    relevance: Probability
    """That it bears on the query."""
    bears: bool
    """Whether that is enough to count it."""
    yes: Probability
    """That it says yes rather than no."""
    stance: Stance


class Thesis(Passed):
    """What one article says to the query on one side, in one sentence."""

    article: Article
    text: str
    """The first quote as it stands, or a sentence that a chat model wrote and that the quotes support."""
    quotes: tuple[Evidence, ...]
    """One to three sentences of the article that take this side, the one that says it best first."""
    stance: Stance = Stance.MIXED
    yes: Probability = 0.5
    """That it says yes rather than no."""
    generator: str | None = None
    """The chat model that wrote `text`; None: it is a quote."""


class Side(Passed):
    """Articles whose quotes are for the proposition, or against it."""

    label: str
    """What this side says, in words."""
    theses: tuple[Thesis, ...]
    """The surest first; an article with two voices has one on either side."""
    stance: Stance


class Grouping(Passed):
    """The sides, and who takes none."""

    sides: tuple[Side, ...] = ()
    """For, then against; one alone where nobody takes the other."""
    alone: tuple[Thesis, ...] = ()
    """What bears on the query and takes no side."""
    is_open: bool = False
    """Whether the question has no yes or no, so that nothing can be for or against it."""
    warnings: tuple[Notice, ...] = ()
