"""Compares what a check quotes with what the index holds now."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.types import Article, Reference, Relation, Result
from pipelines.attribution.markers import cited_numbers
from service.desk.changes import ArticleChange, ChangeKind

_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True)
class Quoted:
    """An article that a check's answer quotes, as it was then."""

    article_id: str
    content_hash: str
    is_gone: bool
    """Whether it is known that the page is gone."""


def compare(quoted: Sequence[Quoted], current: Mapping[str, Sequence[Article]], result: Result) -> list[ArticleChange]:
    """
    Say what happened to the articles that an answer quotes.

    An article that the index does not hold at all is left out: another index is not a sign that a page is gone.

    :param current: Article id to the revisions that the index holds now, oldest first.
    :param result: The answer.
    """
    found = [_compare_one(one, current[one.article_id], result) for one in quoted if one.article_id in current]
    return list({one.article_id: one for one in found if one is not None}.values())


def is_news(change: ArticleChange) -> bool:
    """
    Say whether people must look, whatever the new answer is.

    They must if an article that the answer rests on was corrected, its page is gone, or a quote no longer stands in it.
    """
    if not change.is_decisive:
        return False
    return change.kind in {ChangeKind.CORRECTED, ChangeKind.REMOVED} or bool(change.lost_quotes)


def plain(text: str) -> str:
    """Return a text without what differs between two settings of the same words: case and blanks."""
    return _BLANKS.sub(" ", text).strip().casefold()


def asked_at(result: Result) -> datetime | None:
    """Return when an answer was made; None if its record does not say."""
    return result.run.created_at if result.run else None


def _compare_one(quoted: Quoted, revisions: Sequence[Article], result: Result) -> ArticleChange | None:
    article, since = revisions[-1], asked_at(result)
    kind = None
    if article.gone_at is not None:
        is_later = since is None or article.gone_at > since
        kind = ChangeKind.REMOVED if is_later and not quoted.is_gone else None
    elif newer := _revisions_since(quoted, revisions, since if result.request.as_of else None):
        kind = ChangeKind.CORRECTED if any(one.correction for one in newer) else ChangeKind.REVISED
    elif quoted.is_gone:
        kind = ChangeKind.RESTORED
    if kind is None:
        return None
    reference = next((one for one in result.references if one.article_id == quoted.article_id), None)
    return ArticleChange(
        article_id=quoted.article_id,
        kind=kind,
        url=article.url,
        headline=article.headline,
        source=article.source,
        old_hash=quoted.content_hash,
        new_hash=article.content_hash,
        is_decisive=reference is not None and _rests_on(result, reference),
        lost_quotes=_lost_quotes(reference, article) if reference and kind is not ChangeKind.REMOVED else (),
    )


def _revisions_since(quoted: Quoted, revisions: Sequence[Article], seen_after: datetime | None) -> list[Article]:
    """
    Return the revisions that came after the quoted one; none if that is the article's text again.

    :param seen_after: For an answer as of a day, which quotes what was current then: when it was made.
    """
    hashes = [one.content_hash for one in revisions]
    last = max((place for place, name in enumerate(hashes) if name == quoted.content_hash), default=-1)
    return [one for one in revisions[last + 1 :] if seen_after is None or one.first_seen_at > seen_after]


def _rests_on(result: Result, reference: Reference) -> bool:
    """Say whether an answer cites an article, or a quote of it supports or contradicts."""
    is_telling = any(quote.relation is not Relation.MENTIONS for quote in reference.quotes)
    return is_telling or reference.number in cited_numbers(result.answer)


def _lost_quotes(reference: Reference, article: Article) -> tuple[str, ...]:
    body = plain(f"{article.headline}\n{article.body}")
    telling = (quote.text for quote in reference.quotes if quote.relation is not Relation.MENTIONS)
    return tuple(text for text in telling if plain(text) not in body)
