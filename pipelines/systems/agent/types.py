"""What passes between the steps of an investigation."""

from pydantic import Field

from core.types import Article, Failure, Model, Notice
from pipelines.contracts.evidence import Passed
from pipelines.systems.agent.source_filter import SourceFilter


class Budget(Model):
    """What an investigation may cost; it ends gracefully when one of them is spent."""

    rounds: int
    results: int
    """Articles a search."""
    seconds: float
    tokens: int
    """Of all prompts and replies."""


class Round(Passed):
    """One search."""

    query: str
    why: str = ""
    """Which part of the claim it is for."""
    articles: tuple[Article, ...] = ()
    """Found, best first, in the revisions of then."""
    report: str = ""
    """What the second role made of it; Doc[n] in the numbers of the trace."""
    left_out: int = 0
    """Results that were dropped, for whatever reason."""
    blocked: int = 0
    """Articles among them that the block list or the allow list dropped."""
    below: tuple[str, ...] = ()
    """Addresses of the articles among them whose source is graded too low."""
    failure: Failure | None = None


class Trace(Passed):
    """All of an investigation."""

    backend: str
    rounds: tuple[Round, ...] = ()
    numbers: dict[str, int] = Field(default_factory=dict)
    """Article id to n in Doc[n], in the order in which they were first found."""
    open_parts: tuple[str, ...] = ()
    """Of the claim, that no search covered."""
    generator: str | None = None
    """The chat model that chose the searches; None: plain code did."""
    took_part: str | None = None
    """The chat model that chose some of the searches and reported on them; None: plain code did all."""
    source_filter: SourceFilter = SourceFilter()
    warnings: tuple[Notice, ...] = ()


class Opinion(Passed):
    """What the main model concluded; the verdict is made of evidence and does not follow from it."""

    verdict: str
    """supported, refuted or unclear."""
    certainty: int | None
    """0 to 100; None: it did not say."""
