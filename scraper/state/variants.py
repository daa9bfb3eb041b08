"""Addresses that differ in a mark only: which of them to fetch, and what was learnt by fetching some."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from scraper.state.crawls import Crawl
from scraper.state.database import Database
from scraper.state.frontier import Frontier, Listed

PROVEN = 3
"""So many pairs of pages with one text, and none with two, say that a kind of mark tells nothing apart on a site."""
PROBES = 3
"""Variants of known addresses that a session fetches for each kind of mark that is not proven."""
PROBES_WHEN_PROVEN = 1
"""The same once it is: a site may begin to tell its articles apart by it."""
Marks = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Sibling:
    """A known page with the same address but for its marks."""

    key: str
    url: str


class Variants:
    """
    Lists marked addresses, and remembers what the marks of a site tell apart.

    A variant of a known address is fetched as long as nobody knows whether it is another page; beyond a few it is held
    back until that is known. Where two texts were found, every variant is a page of its own.

    :param database: Open.
    :param run: Whose pages.
    :param marks: Returns the marks of an address.
    :param exact_key: Returns the name of an address that its marks are part of.
    """

    def __init__(
        self, database: Database, run: Crawl, *, marks: Callable[[str], Marks], exact_key: Callable[[str], str]
    ) -> None:
        self.database = database
        self.run = run
        self.frontier = Frontier(database, run)
        self._marks = marks
        self._exact_key = exact_key
        self._probes = Counter[str]()

    def add(self, sql: sqlite3.Connection, pages: Iterable[Listed]) -> None:
        """Note wanted pages in an open transaction; of those with marks, only the ones worth a look are due."""
        marked: list[tuple[Listed, Marks]] = []
        plain: list[tuple[Listed, Marks]] = []
        for page in pages:
            marks = self._marks(page.url)
            (marked if marks else plain).append((page, marks))
        self.frontier.add(sql, [page for page, _ in plain])
        for page, marks in marked:
            known = self._place(sql, page, marks)
            if known is not None:
                self.frontier.add(sql, [known])

    def tells_apart(self, kinds: Iterable[str]) -> bool:
        """Say whether two texts were found under addresses that differ in one of these kinds of marks."""
        return any(self._count(kind)[1] for kind in kinds)

    def learn(self, sql: sqlite3.Connection, kinds: frozenset[str], *, alike: bool) -> frozenset[str]:
        """
        Note that two pages whose addresses differ in these kinds of marks hold one text, or two, in a transaction.

        :returns: Kinds of which that is news: their variants that were held back are due now.
        """
        news = frozenset() if alike else frozenset(kind for kind in kinds if not self._count(kind)[1])
        column = "alike" if alike else "unlike"
        for kind in kinds:
            sql.execute(
                f"INSERT INTO marks (publisher, kind, {column}) VALUES (?, ?, 1)"
                f" ON CONFLICT DO UPDATE SET {column} = {column} + 1",
                (self.run.publisher, kind),
            )
        for kind in news:
            sql.execute(
                "UPDATE urls SET status = 'pending', due_run = ? WHERE status = 'variant' AND id IN"
                " (SELECT url_id FROM variants WHERE publisher = ? AND instr(kinds, ?))",
                (self.run.run_id, self.run.publisher, f" {kind} "),
            )
        return news

    def _place(self, sql: sqlite3.Connection, page: Listed, marks: Marks) -> Listed | None:
        """Return a page with the key of one that is known; None: it was noted as new, or is held back."""
        own = replace(page, key=self._exact_key(page.url))
        row = sql.execute(
            "SELECT status FROM urls WHERE publisher = ? AND key = ?", (self.run.publisher, own.key)
        ).fetchone()
        if row is not None:
            return own if row["status"] != "variant" else None
        siblings = self._siblings(sql, page.key)
        same = next((one for one in siblings if self._exact_key(one.url) == own.key), None)
        if same is not None:
            return replace(page, key=same.key)
        if not siblings:
            self._note(sql, own, page.key, marks)
            return None
        nearest = min(siblings, key=lambda one: len(self._differing(marks, one)))
        kinds = self._differing(marks, nearest)
        counts = [self._count(kind) for kind in kinds]
        if any(unlike for _, unlike in counts):
            self._note(sql, own, page.key, marks)
            return None
        is_proven = all(alike >= PROVEN for alike, _ in counts)
        is_probed = all(self._probes[kind] >= (PROBES_WHEN_PROVEN if is_proven else PROBES) for kind in kinds)
        if is_proven and is_probed:
            return replace(page, key=nearest.key, url=nearest.url)
        self._probes.update(kinds)
        self._note(sql, own, page.key, marks, held_back=is_probed)
        return None

    def _note(
        self, sql: sqlite3.Connection, page: Listed, normal: str, marks: Marks, *, held_back: bool = False
    ) -> None:
        """Add a page; one that is held back is not due."""
        self.frontier.add(sql, [page])
        where = (self.run.publisher, page.key)
        kinds = f" {' '.join(dict.fromkeys(kind for kind, _ in marks))} "
        sql.execute(
            "INSERT OR REPLACE INTO variants (url_id, publisher, normal, kinds)"
            " SELECT id, publisher, ?, ? FROM urls WHERE publisher = ? AND key = ?",
            (normal, kinds, *where),
        )
        if held_back:
            sql.execute("UPDATE urls SET status = 'variant', due_run = NULL WHERE publisher = ? AND key = ?", where)

    def _siblings(self, sql: sqlite3.Connection, normal: str) -> list[_Sibling]:
        """Return known pages, in no certain order; a few are enough."""
        rows = sql.execute(
            "SELECT key, url FROM urls WHERE publisher = ?1 AND key = ?2 UNION ALL SELECT * FROM (SELECT key, url FROM"
            " variants JOIN urls ON urls.id = url_id WHERE variants.publisher = ?1 AND normal = ?2 LIMIT 20)",
            (self.run.publisher, normal),
        )
        return [_Sibling(row["key"], row["url"]) for row in rows]

    def _differing(self, marks: Marks, sibling: _Sibling) -> list[str]:
        return sorted({kind for kind, _ in set(marks) ^ set(self._marks(sibling.url))})

    def _count(self, kind: str) -> tuple[int, int]:
        row = self.database.sql.execute(
            "SELECT alike, unlike FROM marks WHERE publisher = ? AND kind = ?", (self.run.publisher, kind)
        ).fetchone()
        return (row["alike"], row["unlike"]) if row else (0, 0)
