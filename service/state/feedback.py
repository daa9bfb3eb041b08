"""What readers said about answers. Opt-in, and kept on this machine."""

import sqlite3

from core.errors import InputError, NotFoundError
from core.types import Model, UtcTime
from service.answers.runs import read_result
from service.state.database import Database, now

MAX_REASON_CHARS = 1000
MAX_FEEDBACK_ID = 2**63 - 1
"""SQLite's largest integer."""


class Feedback(Model):
    """One reader's word on one run, or on one part of it."""

    feedback_id: int
    """Larger in what came later."""
    run_id: str
    part: int | None = None
    """Number of the section in the result, from 1; None: the result as a whole."""
    created_at: UtcTime
    helpful: bool
    reason: str | None = None


class FeedbackBox:
    """Keeps feedback."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, run_id: str, *, helpful: bool, reason: str | None = None, part: int | None = None) -> Feedback:
        """
        Keep one reader's word.

        :param part: Number of the section that it is on, from 1; None: the result as a whole.
        :raises NotFoundError: If there is no such run.
        :raises InputError: If the run's result has no such section.
        """
        if part is not None:
            _check_part(part, len(read_result(self.database, run_id).sections))
        reason = (reason or "").strip() or None
        with self.database.open() as connection:
            if not connection.execute("SELECT 1 FROM runs WHERE run_id = ?", (run_id,)).fetchone():
                raise NotFoundError("there is no such run, or it is no longer kept", field="run_id")
            added = connection.execute(
                "INSERT INTO feedback (run_id, part, created_at, helpful, reason) VALUES (?, ?, ?, ?, ?)",
                (run_id, part, now(), helpful, reason),
            )
            row = connection.execute("SELECT * FROM feedback WHERE feedback_id = ?", (added.lastrowid,)).fetchone()
        return _feedback(row)

    def list(self, *, limit: int = 100, before: int | None = None) -> list[Feedback]:
        """
        Return the latest feedback, newest first.

        :param before: Only what came before the feedback with this id.
        """
        query = "SELECT * FROM feedback WHERE ?1 IS NULL OR feedback_id < ?1 ORDER BY feedback_id DESC LIMIT ?2"
        with self.database.open() as connection:
            return [_feedback(row) for row in connection.execute(query, (before, limit))]


def _feedback(row: sqlite3.Row) -> Feedback:
    return Feedback.model_validate({**dict(row), "helpful": bool(row["helpful"])})


def _check_part(part: int, parts: int) -> None:
    if not 1 <= part <= parts:
        there = f"its parts are 1 to {parts}" if parts else "it has no parts"
        raise InputError(f"the result has no part {part}", field="part", hint=f"Leave it out, or: {there}.")
