"""Rows of the desk's tables as its types, and the writing of history."""

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from core.types import Result
from service.desk.types import DECIDED, Check, CheckState, Decision, HistoryEntry, Reviewer
from service.state.database import now

SELECT = (
    "SELECT c.*, EXISTS (SELECT 1 FROM changes AS h WHERE h.check_id = c.check_id AND h.settled_at IS NULL)"
    " AS changed FROM checks AS c"
)
_PLAIN = (
    "check_id",
    "run_id",
    "text",
    "verdict",
    "state",
    "owner",
    "note",
    "claim_author",
    "claim_appearance",
    "claim_date",
    "published_url",
    "created_at",
    "created_by",
    "updated_at",
    "updated_by",
    "version",
)


def to_check(row: sqlite3.Row) -> Check:
    """Read a row of `SELECT`."""
    decision = None
    if row["decided_verdict"] is not None:
        decision = Decision(
            verdict=row["decided_verdict"],
            reason_code=row["reason_code"] or "agrees",
            comment=row["comment"],
            decided_by=tuple(json.loads(row["decided_by"])),
            decided_at=row["decided_at"],
        )
    is_decided = CheckState(row["state"]) in DECIDED
    return Check.model_validate(
        {
            **{name: row[name] for name in _PLAIN},
            "checklist": json.loads(row["checklist"]),
            "changed": bool(row["changed"]),
            "decision": decision if is_decided else None,
            "proposal": None if is_decided else decision,
        }
    )


def to_history(row: sqlite3.Row) -> HistoryEntry:
    """Read a row of `check_history`."""
    return HistoryEntry(
        at=row["at"],
        who=row["who"],
        action=row["action"],
        changes=json.loads(row["changes"]),
        run_id=row["run_id"],
    )


def write_history(
    connection: sqlite3.Connection,
    check_id: str,
    *,
    action: str,
    who: Reviewer,
    changes: Mapping[str, tuple[Any, Any]],
    run_id: str,
) -> None:
    """Add a step to the life of a check."""
    connection.execute(
        "INSERT INTO check_history (check_id, at, who, key, action, changes, run_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (check_id, now(), who.name, who.key, action, json.dumps(dict(changes), ensure_ascii=False), run_id),
    )


def write_evidence(connection: sqlite3.Connection, check_id: str, result: Result) -> None:
    """Note which articles a check's answer quotes and read; what was noted of an earlier answer goes."""
    connection.execute("DELETE FROM check_articles WHERE check_id = ?", (check_id,))
    quoted = {
        (reference.article_id, quote.content_hash, check_id, reference.origin_id)
        for reference in result.references
        for quote in reference.quotes
    }
    connection.executemany(
        "INSERT OR IGNORE INTO check_articles (article_id, content_hash, check_id, origin_id) VALUES (?, ?, ?, ?)",
        sorted(quoted),
    )
    connection.execute(
        "UPDATE checks SET read_articles = ? WHERE check_id = ?", (json.dumps(read_articles(result)), check_id)
    )


def read_articles(result: Result) -> list[str]:
    """Return the ids of the articles that were read for an answer, in order."""
    from_passages = {one.passage_id.rsplit("-", 2)[0] for one in result.run.retrieved} if result.run else set()
    return sorted(from_passages | {reference.article_id for reference in result.references})
