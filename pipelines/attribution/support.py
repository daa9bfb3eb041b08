"""Each sentence of a model's answer against the sentences of the articles that it cites."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from enum import StrEnum

from core.types import Model
from pipelines.attribution.citations import CitedSentence
from pipelines.attribution.grounding import (
    mismeasured,
    new_words,
    same_course,
    same_order,
    same_polarity,
    same_quantities,
    ungrounded,
    word_share,
)
from pipelines.attribution.number_owners import of_somebody_else
from pipelines.attribution.number_swaps import numbers_exchanged
from pipelines.attribution.quotes import QuoteOutcome, check_quote, quoted_strings
from pipelines.conflicts.comparison import Surroundings, wording_conflicts
from pipelines.conflicts.severity import is_firm
from pipelines.conflicts.wording.attributed_falsehood import left_open
from pipelines.contracts.evidence import ConflictKind, ShownArticle, ShownSentence

MIN_SUPPORT = 0.6
"""Verifier's probability from which it counts as supporting."""
MAX_CANDIDATES = 6
"""Source sentences judged by the verifier per answer sentence."""

Judge = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Pairs of statement and source text to the probability that the source supports the statement."""


class Fate(StrEnum):
    """What became of a sentence."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNGROUNDED = "ungrounded"
    """It holds a number or name that no source has, or a number of another measure."""
    FALSE_QUOTE = "false_quote"
    NO_STATEMENT = "no_statement"
    """It asks, or speaks about the evidence instead of from it."""


class SentenceCheck(Model):
    """A sentence of an answer and what supports it."""

    sentence: CitedSentence
    fate: Fate
    probability: float = 0.0
    numbers: tuple[int, ...] = ()
    """Documents that support it, ascending."""
    sources: tuple[tuple[int, int, int], ...] = ()
    """Document number, start and end of the sentences that support it, best first."""
    quotes: tuple[QuoteOutcome, ...] = ()
    """What its quotations turned out to be."""
    detail: str = ""


def check_sentence(sentence: CitedSentence, shown: Sequence[ShownArticle], *, judge: Judge) -> SentenceCheck:
    """
    Check one sentence.

    A sentence without citation is checked against everything that was shown.
    """
    if sentence.text.rstrip("\"'\u201d\u2019)").endswith("?"):
        return SentenceCheck(sentence=sentence, fate=Fate.NO_STATEMENT)
    cited = [article for article in shown if not sentence.numbers or article.number in sentence.numbers]
    quotes = _check_quotes(sentence.text, cited, shown)
    if any(outcome is not QuoteOutcome.VERBATIM for outcome in quotes):
        return SentenceCheck(sentence=sentence, fate=Fate.FALSE_QUOTE, quotes=quotes)
    texts = [text for article in cited for text in _texts(article)]
    strange = ungrounded(sentence.text, texts) or mismeasured(sentence.text, texts)
    if strange:
        return SentenceCheck(sentence=sentence, fate=Fate.UNGROUNDED, quotes=quotes, detail=", ".join(strange))
    scored = _score(sentence.text, cited, judge)
    supporting = [(score, article, source) for score, article, source in scored if score >= MIN_SUPPORT]
    if not supporting:
        best = max((score for score, _, _ in scored), default=0.0)
        return SentenceCheck(sentence=sentence, fate=Fate.UNSUPPORTED, probability=best, quotes=quotes)
    return SentenceCheck(
        sentence=sentence,
        fate=Fate.SUPPORTED,
        probability=supporting[0][0],
        numbers=tuple(sorted({article.number for _, article, _ in supporting})),
        sources=tuple((article.number, source.start, source.end) for _, article, source in supporting),
        quotes=quotes,
    )


def _published(article: ShownArticle) -> date | None:
    return article.article.published_at.date() if article.article.published_at else None


def _texts(article: ShownArticle) -> list[str]:
    day = _published(article)
    dates = [f"{day.isoformat()} {day:%d} {day.day} {day:%B} {day:%Y} {day:%A}"] if day else []
    return [article.article.headline, article.article.source, *dates, *map(article.text, article.sentences)]


def _check_quotes(text: str, cited: Sequence[ShownArticle], shown: Sequence[ShownArticle]) -> tuple[QuoteOutcome, ...]:
    bodies: Mapping[str, str] = {one.article.article_id: one.article.body for one in cited}
    others: Mapping[str, str] = {one.article.article_id: one.article.body for one in shown}
    return tuple(check_quote(quote, cited=bodies, others=others).outcome for quote in quoted_strings(text))


def _score(text: str, cited: Sequence[ShownArticle], judge: Judge) -> list[tuple[float, ShownArticle, ShownSentence]]:
    """
    Return the likeliest source sentences with their support, best first.

    The source's own words support by themselves; with a single new one the sentence is judged by the verifier. A source
    sentence that cannot be right together with the sentence is none, nor is one that disputes nothing where the
    sentence calls something false.
    """
    candidates = [
        (word_share(text, article.text(source)), article, source) for article in cited for source in article.sentences
    ]
    candidates.sort(key=lambda one: (-one[0], one[1].number, one[2].start))
    scored: list[tuple[float, ShownArticle, ShownSentence]] = []
    open_ones: list[tuple[float, ShownArticle, ShownSentence]] = []
    for share, article, source in candidates[:MAX_CANDIDATES]:
        said = article.text(source)
        if not share or not same_polarity(text, said) or ConflictKind.DISPUTED in left_open(text) - left_open(said):
            continue
        conflicts = wording_conflicts(text, said, near=Surroundings(published=_published(article)))
        if is_firm([conflict for conflict in conflicts if conflict.kind is not ConflictKind.OPEN]):
            continue
        if numbers_exchanged(text, said) or of_somebody_else(text, said):
            continue
        if not conflicts and _is_taken_over(text, said):
            scored.append((share, article, source))
        else:
            open_ones.append((share, article, source))
    if not scored and open_ones:
        pairs = [(text, f"{article.article.headline}. {article.text(source)}") for _, article, source in open_ones]
        scored = [(value, article, source) for value, (_, article, source) in zip(judge(pairs), open_ones, strict=True)]
    return sorted(scored, key=lambda one: (-one[0], one[1].number, one[2].start))


def _is_taken_over(text: str, source: str) -> bool:
    """Say whether all words are the source's: one of its own ("unlikely", "vaccine") can turn the fact around."""
    is_in_order = not new_words(text, source) and same_order(text, source) and same_course(text, source)
    return is_in_order and same_quantities(text, source) and left_open(source) <= left_open(text)
