"""What the index does to a statement of the text: against it, beyond it, or the same."""

from typing import Any

from core.types import Article, Relation
from core.urls import hostname
from pipelines.attribution.grounding import word_share
from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.names.names import mentions
from pipelines.contracts.evidence import Evidence, Finding, Ruling, number_articles
from pipelines.injection.sanitise import is_tainted, looks_like_instruction
from pipelines.systems.lateral.question_templates import about_claim
from pipelines.systems.lateral.types import Answered, Aspect, Question, SourceText

NAMED_SHARE = 0.75
"""Share of a question's names that an article must mention for its sentences to answer it."""
BEARS_FROM = 0.6
"""Relevance from which a sentence that settles nothing tells more of the matter."""
LEAST_SHARE = 0.3
"""Share of a statement's words that such a sentence has."""
LEAST_SHARE_UNNAMED = 0.6
"""The same of a statement without a name, by which nothing else tells that both are about one matter."""
QUOTES = 2
LONGEST_QUOTE = 45
"""Words."""


def whole_answer(question: Question, outputs: dict[str, Any], source: SourceText) -> Answered:
    """
    Answer with the articles' own sentences, and ask what they answer.

    What speaks against the statement comes before what tells more of it, and that before what says the same.
    """
    ruling: Ruling = outputs["verdict"]["ruling"]
    found: list[Finding] = outputs["reader"]["findings"]
    aspect, rank, told = _told(question, ruling, source)
    used = _each_article_once(told)[:QUOTES]
    names = {item.article.article_id for item in used}
    others = {finding.article.article_id: finding for finding in reversed(found)}
    unused = [mention(one) for name, one in sorted(others.items(), key=lambda pair: pair[1].rank) if name not in names]
    return Answered(
        question=question.model_copy(update={"text": about_claim(question.claim, aspect), "aspect": aspect}),
        text=_in_words(used),
        rank=rank,
        used=tuple(used),
        unused=tuple(one for one in unused if is_clean(one)),
        namesakes=tuple(outputs["retriever"]["namesakes"]),
        warnings=tuple(outputs["guard"]["warnings"]),
    )


def _told(question: Question, ruling: Ruling, source: SourceText) -> tuple[Aspect, int, list[Evidence]]:
    """Return what to ask, its place in the order, and the evidence that answers it."""
    fit = [
        item
        for item in ruling.evidence
        if len(item.text.split()) <= LONGEST_QUOTE and is_about(question.claim, item.article) and is_clean(item)
    ]
    if against := [item for item in fit if item.relation is Relation.REFUTES]:
        return Aspect.AGAINST, 0, against
    if same := [item for item in fit if item.relation is Relation.SUPPORTS]:
        return question.aspect, 2, same
    least = LEAST_SHARE if analyse(question.claim).names else LEAST_SHARE_UNNAMED
    more = [item for item in fit if item.relevance >= BEARS_FROM and word_share(question.claim, item.text) >= least]
    if not more:
        return question.aspect, 3, []
    own = source.article.published_at if source.article else None
    first = more[0].article.published_at
    is_later = own is not None and first is not None and first > own
    return Aspect.SINCE if is_later else Aspect.OTHERS, 1, more


def _in_words(quotes: list[Evidence]) -> str:
    numbers = number_articles(quotes)
    return " ".join(
        f"{_reported(item.article)}: “{_inside(item.text)}” Doc[{numbers[item.article.article_id]}]." for item in quotes
    )


def _inside(text: str) -> str:
    return " ".join(text.split()).replace("“", '"').replace("”", '"').rstrip(".")


def _reported(article: Article) -> str:
    day = f" on {article.published_at:%-d %B %Y}" if article.published_at else ""
    is_plain = article.source and not looks_like_instruction(article.source)
    return f"{article.source if is_plain else hostname(article.url)} reported{day}"


def _each_article_once(evidence: list[Evidence]) -> list[Evidence]:
    found: dict[str, Evidence] = {}
    for item in evidence:
        found.setdefault(item.article.article_id, item)
    return list(found.values())


def is_about(question: str, article: Article) -> bool:
    """Say whether an article mentions nearly all that a question names, so that both can be about one matter."""
    asked = [name for name in analyse(question).names if name.start > 0]
    held = sum(mentions(name.keys, f"{article.headline}. {article.body}") for name in asked)
    return held >= NAMED_SHARE * len(asked)


def mention(finding: Finding) -> Evidence:
    """Return the best sentence of a finding as evidence that settles nothing."""
    digest = finding.digest
    return Evidence(
        article=finding.article,
        start=digest.sentence_start,
        end=digest.sentence_end,
        text=digest.sentence,
        relevance=digest.relevance,
        score=digest.probability,
    )


def is_clean(item: Evidence) -> bool:
    """Say whether neither quote nor headline talks to a machine."""
    body = item.article.body
    return not is_tainted(body, item.start, item.end) and not looks_like_instruction(item.article.headline)
