"""Each sentence of a model's answer against the sentences of the articles that it cites."""

import itertools
import re
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
from pipelines.attribution.number_swaps import numbers_exchanged
from pipelines.attribution.quotes import QuoteOutcome, check_quote, quoted_strings
from pipelines.attribution.refusals import declines
from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.comparison import Surroundings, wording_conflicts
from pipelines.conflicts.names.names import Name, mentions
from pipelines.conflicts.numbers.quantities import comparable
from pipelines.conflicts.numbers.quantity import Quantity
from pipelines.conflicts.severity import is_firm
from pipelines.conflicts.wording.attributed_falsehood import left_open
from pipelines.contracts.evidence import Conflict, ConflictKind, ShownArticle, ShownSentence, premise_head

_LINK = re.compile(r"(?:,|;|\b(?:and|but|while|whereas))\s+(?:the\s+)?$", re.IGNORECASE)
_Owned = tuple[Name, Quantity]
"""A name and the number that is given to it."""
MIN_SUPPORT = 0.6
"""Verifier's probability from which it counts as supporting."""
MAX_CANDIDATES = 6
"""Source sentences judged by the verifier per answer sentence."""

MOST_TOGETHER = 3
"""Source sentences of one article that are judged together."""

Scored = tuple[float, ShownArticle, ShownSentence]
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


def check_sentence(
    sentence: CitedSentence, shown: Sequence[ShownArticle], *, judge: Judge, query: str = ""
) -> SentenceCheck:
    """
    Check one sentence.

    A sentence without citation is checked against everything that was shown, and so is one whose own citations do not
    support it: a wrong number makes no sentence wrong. What is in quotation marks must stand in what is cited.

    :param query: What was asked: its names may be repeated.
    """
    if sentence.text.rstrip("\"'\u201d\u2019)").endswith("?") or declines(sentence.text):
        return SentenceCheck(sentence=sentence, fate=Fate.NO_STATEMENT)
    cited = [article for article in shown if not sentence.numbers or article.number in sentence.numbers]
    quotes = _check_quotes(sentence.text, cited, shown)
    if any(outcome is not QuoteOutcome.VERBATIM for outcome in quotes):
        return SentenceCheck(sentence=sentence, fate=Fate.FALSE_QUOTE, quotes=quotes)
    judge = _each_once(judge)
    check = _check(sentence, cited, quotes, judge=judge, query=query)
    if check.fate is Fate.SUPPORTED or quotes or len(cited) == len(shown):
        return check
    elsewhere = _check(sentence, shown, quotes, judge=judge, query=query)
    return elsewhere if elsewhere.fate is Fate.SUPPORTED else check


def _check(
    sentence: CitedSentence,
    cited: Sequence[ShownArticle],
    quotes: tuple[QuoteOutcome, ...],
    *,
    judge: Judge,
    query: str,
) -> SentenceCheck:
    """Check a sentence against some articles, its quotations apart."""
    texts = [text for article in cited for text in _texts(article)]
    strange = ungrounded(sentence.text, texts, asked=query) or mismeasured(sentence.text, texts)
    if strange:
        return SentenceCheck(sentence=sentence, fate=Fate.UNGROUNDED, quotes=quotes, detail=", ".join(strange))
    scored = _score(sentence.text, cited, judge)
    supporting = [one for one in scored if one[0] >= MIN_SUPPORT]
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


def _each_once(judge: Judge) -> Judge:
    """Judge each pair once, however often it is asked for: what is shown holds what is cited."""
    known: dict[tuple[str, str], float] = {}

    def judged(pairs: Sequence[tuple[str, str]]) -> list[float]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        if new:
            known.update(zip(new, judge(new), strict=True))
        return [known[pair] for pair in pairs]

    return judged


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


