"""Checks: put a run on the desk, find checks, change them. Nothing is overwritten unseen, and history is kept."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from core.errors import ConflictError, NotFoundError
from core.types import Result
from service.answers.archive import match_words
from service.answers.runs import read_result
from service.desk.ledger import settle
from service.desk.moves import Step, plan
from service.desk.rows import SELECT, to_check, to_history, write_evidence, write_history
from service.desk.types import Check, CheckPatch, CheckQuery, CheckState, HistoryEntry, Reviewer
from service.state.database import Database, now
from service.state.functions import claim_key

_CONDITIONS = {
    "state": "c.state = :state",
    "owner": "c.owner = :owner",
    "text": "c.number IN (SELECT rowid FROM checks_fts WHERE checks_fts MATCH :text)",
    "verdict": "coalesce(c.decided_verdict, c.verdict) = :verdict",
    "run_id": "c.check_id IN (SELECT check_id FROM check_runs WHERE run_id = :run_id)",
}
_OPEN_CHANGES = "SELECT check_id FROM changes WHERE settled_at IS NULL"


class Desk:
    """
    Keeps checks.

    :param database: Where.
    :param reviewers: People who must agree before a check is decided.
    :param on_change: Told of each check that people have changed.
    """

    def __init__(
        self, database: Database, *, reviewers: int = 1, on_change: Callable[[Check], None] = lambda _: None
    ) -> None:
        self.database = database
        self.reviewers = reviewers
        self.on_change = on_change

    def add(self, run_id: str, *, who: Reviewer) -> tuple[Check, bool]:
        """
        Put a run on the desk.

        :returns: The check, and whether it is new: a run that is on the desk stays there as it is.
        :raises NotFoundError: If there is no such run.
        """
        result = read_result(self.database, run_id)
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            known = connection.execute("SELECT check_id FROM check_runs WHERE run_id = ?", (run_id,)).fetchone()
            check_id = str(known[0]) if known else _insert(connection, result, who)
            return to_check(_row(connection, check_id)), known is None

    def get(self, check_id: str) -> Check:
        """
        Return a check.

        :raises NotFoundError: If there is none of that id.
        """
        with self.database.open() as connection:
            return to_check(_row(connection, check_id))

    def of_run(self, run_id: str) -> Check | None:
        """Return the check that a run belongs to; None if it is not on the desk."""
        found = self.find(CheckQuery(run_id=run_id), limit=1)
        return found[0] if found else None

    def of_runs(self, run_ids: Sequence[str]) -> dict[str, CheckState]:
        """Return the state of the checks that some runs belong to; those that are not on the desk are left out."""
        with self.database.open() as connection:
            rows = connection.execute(
                "SELECT r.run_id, c.state FROM check_runs r JOIN checks c USING (check_id)"
                " WHERE r.run_id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(run_ids)),),
            ).fetchall()
        return {str(run_id): CheckState(state) for run_id, state in rows}

    def find(self, query: CheckQuery | None = None, *, limit: int, before: str | None = None) -> list[Check]:
        """
        Return checks, the latest changed first.

        :param before: Only checks that were changed before this one.
        :raises NotFoundError: If there is no check `before`.
        :raises InputError: If `text` holds no word.
        """
        query = query or CheckQuery()
        values: dict[str, Any] = {name: value for name, value in query.model_dump(mode="json").items() if value}
        if query.text is not None:
            values["text"] = match_words(query.text)
        conditions = [_CONDITIONS[name] for name in values if name != "changed"]
        if query.changed is not None:
            conditions.append(f"c.check_id {'IN' if query.changed else 'NOT IN'} ({_OPEN_CHANGES})")
        if before is not None:
            conditions.append(
                "(c.updated_at, c.number) < (SELECT updated_at, number FROM checks WHERE check_id = :before)"
            )
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        statement = f"{SELECT}{where} ORDER BY c.updated_at DESC, c.number DESC LIMIT :limit"
        with self.database.open() as connection:
            rows = connection.execute(statement, values | {"before": before, "limit": limit}).fetchall()
            if before is not None and not rows:
                _row(connection, before)
        return [to_check(row) for row in rows]

    def counts(self) -> dict[CheckState, int]:
        """Return how many checks there are in each state."""
        with self.database.open() as connection:
            found = dict(connection.execute("SELECT state, count(*) FROM checks GROUP BY state").fetchall())
        return {state: int(found.get(state.value, 0)) for state in CheckState}

    def history(self, check_id: str) -> list[HistoryEntry]:
        """
        Return what happened to a check, oldest first.

        :raises NotFoundError: If there is no such check.
        """
        with self.database.open() as connection:
            _row(connection, check_id)
            rows = connection.execute("SELECT * FROM check_history WHERE check_id = ? ORDER BY number", (check_id,))
            return [to_history(row) for row in rows]

    def key_of_decision(self, check_id: str) -> str | None:
        """Return id and name of the key with which a check was decided; None if none was asked for."""
        with self.database.open() as connection:
            row = connection.execute("SELECT decided_key FROM checks WHERE check_id = ?", (check_id,)).fetchone()
        return None if row is None or row[0] is None else str(row[0])

    def runs(self, check_id: str) -> list[str]:
        """Return the runs of a check, oldest first."""
        with self.database.open() as connection:
            rows = connection.execute(
                "SELECT run_id FROM check_runs WHERE check_id = ? ORDER BY at, run_id", (check_id,)
            )
            return [row[0] for row in rows]

    def change(self, check_id: str, patch: CheckPatch, *, who: Reviewer, version: int | None = None) -> Check:
        """
        Change a check.

        :param version: The check's version that the change is made from; None: whatever it is now.
        :raises NotFoundError: If there is no such check.
        :raises ConflictError: If somebody has changed the check since that version, the state does not allow the move,
            or another person must decide.
        :raises InputError: If a decision lacks something.
        """
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            check = to_check(_row(connection, check_id))
            if version is not None and version != check.version:
                raise _lost_update(check, version)
            step = plan(check, patch, who=who, reviewers=self.reviewers)
            if step.fields:
                _write(connection, check, step, who)
            changed = to_check(_row(connection, check_id))
        if step.fields:
            self.on_change(changed)
        return changed


def _insert(connection: sqlite3.Connection, result: Result, who: Reviewer) -> str:
    check_id, at, text = uuid4().hex, now(), result.request.text
    verdict = result.verdict.value if result.verdict else None
    snapshot = result.run.snapshot_id if result.run else None
    connection.execute(
        "INSERT INTO checks (check_id, run_id, text, claim_key, verdict, state, created_at, created_by, updated_at,"
        " updated_by, looked_at, looked_snapshot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            check_id,
            result.run_id,
            text,
            claim_key(text),
            verdict,
            CheckState.OPEN.value,
            at,
            who.name,
            at,
            who.name,
            at,
            snapshot,
        ),
    )
    connection.execute("INSERT INTO check_runs (run_id, check_id, at) VALUES (?, ?, ?)", (result.run_id, check_id, at))
    write_evidence(connection, check_id, result)
    state = (None, CheckState.OPEN.value)
    write_history(connection, check_id, action="created", who=who, changes={"state": state}, run_id=result.run_id)
    return check_id


def _write(connection: sqlite3.Connection, check: Check, step: Step, who: Reviewer) -> None:
    fields = step.fields | {"updated_at": now(), "updated_by": who.name, "version": check.version + 1}
    names = ", ".join(f"{name} = :{name}" for name in fields)
    connection.execute(f"UPDATE checks SET {names} WHERE check_id = :check_id", fields | {"check_id": check.check_id})
    write_history(connection, check.check_id, action=step.action, who=who, changes=step.changes, run_id=check.run_id)
    if step.settles:
        settle(connection, check.check_id, by=who.name)


def _row(connection: sqlite3.Connection, check_id: str) -> sqlite3.Row:
    row: sqlite3.Row | None = connection.execute(f"{SELECT} WHERE c.check_id = ?", (check_id,)).fetchone()
    if row is None:
        raise NotFoundError("there is no such check", field="check_id", hint="GET /v1/checks lists them.")
    return row


def _lost_update(check: Check, version: int) -> ConflictError:
    by = check.updated_by or "somebody"
    at = check.updated_at.strftime("%-d %B %Y, %H:%M:%S UTC")
    return ConflictError(
        f"{by} changed this check at {at}: it is at version {check.version}, and your change is made from {version}",
        field="version",
        hint="Look at the check as it is now, then make your change again.",
    )
