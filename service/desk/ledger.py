"""Every step of looking at a check again, one transaction each: a pass that is killed half-does none."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta

from core.types import Result
from service.answers.caller import Caller, Via
from service.answers.runs import write_run
from service.desk.changes import ArticleChange, ChangeKind, dump_articles, gravest, insert_change
from service.desk.due import ACTIVE
from service.desk.rows import SELECT, to_check, write_evidence, write_history
from service.desk.types import Check, CheckState, Reviewer
from service.state.database import Database, now

_MACHINE = Reviewer()
_NO_DECISION = (
    "decided_verdict = NULL, reason_code = NULL, comment = NULL, decided_at = NULL, decided_by = '[]',"
    " decided_key = NULL"
)
_HELD_S = 3600
"""A webhook is told when the check was asked again, or at the latest after so many seconds."""


class Ledger:
    """
    Writes what a pass finds.

    :param outbox: Whether a webhook is to be told of changes.
    """

    def __init__(self, database: Database, *, outbox: bool) -> None:
        self.database = database
        self.outbox = outbox

    def mark_compared(self, snapshot: str, *, until: int, besides: Collection[str]) -> None:
        """
        Note that quoted articles were compared with this state of the index.

        :param until: Number of the newest check at the beginning; later ones were not seen.
        :param besides: Checks that must be asked first.
        """
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                f"UPDATE checks SET compared_snapshot = ? WHERE {ACTIVE} AND compared_snapshot IS NOT ?"
                " AND number <= ?",
                (snapshot, snapshot, until),
            )
            left = [(check_id,) for check_id in besides]
            connection.executemany("UPDATE checks SET compared_snapshot = NULL WHERE check_id = ?", left)

    def note(self, check_id: str, articles: Sequence[ArticleChange]) -> int | None:
        """
        Note that articles of a check have changed; a decided check goes back to people.

        A change that waits to be asked again takes the articles in.

        :returns: Its id; None if that is known, or the check was withdrawn.
        """
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            check = _active(connection, check_id)
            if check is None:
                return None
            waiting = connection.execute(
                "SELECT number, articles FROM changes WHERE check_id = ? AND new_run_id IS NULL AND kind != 'restored'"
                " AND settled_at IS NULL",
                (check_id,),
            ).fetchone()
            if waiting is None:
                number = self._insert(connection, check, articles)
                _send_back(connection, check, articles)
                return number
            if waiting["articles"] == (listed := dump_articles(articles)):
                return None
            kind = gravest(one.kind for one in articles).value
            values = (listed, kind, waiting["number"])
            connection.execute("UPDATE changes SET articles = ?, kind = ? WHERE number = ?", values)
            return int(waiting["number"])

    def note_restored(self, check_id: str, articles: Sequence[ArticleChange]) -> int | None:
        """
        Note that pages are back.

        :returns: The change, if people have not yet decided about the loss; else None, for it is not news.
        """
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            _acknowledge(connection, check_id, articles)
            lost = connection.execute(
                "SELECT 1 FROM changes WHERE check_id = ? AND kind = 'removed' AND settled_at IS NULL", (check_id,)
            ).fetchone()
            check = _active(connection, check_id)
            return None if lost is None or check is None else self._insert(connection, check, articles)

    def attach(self, check_id: str, number: int, result: Result, *, snapshot: str, gone: Collection[str]) -> bool:
        """
        Put the new answer beside the old one.

        :param gone: Ids of the articles whose pages are gone.
        :returns: False: somebody has decided meanwhile, and nothing was written.
        """
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            known = connection.execute(
                "SELECT new_run_id, settled_at, old_verdict FROM changes WHERE number = ?", (number,)
            ).fetchone()
            if known is None or known["new_run_id"] is not None or known["settled_at"] is not None:
                return False
            _use_answer(connection, check_id, result, snapshot=snapshot, gone=gone)
            verdict = result.verdict.value if result.verdict else None
            values = (result.run_id, verdict, number)
            connection.execute("UPDATE changes SET new_run_id = ?, new_verdict = ? WHERE number = ?", values)
            if verdict != known["old_verdict"]:  # also where a webhook was told of the change alone
                connection.execute(
                    "UPDATE webhook_deliveries SET delivered_at = NULL, attempts = 0 WHERE number = ?", (number,)
                )
            connection.execute(
                "UPDATE webhook_deliveries SET next_at = ? WHERE number = ? AND attempts = 0", (now(), number)
            )
        return True

    def turn(
        self,
        check_id: str,
        articles: Sequence[ArticleChange],
        result: Result,
        *,
        snapshot: str,
        gone: Collection[str],
    ) -> int | None:
        """Note that the answer of a check has turned; return the change's id, None if the check was withdrawn."""
        verdict = result.verdict.value if result.verdict else None
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            check = _active(connection, check_id)
            if check is None:
                return None
            number = self._insert(connection, check, articles, new=(result.run_id, verdict))
            _send_back(connection, check, articles)
            _use_answer(connection, check_id, result, snapshot=snapshot, gone=gone)
        return number

    def look(
        self, check_id: str, articles: Sequence[ArticleChange] = (), *, snapshot: str, read: Iterable[str] = ()
    ) -> None:
        """
        Note that a check was looked at and stays as it is: what changed in its articles is not news.

        :param articles: What changed; empty: the index was searched for new evidence.
        :param read: Ids of further articles that were read for it.
        """
        column = "compared_snapshot" if articles else "looked_snapshot"
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            _acknowledge(connection, check_id, articles)
            _add_read(connection, check_id, read)
            connection.execute(
                f"UPDATE checks SET looked_at = ?, {column} = ? WHERE check_id = ?",
                (now(), snapshot, check_id),
            )

    def postpone(self, check_id: str) -> None:
        """Note that a check could not be asked again: others come before its next turn."""
        with self.database.open() as connection:
            connection.execute("UPDATE checks SET looked_at = ? WHERE check_id = ?", (now(), check_id))

    def _insert(
        self,
        connection: sqlite3.Connection,
        check: Check,
        articles: Sequence[ArticleChange],
        *,
        new: tuple[str, str | None] | None = None,
    ) -> int:
        number = insert_change(
            connection,
            check_id=check.check_id,
            run_id=check.run_id,
            verdict=check.verdict.value if check.verdict else None,
            state=check.state.value,
            articles=articles,
            new=new,
        )
        if self.outbox:
            is_whole = new is not None or all(one.kind is ChangeKind.RESTORED for one in articles)
            due_at = now() if is_whole else now(timedelta(seconds=_HELD_S))
            connection.execute("INSERT INTO webhook_deliveries (number, next_at) VALUES (?, ?)", (number, due_at))
        return number


