"""A change with both answers side by side, and what changed in each article."""

from collections.abc import Callable

from core.errors import LooksyError, NotFoundError
from core.types import Article, Model, Result, UtcTime
from indexing.stores.contract import EvidenceStore
from service.answers.runs import read_result
from service.desk.changes import ArticleChange, Change, ChangeKind
from service.desk.difference import Block, compare_revisions
from service.state.database import Database

MAX_ARTICLES = 20


class ArticleDifference(Model):
    """What changed in one article."""

    article: ArticleChange
    old_revision: int | None = None
    """None: the index does not hold it. So is `new_revision`."""
    new_revision: int | None = None
    seen_at: UtcTime | None = None
    """When the new revision was first seen, or the page was first found to be gone."""
    blocks: tuple[Block, ...] = ()
    """The difference of the revisions, in reading order; empty: the text is the same, or not both are held."""


class SideBySide(Model):
    """One change, both answers, and what changed in the articles."""

    change: Change
    reason: str
    """What happened, in a sentence."""
    old: Result | None
    """The answer that people decided on; None: it is no longer kept. Its run record is left out, as of `new`."""
    new: Result | None
    """None: not yet asked again."""
    articles: tuple[ArticleDifference, ...]


def side_by_side(change: Change, database: Database, open_store: Callable[[], EvidenceStore]) -> SideBySide:
    """
    Put both answers of a change beside each other.

    :param open_store: Opens the index; without one, articles have no difference.
    """
    revisions: dict[str, list[Article]] = {}
    shown = change.articles[:MAX_ARTICLES]
    try:
        store = open_store()
        revisions = {one.article_id: store.get_revisions(one.article_id) for one in shown}
    except LooksyError:
        pass  # what happened stands in the change; the texts are not at hand
    return SideBySide(
        change=change,
        reason=change.reason(),
        old=_answer(database, change.old_run_id),
        new=_answer(database, change.new_run_id),
        articles=tuple(_difference(one, revisions.get(one.article_id, [])) for one in shown),
    )


def _difference(article: ArticleChange, revisions: list[Article]) -> ArticleDifference:
    old, new = _of_hash(revisions, article.old_hash), _of_hash(revisions, article.new_hash)
    seen_at = new.first_seen_at if new else None
    if article.kind is ChangeKind.REMOVED and revisions:
        seen_at = revisions[-1].gone_at
    return ArticleDifference(
        article=article,
        old_revision=old.revision if old else None,
        new_revision=new.revision if new else None,
        seen_at=seen_at,
        blocks=compare_revisions(old, new) if old and new else (),
    )


def _of_hash(revisions: list[Article], content_hash: str | None) -> Article | None:
    return next((one for one in reversed(revisions) if one.content_hash == content_hash), None)


def _answer(database: Database, run_id: str | None) -> Result | None:
    if run_id is None:
        return None
    try:
        return read_result(database, run_id).model_copy(update={"run": None})
    except NotFoundError:
        return None
