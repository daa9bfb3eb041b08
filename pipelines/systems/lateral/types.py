"""What passes between the steps of lateral reading."""

from enum import StrEnum

from core.types import Article, Notice
from pipelines.contracts.evidence import Evidence, Passed

KNOWN = "the text answers it"
"""Why a question is dropped that leads no further."""


class Aspect(StrEnum):
    """What a question asks for."""

    AGAINST = "what others report instead"
    SINCE = "what has been reported since"
    OTHERS = "what else is reported"
    FIGURE = "where a figure comes from"
    EVIDENCE = "what evidence there is"
    WHO_SAYS = "who else reports it"
    WHEN = "when"
    WHY = "why"
    HOW_MANY = "how many"
    ROLE = "who it is"
    LEADS = "who leads it"
    MODEL = "asked by a model"


class SourceText(Passed):
    """The text that is read laterally."""

    text: str
    article: Article | None = None
    """Where the text was named by its address."""


class Question(Passed):
    """A question about the text."""

    text: str
    aspect: Aspect
    people: tuple[str, ...] = ()
    """Full names in it."""
    claim: str = ""
    """The statement of the text that it is about; empty: a model asked it."""
    is_whole: bool = False
    """Whether it asks about the statement as a whole: the index is asked what it does to that."""
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
    rank: int = 0
    """What is shown first: 0, an article speaks against the text; 1, beyond it; 2, answered; 3, open."""
    used: tuple[Evidence, ...] = ()
    unused: tuple[Evidence, ...] = ()
    """One sentence of each article that was found and not cited."""
    namesakes: tuple[str, ...] = ()
    """Headlines of articles that were left out: they are about other people of the same name."""
    generator: str | None = None
    """The chat model that wrote `text`; None: plain code did, or there is none."""
    warnings: tuple[Notice, ...] = ()