def _score(text: str, cited: Sequence[ShownArticle], judge: Judge) -> list[Scored]:
    """
    Return the likeliest source sentences with their support, best first.

    The source's own words support by themselves; with a single new one the sentence is judged by the verifier. A source
    sentence that cannot be right together with the sentence is none, nor is one that disputes nothing where the
    sentence calls something false. Where no source sentence is enough, those of an article are judged together.
    """
    candidates = [
        (word_share(text, article.text(source)), article, source) for article in cited for source in article.sentences
    ]
    candidates.sort(key=lambda one: (-one[0], one[1].number, one[2].start))
    scored: list[Scored] = []
    open_ones: list[Scored] = []
    against: set[int] = set()
    for share, article, source in candidates[:MAX_CANDIDATES]:
        said = article.text(source)
        if not share:
            continue
        conflicts = wording_conflicts(text, said, near=Surroundings(published=_published(article)))
        if _is_against(text, said, conflicts):
            against.add(article.number)
        elif not conflicts and _is_taken_over(text, said):
            scored.append((share, article, source))
        else:
            open_ones.append((share, article, source))
    if not scored and open_ones:
        pairs = [(text, premise_head(article.article) + article.text(source)) for _, article, source in open_ones]
        scored = [(value, article, source) for value, (_, article, source) in zip(judge(pairs), open_ones, strict=True)]
        if all(value < MIN_SUPPORT for value, _, _ in scored):
            scored += _judged_together(text, [one for one in open_ones if one[1].number not in against], judge)
    return sorted(scored, key=lambda one: (-one[0], one[1].number, one[2].start))


def _is_against(text: str, said: str, conflicts: Sequence[Conflict]) -> bool:
    """Say whether a source sentence and a sentence cannot both be right, as plain code can see."""
    if not same_polarity(text, said) or ConflictKind.DISPUTED in left_open(text) - left_open(said):
        return True
    if is_firm([conflict for conflict in conflicts if conflict.kind is not ConflictKind.OPEN]):
        return True
    return numbers_exchanged(text, said) or _of_somebody_else(text, said)


def _judged_together(text: str, candidates: Sequence[Scored], judge: Judge) -> list[Scored]:
    """
    Let the verifier judge a sentence by several source sentences of one article, in their order.

    :param candidates: Source sentences with the share of the sentence's words that each has, best first.
    :returns: Each of those sentences with the probability of all; empty: no article has several.
    """
    groups: dict[int, list[Scored]] = {}
    for one in candidates:
        groups.setdefault(one[1].number, []).append(one)
    several = [group[:MOST_TOGETHER] for group in groups.values() if len(group) > 1]
    pairs = []
    for group in several:
        article = group[0][1]
        told = " ".join(article.text(source) for _, _, source in sorted(group, key=lambda one: one[2].start))
        pairs.append((text, premise_head(article.article) + told))
    judged = judge(pairs) if pairs else []
    return [
        (value, article, source) for value, group in zip(judged, several, strict=True) for _, article, source in group
    ]


def _is_taken_over(text: str, source: str) -> bool:
    """Say whether all words are the source's: one of its own ("unlikely", "vaccine") can turn the fact around."""
    is_in_order = not new_words(text, source) and same_order(text, source) and same_course(text, source)
    return is_in_order and same_quantities(text, source) and left_open(source) <= left_open(text)


def _of_somebody_else(sentence: str, source: str) -> bool:
    """
    Say whether a sentence gives a name a number that its source gives to another, and the name another number.

    Only lists are compared: a name and its number, then another name and its own.
    """
    theirs = _owned(source)
    for name, number in _owned(sentence):
        own = {item.value for one, item in theirs if mentions(name.keys, one.text) and comparable(number, item)}
        others = {item.value for one, item in theirs if not mentions(name.keys, one.text)}
        if own and number.value in others - own:
            return True
    return False


def _owned(text: str) -> list[_Owned]:
    """Return the names and numbers of a text that has nothing but such pairs, years and a last name aside."""
    told: list[Name | Quantity] = [*analyse(text).names, *(item for item in analyse(text).numbers if not item.is_year)]
    told.sort(key=lambda item: item.start)
    if told and isinstance(told[-1], Name):
        told.pop()
    pairs = [
        (name, number)
        for name, number in zip(told[::2], told[1::2], strict=False)
        if isinstance(name, Name) and isinstance(number, Quantity)
    ]
    is_list = all(_LINK.search(text[before.end : after.start]) for (_, before), (after, _) in itertools.pairwise(pairs))
    return pairs if is_list and 2 * len(pairs) == len(told) else []
