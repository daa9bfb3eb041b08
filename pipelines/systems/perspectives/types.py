"""What passes between the steps of perspectives."""

from enum import StrEnum

from core.types import Article, Notice, Probability
from pipelines.contracts.evidence import Evidence, Passed


class Stance(StrEnum):
    """What an article says to the question."""

    YES = "yes"
    NO = "no"
    MIXED = "mixed"
    """It says both, or reports without taking a side, or the stance model cannot tell."""


class Thesis(Passed):
    """What one article says to the query, in one sentence."""

    article: Article
    text: str
    """The first quote as it stands, or a sentence that a chat model wrote and that the quotes support."""
    quotes: tuple[Evidence, ...]
    """One to three sentences of the article, the one that says it best first."""
    stance: Stance = Stance.MIXED
    yes: Probability = 0.5
    """That it says yes rather than no."""
    generator: str | None = None
    """The chat model that wrote `text`; None: it is a quote."""


class Side(Passed):
    """Articles that say much the same."""

    label: str
    theses: tuple[Thesis, ...]
    """Two or more; the one nearest to all others first."""
    stance: Stance
    """Of most of them; mixed where none prevails."""
    agreement: Probability
    """Share of the articles that take this stance."""


class Grouping(Passed):
    """The sides, and who stands alone."""

    sides: tuple[Side, ...] = ()
    """The largest first."""
    alone: tuple[Thesis, ...] = ()
    silhouette: float | None = None
    """Of the chosen number of clusters, -1 to 1; None: too few articles to choose."""
    warnings: tuple[Notice, ...] = ()
