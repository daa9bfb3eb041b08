"""Changes of evidence: what happened to the articles of a check, kept until somebody decides."""

import json
import sqlite3
from collections.abc import Iterable
from enum import StrEnum

from core.errors import NotFoundError
from core.types import Model, UtcTime, Verdict
from service.desk.types import CheckState
from service.state.database import Database, now

_SELECT = "SELECT h.*, c.text, c.state FROM changes AS h JOIN checks AS c USING (check_id)"


class ChangeKind(StrEnum):
    """What happened to the evidence of a check, the gravest first."""

    CORRECTED = "corrected"
    """A quoted article carries a correction."""
    REMOVED = "removed"
    """The page of a quoted article is gone."""
    REVISED = "revised"
    """A quoted article has another text."""
    NEW_EVIDENCE = "new_evidence"
    """Articles that were not read before turn the verdict."""
    RESTORED = "restored"
    """The page of a quoted article is back."""


class ArticleChange(Model):
    """What happened to one quoted article."""

    article_id: str
    kind: ChangeKind
    url: str
    headline: str
    source: str
    old_hash: str | None = None
    """Of the revision that the check quotes; None for an article that it did not quote."""
    new_hash: str | None = None
    """Of the revision that there is now."""
    is_decisive: bool = True
    """Whether the answer rests on it: it is cited, or a quote of it supports or contradicts."""
    lost_quotes: tuple[str, ...] = ()
    """Quotes that support or contradict, and no longer stand in the article."""


class Change(Model):
    """One change of the evidence of one check."""

    change_id: int
    """Larger in what was noted later."""
    check_id: str
    text: str
    """The claim."""
    state: CheckState
    """Of the check now."""
    noted_at: UtcTime
    kind: ChangeKind
    articles: tuple[ArticleChange, ...]
    old_run_id: str
    new_run_id: str | None
    """None: not yet asked again."""
    old_verdict: Verdict | None
    new_verdict: Verdict | None
    state_before: CheckState
    settled_at: UtcTime | None = None
    settled_by: str | None = None

    @property
    def turned(self) -> bool:
        """Whether the machine says something else now."""
        return self.new_run_id is not None and self.new_verdict is not self.old_verdict

    def reason(self) -> str:
        """Say in a sentence what happened."""
        parts = [_sentence(one) for one in self.articles]
        if self.turned:
            before = self.old_verdict.value if self.old_verdict else "no verdict"
            after = self.new_verdict.value if self.new_verdict else "no verdict"
            parts.append(f"the answer turned from {before} to {after}")
        return f"{'; '.join(parts)} (noted on {self.noted_at.strftime('%-d %B %Y')})"


class Changes:
    """
    Reads what has changed.

    :param database: Where.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def find(
        self,
        *,
        limit: int,
        before: int | None = None,
        check_id: str | None = None,
        open_only: bool = False,
    ) -> list[Change]:
        """
        Return changes, the latest first.

        :param before: Only what was noted before the change with this id.
        :param open_only: Leave out those on which somebody has decided.
        """
        query = (
            f"{_SELECT} WHERE (?1 IS NULL OR h.number < ?1) AND (?2 IS NULL OR h.check_id = ?2)"
            " AND (NOT ?3 OR h.settled_at IS NULL) ORDER BY h.number DESC LIMIT ?4"
        )
        with self.database.open() as connection:
            return [_change(row) for row in connection.execute(query, (before, check_id, open_only, limit))]

    def reason(self, check_id: str) -> str | None:
        """Say why the evidence of a check has changed; None if somebody has decided since."""
        found = self.find(limit=1, check_id=check_id, open_only=True)
        return found[0].reason() if found else None

    def get(self, change_id: int) -> Change:
        """
        Return a change.

        :raises NotFoundError: If there is none of that id.
        """
        with self.database.open() as connection:
            row = connection.execute(f"{_SELECT} WHERE h.number = ?", (change_id,)).fetchone()
        if row is None:
            raise NotFoundError("there is no such change", field="change_id", hint="GET /v1/changes lists them.")
        return _change(row)

    def unanswered(self, *, limit: int) -> list[Change]:
        """Return open changes whose check has not been asked again yet: of decided checks first, then oldest first."""
        query = (
            f"{_SELECT} WHERE h.new_run_id IS NULL AND h.settled_at IS NULL AND h.kind != 'restored'"
            " ORDER BY h.state_before NOT IN ('approved', 'overridden'), c.looked_at, h.number LIMIT ?"
        )
        with self.database.open() as connection:
            return [_change(row) for row in connection.execute(query, (limit,))]

    def count_unanswered(self) -> int:
        """Return how many open changes wait for their check to be asked again."""
        query = "SELECT count(*) FROM changes WHERE new_run_id IS NULL AND settled_at IS NULL AND kind != 'restored'"
        with self.database.open() as connection:
            return int(connection.execute(query).fetchone()[0])

    def count_open(self) -> int:
        """Return how many checks have changed evidence on which nobody has decided."""
        with self.database.open() as connection:
            query = "SELECT count(DISTINCT check_id) FROM changes WHERE settled_at IS NULL"
            return int(connection.execute(query).fetchone()[0])


def insert_change(
    connection: sqlite3.Connection,
    *,
    check_id: str,
    run_id: str,
    verdict: str | None,
    state: str,
    articles: Iterable[ArticleChange],
    new: tuple[str, str | None] | None = None,
) -> int:
    """
    Note a change.

    :param new: Id and verdict of the new answer; None: not yet asked again.
    :returns: Its id.
    """
    listed = list(articles)
    kind = gravest(one.kind for one in listed)
    new_run, new_verdict = new or (None, None)
    added = connection.execute(
        "INSERT INTO changes (check_id, noted_at, kind, articles, old_run_id, new_run_id, old_verdict, new_verdict,"
        " state_before) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (check_id, now(), kind.value, dump_articles(listed), run_id, new_run, verdict, new_verdict, state),
    )
    return int(added.lastrowid or 0)


def dump_articles(articles: Iterable[ArticleChange]) -> str:
    """Return what happened to articles as the database keeps it."""
    return json.dumps([one.model_dump(mode="json") for one in articles], ensure_ascii=False)


def gravest(kinds: Iterable[ChangeKind]) -> ChangeKind:
    """Return the gravest of several kinds."""
    found = set(kinds)
    return next(kind for kind in ChangeKind if kind in found)


def _change(row: sqlite3.Row) -> Change:
    values = {name: row[name] for name in row.keys() if name not in {"number", "articles"}}  # noqa: SIM118 - a row
    return Change.model_validate({**values, "change_id": row["number"], "articles": json.loads(row["articles"])})


def _sentence(article: ArticleChange) -> str:
    named = f"“{article.headline}” ({article.source})"
    if article.kind is ChangeKind.CORRECTED:
        return f"{named} was corrected"
    if article.kind is ChangeKind.REMOVED:
        return f"the page of {named} is gone"
    if article.kind is ChangeKind.RESTORED:
        return f"the page of {named} is back"
    if article.kind is ChangeKind.NEW_EVIDENCE:
        return f"{named} is new"
    return f"{named} has another text"
