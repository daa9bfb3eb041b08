"""What readers said about answers. Opt-in, and kept on this machine."""

from core.errors import NotFoundError
from core.types import Model, UtcTime
from service.state.database import Database, now

MAX_REASON_CHARS = 1000


class Feedback(Model):
    """One reader's word on one run."""

    run_id: str
    created_at: UtcTime
    helpful: bool
    reason: str | None = None


class FeedbackBox:
    """Keeps feedback."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, run_id: str, *, helpful: bool, reason: str | None = None) -> Feedback:
        """
        Keep one reader's word.

        :raises NotFoundError: If there is no such run.
        """
        given = Feedback.model_validate(
            {"run_id": run_id, "created_at": now(), "helpful": helpful, "reason": (reason or "").strip() or None}
        )
        with self.database.open() as connection:
            if not connection.execute("SELECT 1 FROM runs WHERE run_id = ?", (run_id,)).fetchone():
                raise NotFoundError("there is no such run, or it is no longer kept", field="run_id")
            connection.execute(
                "INSERT INTO feedback (run_id, created_at, helpful, reason) VALUES (?, ?, ?, ?)",
                (given.run_id, given.created_at.isoformat(), given.helpful, given.reason),
            )
        return given

    def list(self, *, limit: int = 100) -> list[Feedback]:
        """Return the latest feedback, newest first."""
        query = "SELECT run_id, created_at, helpful, reason FROM feedback ORDER BY feedback_id DESC LIMIT ?"
        with self.database.open() as connection:
            return [
                Feedback.model_validate({**dict(row), "helpful": bool(row["helpful"])})
                for row in connection.execute(query, (limit,))
            ]
