"""What passes between the components of an answer: findings, evidence, drafts."""

from enum import StrEnum
from typing import Any, Self

from core.types import Article, Digest, Model, Notice, Probability, QueryKind, Relation, Verdict


class Passed(Model):
    """Base of what goes from component to component; frozen, so that Haystack need not copy it at every step."""

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self


class Finding(Passed):
    """A passage, or a piece of one, as the reader read it for the query."""

    article: Article
    digest: Digest
    context_start: int
    """Of `digest.context` in the article's body."""
    rank: int
    """Place in the retriever's ranking; 0 is the best."""
    supports: Probability
    """That the passage as a whole supports the query; means nothing for a question."""
    refutes: Probability
    neither: Probability


class ConflictKind(StrEnum):
    """What two texts say differently. What each kind does to a verdict: `pipelines/conflicts/severity.py`."""

    NUMBER = "number"
    DATE = "date"
    """A year."""
    NAME = "name"
    NAMESAKE = "namesake"
    """Another given name of one surname, another part of one name."""
    QUOTATION = "quotation"
    """Words in quotation marks that were not said, or by somebody else."""
    ORDINAL = "ordinal"
    """A place in an order, or a grade on a scale."""
    DAY = "day"
    ROLES = "roles"
    """Who did it and to whom."""
    EXCHANGE = "exchange"
    """The same words, or numbers, in each other's place."""
    DISPUTED = "disputed"
    """A claim that the quote calls false."""
    OPEN = "open"
    """Planned, alleged or possible only."""
    PARTY = "party"
    """Somebody else, without a name."""
    NEGATION = "negation"
    ANTONYM = "antonym"
    """An opposite."""


class Conflict(Model):
    """Something that a statement and a quote say differently, and that plain code can point to."""

    kind: ConflictKind
    stated: str
    """In the statement."""
    found: str
    """In the quote."""
    alone: bool = False
    """The quote has most of the statement's other words: they differ in this alone."""


class Evidence(Passed):
    """A sentence of an article that bears on the query."""

    article: Article
    start: int
    end: int
    text: str
    """`article.body[start:end]`."""
    context: str = ""
    """The piece of the passage that was read; empty: the sentence alone."""
    context_start: int = 0
    """Of `context` in the article's body."""
    relevance: Probability
    """That it bears on the query."""
    rank: int = 0
    """How many other articles were found before its own."""
    answer: str = ""
    """The answer span in the sentence, for a question."""
    relation: Relation = Relation.MENTIONS
    score: Probability
    """How sure the relation is; calibrated."""
    supports: Probability = 0.0
    """By the verifier; 0 before it has judged, and for a question."""
    refutes: Probability = 0.0
    alone: Probability = 0.0
    """That it supports the statement read without its headline; 0 where that was not asked."""
    swapped: Probability = 0.0
    """That it supports the statement with what a conflict found in place of what is stated."""
    conflicts: tuple[Conflict, ...] = ()


def premise_head(article: Article) -> str:
    """Return what stands before a text of an article where a statement is judged by it."""
    return f"{article.headline}. "


def premise(item: Evidence) -> str:
    """Return what a sentence is judged by: the headline and it alone, so that no quote is credited to its neighbour."""
    return f"{premise_head(item.article)}{item.text}"


def piece_premise(item: Evidence) -> str:
    """Return what the piece around a sentence is judged by: the same, with all of the piece."""
    return f"{premise_head(item.article)}{item.context}"


class ShownSentence(Model):
    """A sentence of an article that a chat model was shown."""

    start: int
    end: int
    relevance: float
    """Higher stays longer when evidence has to be cut."""


class ShownArticle(Passed):
    """One article as a chat model was shown it."""

    number: int
    """n in Doc[n]."""
    article: Article
    sentences: tuple[ShownSentence, ...]
    """In the order of the article."""

    def text(self, sentence: ShownSentence) -> str:
        """Return a sentence as it stands in the article."""
        return self.article.body[sentence.start : sentence.end]


RAW = "raw"
"""Mode in which a chat model is shown no evidence."""
KEYWORDS = "keywords"
"""Mode in which a chat model is shown the words of the evidence alone."""


class Draft(Passed):
    """An answer before it is checked."""

    text: str
    """Sentences with Doc[n]; empty: there is nothing to answer from."""
    generator: str
    mode: str | None = None
    """How a chat model was asked; None: written out of the evidence by plain code."""
    shown: tuple[ShownArticle, ...] = ()
    """What a chat model was shown."""
    warnings: tuple[Notice, ...] = ()


class CheckedAnswer(Passed):
    """What is left of a draft."""

    text: str
    evidence: tuple[Evidence, ...]
    """Whose quotes stand in their articles."""
    warnings: tuple[Notice, ...] = ()


class Ruling(Passed):
    """What the evidence comes to; the parts of a result that depend on it."""

    kind: QueryKind
    has_evidence: bool
    verdict: Verdict
    confidence: Probability
    method: str
    answer: str
    evidence: tuple[Evidence, ...]
    missing: tuple[str, ...]


def number_articles(evidence: list[Evidence]) -> dict[str, int]:
    """Number the articles in the order in which they first appear; article id to n in Doc[n]."""
    numbers: dict[str, int] = {}
    for item in evidence:
        numbers.setdefault(item.article.article_id, len(numbers) + 1)
    return numbers