def settle(connection: sqlite3.Connection, check_id: str, *, by: str | None) -> None:
    """Note that somebody has decided what had changed: it is not news any more."""
    rows = connection.execute(
        "SELECT articles FROM changes WHERE check_id = ? AND settled_at IS NULL ORDER BY number", (check_id,)
    ).fetchall()
    for row in rows:
        known = [ArticleChange.model_validate(one) for one in json.loads(row["articles"])]
        _acknowledge(connection, check_id, known)
    connection.execute(
        "UPDATE changes SET settled_at = ?, settled_by = ? WHERE check_id = ? AND settled_at IS NULL",
        (now(), by, check_id),
    )


def _active(connection: sqlite3.Connection, check_id: str) -> Check | None:
    row = connection.execute(f"{SELECT} WHERE c.check_id = ? AND c.{ACTIVE}", (check_id,)).fetchone()
    return None if row is None else to_check(row)


def _acknowledge(connection: sqlite3.Connection, check_id: str, articles: Iterable[ArticleChange]) -> None:
    """Take the present state of articles as the one that is known."""
    for one in articles:
        connection.execute(
            "UPDATE OR REPLACE check_articles SET content_hash = coalesce(?, content_hash), is_gone = ?"
            " WHERE check_id = ? AND article_id = ?",
            (one.new_hash, one.kind is ChangeKind.REMOVED, check_id, one.article_id),
        )


def _add_read(connection: sqlite3.Connection, check_id: str, read: Iterable[str]) -> None:
    row = connection.execute("SELECT read_articles FROM checks WHERE check_id = ?", (check_id,)).fetchone()
    known = json.loads(row[0]) if row is not None else []
    merged = sorted({*known, *read})
    if merged != known:
        values = (json.dumps(merged), check_id)
        connection.execute("UPDATE checks SET read_articles = ? WHERE check_id = ?", values)


def _send_back(connection: sqlite3.Connection, check: Check, articles: Sequence[ArticleChange]) -> None:
    """Note a change in the check's history; what was decided or proposed goes there, and the check back to review."""
    changes: dict[str, tuple[object, object]] = {"evidence": (None, [one.model_dump(mode="json") for one in articles])}
    back = ""
    if (before := check.decision or check.proposal) is not None:
        back = f", state = '{CheckState.IN_REVIEW.value}', {_NO_DECISION}"
        changes["state"] = (check.state.value, CheckState.IN_REVIEW.value)
        changes["decision"] = (before.model_dump(mode="json"), None)
    connection.execute(
        f"UPDATE checks SET version = version + 1, updated_at = ?, updated_by = NULL{back} WHERE check_id = ?",
        (now(), check.check_id),
    )
    write_history(
        connection, check.check_id, action="evidence_changed", who=_MACHINE, changes=changes, run_id=check.run_id
    )


def _use_answer(
    connection: sqlite3.Connection, check_id: str, result: Result, *, snapshot: str, gone: Collection[str]
) -> None:
    """Make a new answer the check's; the old one stays among its runs."""
    row = connection.execute("SELECT verdict, read_articles FROM checks WHERE check_id = ?", (check_id,)).fetchone()
    after = result.verdict.value if result.verdict else None
    write_run(connection, result, Caller(via=Via.RECHECK))
    values = (result.run_id, check_id, now())
    connection.execute("INSERT OR IGNORE INTO check_runs (run_id, check_id, at) VALUES (?, ?, ?)", values)
    connection.execute(
        "UPDATE checks SET run_id = ?, verdict = ?, looked_at = ?, looked_snapshot = ?, compared_snapshot = ?,"
        " version = version + 1, updated_at = ?, updated_by = NULL WHERE check_id = ?",
        (result.run_id, after, now(), snapshot, snapshot, now(), check_id),
    )
    write_evidence(connection, check_id, result)
    _add_read(connection, check_id, json.loads(row["read_articles"]))
    lost = [(check_id, name) for name in gone]
    connection.executemany("UPDATE check_articles SET is_gone = 1 WHERE check_id = ? AND article_id = ?", lost)
    changes = {"verdict": (row["verdict"], after)}
    write_history(connection, check_id, action="asked_again", who=_MACHINE, changes=changes, run_id=result.run_id)
