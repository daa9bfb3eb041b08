"""Which checks are due to be looked at again, and what is known of their evidence."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.types import Article, Request, Result
from service.answers.runs import read_result
from service.desk.comparison import Quoted
from service.desk.rows import SELECT, read_articles, to_check
from service.desk.types import Check
from service.state.database import Database
from service.state.functions import claim_key

ACTIVE = "state != 'withdrawn'"
MAX_OF_CLAIM = 20
"""Checks of one claim, the latest, whose reports are looked for."""
_DUE = f"{ACTIVE} AND compared_snapshot IS NOT ?"


@dataclass(frozen=True)
class Due:
    """A check with what it was asked, what it quotes and what was read for it."""

    check: Check
    result: Result
    """Its latest answer."""
    quoted: tuple[Quoted, ...]
    origins: frozenset[str]
    """Of the quoted articles."""
    read: tuple[str, ...]
    """Ids of the articles that were read."""
    run_ids: tuple[str, ...]
    comments: tuple[str, ...]
    """What people wrote on it, of decisions that no longer stand, too."""

    @property
    def system(self) -> str:
        """The system that was asked."""
        return self.result.system

    @property
    def request(self) -> Request:
        """What was asked."""
        return self.result.run.request if self.result.run else self.result.request

    @property
    def asks_elsewhere(self) -> bool:
        """Whether another search engine than our index was asked."""
        return self.result.searched is None or not self.result.searched.snapshot_id


class DueChecks:
    """
    Reads which checks are due.

    :param database: Where the checks are.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def last_number(self) -> int:
        """Return the number of the newest check; 0: there is none."""
        with self.database.open() as connection:
            return int(connection.execute("SELECT coalesce(max(number), 0) FROM checks").fetchone()[0])

    def quoted_articles(self, snapshot: str, *, size: int) -> Iterator[list[str]]:
        """Yield the ids of the articles that checks quote which were not compared with this index, `size` at a time."""
        last = ""
        while True:
            with self.database.open() as connection:
                rows = connection.execute(
                    "SELECT DISTINCT article_id FROM check_articles JOIN checks USING (check_id)"
                    f" WHERE article_id > ? AND {_DUE} ORDER BY article_id LIMIT ?",
                    (last, snapshot, size),
                ).fetchall()
            if not rows:
                return
            last = rows[-1][0]
            yield [row[0] for row in rows]

    def that_differ(self, snapshot: str, current: Mapping[str, Article]) -> list[str]:
        """Return the ids of due checks that know another state of one of these articles."""
        marks = ", ".join("?" * len(current))
        with self.database.open() as connection:
            rows = connection.execute(
                "SELECT check_id, article_id, content_hash, is_gone FROM check_articles JOIN checks USING (check_id)"
                f" WHERE article_id IN ({marks}) AND {_DUE} ORDER BY check_id",
                [*current, snapshot],
            ).fetchall()
        differing = (
            row["check_id"]
            for row in rows
            if row["content_hash"] != current[row["article_id"]].content_hash
            or bool(row["is_gone"]) != (current[row["article_id"]].gone_at is not None)
        )
        return list(dict.fromkeys(differing))

    def not_compared(self, snapshot: str, *, limit: int) -> list[str]:
        """Return the ids of checks that were not compared with this index, the longest ago first."""
        with self.database.open() as connection:
            rows = connection.execute(
                f"SELECT check_id FROM checks WHERE {_DUE} ORDER BY looked_at, number LIMIT ?",
                (snapshot, limit),
            ).fetchall()
        return [row[0] for row in rows]

    def not_searched(self, snapshot: str, *, limit: int) -> list[str]:
        """Return the ids of checks for which this index was not searched, the longest ago first."""
        with self.database.open() as connection:
            rows = connection.execute(
                f"SELECT check_id FROM checks WHERE {ACTIVE} AND looked_snapshot IS NOT ?"
                " ORDER BY looked_at, number LIMIT ?",
                (snapshot, limit),
            ).fetchall()
        return [row[0] for row in rows]

    def count_not_searched(self, snapshot: str) -> int:
        """Return for how many checks this index is still to be searched."""
        with self.database.open() as connection:
            query = f"SELECT count(*) FROM checks WHERE {ACTIVE} AND looked_snapshot IS NOT ?"
            return int(connection.execute(query, (snapshot,)).fetchone()[0])

    def of_claim(self, text: str) -> list[Due]:
        """Return the checks of a claim, those that were withdrawn, too: what was published about them still stands."""
        with self.database.open() as connection:
            rows = connection.execute(
                "SELECT check_id FROM checks WHERE claim_key = ? ORDER BY number DESC LIMIT ?",
                (claim_key(text), MAX_OF_CLAIM),
            ).fetchall()
        found = (self.get(row[0], active=False) for row in rows)
        return [one for one in found if one is not None]

    def get(self, check_id: str, *, active: bool = True) -> Due | None:
        """
        Return a check with its evidence; None if it is no longer there.

        :param active: Return none that was withdrawn.
        """
        condition = f"c.check_id = ? AND c.{ACTIVE}" if active else "c.check_id = ?"
        with self.database.open() as connection:
            row = connection.execute(f"{SELECT} WHERE {condition}", (check_id,)).fetchone()
            if row is None:
                return None
            quoted = connection.execute("SELECT * FROM check_articles WHERE check_id = ?", (check_id,)).fetchall()
            runs = connection.execute("SELECT run_id FROM check_runs WHERE check_id = ?", (check_id,)).fetchall()
            decided = connection.execute(
                "SELECT json_extract(changes, '$.decision[1].comment') FROM check_history WHERE check_id = ?",
                (check_id,),
            ).fetchall()
        result = read_result(self.database, row["run_id"])
        return Due(
            check=to_check(row),
            result=result,
            quoted=tuple(Quoted(one["article_id"], one["content_hash"], bool(one["is_gone"])) for one in quoted),
            origins=frozenset(one["origin_id"] for one in quoted),
            read=tuple(json.loads(row["read_articles"]) or read_articles(result)),
            run_ids=tuple(one[0] for one in runs),
            comments=tuple(dict.fromkeys(one[0] for one in decided if one[0])),
        )

    def each(self, check_ids: Sequence[str]) -> Iterator[Due]:
        """Yield those of some checks that are still active, with their evidence."""
        for check_id in check_ids:
            due = self.get(check_id)
            if due is not None:
                yield due
