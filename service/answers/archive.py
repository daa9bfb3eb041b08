"""The archive: runs searched by words, verdict, state, person, source and date; tags; deletion."""

import json
import sqlite3
from typing import Any

from core.errors import ConflictError, InputError, NotFoundError
from core.types import Model, Status, UtcTime, Verdict
from core.words import TERM
from service.answers.caller import Via, person_name
from service.state.database import Database

MAX_TAGS = 20
MAX_TAG_CHARS = 50
_LATEST_CHECK = (
    "FROM check_runs AS cr JOIN checks AS c ON c.check_id = cr.check_id WHERE cr.run_id = r.run_id"
    " ORDER BY c.updated_at DESC LIMIT 1"
)
_COLUMNS = "r.run_id, r.created_at, r.system, r.text, r.status, r.verdict, r.asked_by, r.via, r.replay_of"
_ROW = (
    f"SELECT {_COLUMNS},"
    " (SELECT json_group_array(tag) FROM run_tags AS t WHERE t.run_id = r.run_id) AS tags,"
    f" (SELECT c.state {_LATEST_CHECK}) AS state, (SELECT c.check_id {_LATEST_CHECK}) AS check_id,"
    " (SELECT count(*) FROM runs AS same WHERE same.claim_key = r.claim_key) AS repeats FROM runs AS r"
)
_CONDITIONS = {
    "text": "{run}.run_id IN (SELECT w.run_id FROM runs_fts AS f JOIN run_words AS w ON w.number = f.rowid"
    " WHERE runs_fts MATCH :text)",
    "verdict": "{run}.verdict = :verdict",
    "status": "{run}.status = :status",
    "system": "{run}.system = :system",
    "via": "{run}.via = :via",
    "person": "{run}.asked_by = :person",
    "source": "EXISTS (SELECT 1 FROM run_sources AS s WHERE s.source = :source AND s.run_id = {run}.run_id)",
    "tag": "{run}.run_id IN (SELECT run_id FROM run_tags WHERE tag = :tag)",
    "asked_from": "{run}.created_at >= :asked_from",
    "asked_to": "{run}.created_at <= :asked_to",
    "state": "{run}.run_id IN (SELECT cr.run_id FROM check_runs AS cr JOIN checks AS c ON c.check_id = cr.check_id"
    " WHERE c.state = :state)",
    "repeats_of": "{run}.claim_key = (SELECT claim_key FROM runs WHERE run_id = :repeats_of)",
}
"""Field of a query to the condition that it makes, in SQL."""


class RunSummary(Model):
    """One run in a list."""

    run_id: str
    created_at: UtcTime
    system: str
    text: str
    status: Status
    verdict: Verdict | None
    asked_by: str | None = None
    """The key's name, or the name that a trusted proxy gave; None if unknown."""
    via: Via | None = None
    replay_of: str | None = None
    tags: tuple[str, ...] = ()
    state: str | None = None
    """Of its check on the desk; None if it has none."""
    check_id: str | None = None
    repeats: int = 1
    """Runs of the same claim, this one included."""


class RunQuery(Model):
    """Which runs are looked for; None everywhere: all of them."""

    text: str | None = None
    """Words of what was asked or answered; all of them must be there, in any form."""
    verdict: Verdict | None = None
    status: Status | None = None
    system: str | None = None
    via: Via | None = None
    state: str | None = None
    """Of the run's check on the desk."""
    person: str | None = None
    """Who asked."""
    source: str | None = None
    """A publisher that was read, in any case."""
    tag: str | None = None
    asked_from: UtcTime | None = None
    asked_to: UtcTime | None = None
    repeats_of: str | None = None
    """Runs of the same claim as this run."""


class Deletion(Model):
    """What was deleted."""

    deleted: int
    """Runs that are gone, with their words, tags and feedback."""
    made_anonymous: int = 0
    """Runs of checks, which stay on the desk without the person's name."""
    batch_lines: int = 0
    """Lines of kept batch results that are gone."""


