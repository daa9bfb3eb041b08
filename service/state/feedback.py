"""What readers said about answers. Opt-in, and kept on this machine."""

from core.errors import InputError, NotFoundError
from core.types import Model, UtcTime
from service.state.database import Database, now
from service.state.runs import read_result

MAX_REASON_CHARS = 1000


class Feedback(Model):
    """One reader's word on one run, or on one part of it."""

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
        given = Feedback.model_validate(
            {"run_id": run_id, "part": part, "created_at": now(), "helpful": helpful, "reason": reason}
        )
        with self.database.open() as connection:
            if not connection.execute("SELECT 1 FROM runs WHERE run_id = ?", (run_id,)).fetchone():
                raise NotFoundError("there is no such run, or it is no longer kept", field="run_id")
            connection.execute(
                "INSERT INTO feedback (run_id, part, created_at, helpful, reason) VALUES (?, ?, ?, ?, ?)",
                (given.run_id, given.part, given.created_at.isoformat(), given.helpful, given.reason),
            )
        return given

    def list(self, *, limit: int = 100) -> list[Feedback]:
        """Return the latest feedback, newest first."""
        query = "SELECT run_id, part, created_at, helpful, reason FROM feedback ORDER BY feedback_id DESC LIMIT ?"
        with self.database.open() as connection:
            return [
                Feedback.model_validate({**dict(row), "helpful": bool(row["helpful"])})
                for row in connection.execute(query, (limit,))
            ]


def _check_part(part: int, parts: int) -> None:
    if not 1 <= part <= parts:
        there = f"its parts are 1 to {parts}" if parts else "it has no parts"
        raise InputError(f"the result has no part {part}", field="part", hint=f"Leave it out, or: {there}.")
