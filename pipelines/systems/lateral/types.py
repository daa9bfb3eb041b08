"""What passes between the steps of lateral reading."""

from enum import StrEnum

from core.types import Article, Notice
from pipelines.contracts.evidence import Evidence, Passed

KNOWN = "the text answers it"
"""Why a question is dropped that leads no further."""


class Aspect(StrEnum):
    """What a question asks for."""

    WHO_SAYS = "who says so"
    WHEN = "when"
    WHERE = "where"
    WHY = "why"
    HOW_MANY = "how many"
    ROLE = "who it is"
    LEADS = "who leads it"
    FOUNDED = "since when"
    SAID = "what somebody said"
    AFTER = "what followed"
    OTHERS = "what others report"
    MODEL = "asked by a model"


class SourceText(Passed):
    """The text that is read laterally."""

    text: str
    article: Article | None = None
    """Where the text was named by its address."""


class Claim(Passed):
    """A sentence that is worth checking."""

    text: str
    """Self-contained: pronouns at its beginning are replaced by names."""
    score: float
    """How much worth; higher is more."""


class Question(Passed):
    """A question about the text."""

    text: str
    aspect: Aspect
    people: tuple[str, ...] = ()
    """Full names in it."""
    score: float = 0.0


class Asked(Passed):
    """The questions that passed the checks, best first."""

    questions: tuple[Question, ...]
    rejected: tuple[tuple[str, str], ...] = ()
    """Question and why it was dropped."""
    generator: str | None = None
    """The chat model that wrote some of them; None: plain code wrote all."""
    warnings: tuple[Notice, ...] = ()


class Answered(Passed):
    """A question with what other articles say."""

    question: Question
    text: str
    """Cited sentences, Doc[n] in the numbers of `used`; empty: the index does not answer it."""
    used: tuple[Evidence, ...] = ()
    unused: tuple[Evidence, ...] = ()
    """One sentence of each article that was found and not cited."""
    namesakes: tuple[str, ...] = ()
    """Headlines of articles that were left out: they are about other people of the same name."""
    generator: str | None = None
    """The chat model that wrote `text`; None: plain code did, or there is none."""
    warnings: tuple[Notice, ...] = ()