class Archive:
    """
    Searches the runs that are kept.

    :param database: Where.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def search(
        self, query: RunQuery | None = None, *, limit: int, before: str | None = None, grouped: bool = False
    ) -> list[RunSummary]:
        """
        Return runs, newest first.

        :param before: Only runs older than this one.
        :param grouped: Of the repeats and replays of one claim, only the latest that fits.
        :raises NotFoundError: If the run `before` is not, or no longer, kept.
        :raises InputError: If `text` holds no word.
        """
        values = _values(query or RunQuery())
        conditions = [_CONDITIONS[name].format(run="r") for name in values]
        if grouped:
            newer = ["n.claim_key = r.claim_key", "(n.created_at, n.run_id) > (r.created_at, r.run_id)"]
            newer += [_CONDITIONS[name].format(run="n") for name in values]
            conditions.append(f"NOT EXISTS (SELECT 1 FROM runs AS n WHERE {' AND '.join(newer)})")
        if before is not None:
            conditions.append("(r.created_at, r.run_id) < (SELECT created_at, run_id FROM runs WHERE run_id = :before)")
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        statement = f"{_ROW}{where} ORDER BY r.created_at DESC, r.run_id DESC LIMIT :limit"
        with self.database.open() as connection:
            rows = connection.execute(statement, values | {"before": before, "limit": limit}).fetchall()
            if before is not None and not rows:
                _require_run(connection, before, field="before", hint="Begin again without it.")
        return [_summary(row) for row in rows]

    def people(self) -> list[str]:
        """Return the names of those who asked, in order."""
        with self.database.open() as connection:
            rows = connection.execute(
                "SELECT DISTINCT asked_by FROM runs WHERE asked_by IS NOT NULL ORDER BY asked_by LIMIT 1000"
            )
            return [row[0] for row in rows]

    def summary(self, run_id: str) -> RunSummary:
        """
        Return one run as lists show it.

        :raises NotFoundError: If it is not, or no longer, kept.
        """
        with self.database.open() as connection:
            row = connection.execute(f"{_ROW} WHERE r.run_id = ?", (run_id,)).fetchone()
        if row is None:
            raise NotFoundError("there is no such run, or it is no longer kept", field="run_id")
        return _summary(row)

    def set_tags(self, run_id: str, tags: list[str]) -> list[str]:
        """
        Put tags on a run in place of those that it has.

        :returns: The tags, in order.
        :raises NotFoundError: If there is no such run.
        :raises InputError: If a tag is empty or too long, or there are too many.
        """
        cleaned = sorted({_tag(tag) for tag in tags}, key=str.casefold)
        if len(cleaned) > MAX_TAGS:
            raise InputError(f"tags holds {len(cleaned)}; at most {MAX_TAGS} are accepted", field="tags")
        with self.database.open() as connection:
            _require_run(connection, run_id, field="run_id")
            connection.execute("DELETE FROM run_tags WHERE run_id = ?", (run_id,))
            connection.executemany(
                "INSERT OR IGNORE INTO run_tags (tag, run_id) VALUES (?, ?)", [(tag, run_id) for tag in cleaned]
            )
        return cleaned

    def delete(self, run_id: str) -> Deletion:
        """
        Delete one run for good.

        :raises NotFoundError: If there is no such run.
        :raises ConflictError: If it is on the desk, whose history is kept.
        """
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            _require_run(connection, run_id, field="run_id")
            found = connection.execute("SELECT check_id FROM check_runs WHERE run_id = ?", (run_id,)).fetchone()
            if found is not None:
                raise ConflictError(
                    f"this run belongs to check {found[0]}, whose history is kept",
                    field="run_id",
                    hint="Withdraw the check; its run stays as the record of what was decided.",
                )
            connection.execute("DELETE FROM runs WHERE run_id = ?", (run_id,))
        return Deletion(deleted=1)

    def delete_person(self, person: str) -> Deletion:
        """Delete all that a person asked; runs on the desk stay, without the name."""
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            kept = connection.execute(
                "UPDATE runs SET asked_by = NULL WHERE asked_by = ? AND run_id IN (SELECT run_id FROM check_runs)",
                (person,),
            ).rowcount
            deleted = connection.execute("DELETE FROM runs WHERE asked_by = ?", (person,)).rowcount
        return Deletion(deleted=deleted, made_anonymous=kept)

    def run_ids(self, person: str) -> list[str]:
        """Return the ids of all runs that a person asked for."""
        with self.database.open() as connection:
            return [row[0] for row in connection.execute("SELECT run_id FROM runs WHERE asked_by = ?", (person,))]


def match_words(text: str, *, field: str = "text") -> str:
    """
    Return what people typed as a query of SQLite's full-text search: all words, no operators.

    :raises InputError: If it holds no word.
    """
    words = TERM.findall(text)
    if not words:
        raise InputError(f"{field} is {text[:40]!r}, which holds no word", field=field, hint="Type a word or two.")
    return " ".join(f'"{word}"' for word in words)


def _values(query: RunQuery) -> dict[str, Any]:
    values = {name: value for name, value in query.model_dump(mode="json").items() if value is not None}
    if query.text is not None:
        values["text"] = match_words(query.text)
    for name in ("asked_from", "asked_to"):
        time = getattr(query, name)
        if time is not None:
            values[name] = time.isoformat(timespec="microseconds")
    return values


def _tag(text: str) -> str:
    cleaned = person_name(text) or ""
    if not cleaned or len(cleaned) > MAX_TAG_CHARS:
        raise InputError(
            f"the tag {text[:60]!r} has {len(cleaned)} characters; 1 to {MAX_TAG_CHARS} are accepted", field="tags"
        )
    return cleaned


def _require_run(connection: sqlite3.Connection, run_id: str, *, field: str, hint: str | None = None) -> None:
    if connection.execute("SELECT 1 FROM runs WHERE run_id = ?", (run_id,)).fetchone() is None:
        raise NotFoundError(
            "there is no such run, or it is no longer kept",
            field=field,
            hint=hint or "GET /v1/runs or 'looksy runs list' shows them.",
        )


def _summary(row: sqlite3.Row) -> RunSummary:
    return RunSummary.model_validate({**dict(row), "tags": sorted(json.loads(row["tags"]), key=str.casefold)})
