"""
Which articles are copies of one text: wire copy and near-duplicates share an origin.

Texts are compared by MinHash signatures of their runs of three words (Broder, SEQUENCES 1997), found by banding
(Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, section 3.4). Signatures are kept in one SQLite file, so
that a new article finds its origin among all earlier ones without reading them again.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash

from core.errors import StoreError, StoreLockedError, StoreVersionError
from core.shingles import shingles
from core.types import Article

FILE_NAME = "origins.sqlite3"
IDENTITY = "rminhash-126-3words-2rows"
"""Of the signatures: others cannot be compared with them."""
PERMUTATIONS = 126
BAND_ROWS = 2
MIN_SHINGLES = 30
"""A shorter text is always its own origin."""
MIN_JACCARD = 0.45
MIN_CONTAINMENT = 0.62
"""Share of the shorter text's runs that stand in the longer one: wire copy that was cut."""
MIN_CUT_JACCARD = 0.22
"""Below it two reports that quote the same speech, or the same earlier story, look like a copy that was cut."""
MAX_CANDIDATES = 500
"""Those that share the most bands; a standing footer alone may be shared with any number of articles."""
LOCK_WAIT_S = 5.0
"""For another job to let go of the file."""
_SEED = 7
_PRIMARY_CODE = 0xFF
"""Of an extended error code of SQLite."""
_LOCKED_CODES = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_SYSTEM_CODES = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
    }
)
"""Of what the system refuses; nothing is wrong with the file."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS signatures (
    number INTEGER PRIMARY KEY,
    article_id TEXT NOT NULL UNIQUE,
    origin_id TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    shingles INTEGER NOT NULL,
    digest BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS bands (
    band INTEGER NOT NULL, key BLOB NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (band, key, number)
) WITHOUT ROWID;
"""


class Signature(NamedTuple):
    """What is kept of a text to compare it with others."""

    digest: NDArray[np.uint32]
    """Shape (PERMUTATIONS,)."""
    shingles: int
    """Number of different runs of words."""


def sign(body: str) -> Signature:
    """Compute the signature of a text; punctuation, capitals and line breaks do not count."""
    runs = shingles(body)
    minhash = RMinHash(num_perm=PERMUTATIONS, seed=_SEED)
    minhash.update(list(runs))  # the order does not matter
    return Signature(digest=np.array(minhash.digest(), dtype=np.uint32), shingles=len(runs))


def are_copies(one: Signature, other: Signature) -> bool:
    """Say whether two texts are one text in two editions: mostly equal, or the shorter nearly all in the longer."""
    return _closeness(one, other) >= 1.0


class OriginIndex:
    """
    Gives each article its origin; use as a context manager.

    Leaving the context commits; leaving it by an exception drops what was not committed. The first article of a text
    names the origin, and an article keeps its origin when it changes, so the order of arrival decides, and groups that
    a later article would bridge are not merged.

    :param path: Of the SQLite file. None: in memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None

    def open(self) -> Self:
        """
        Open or make the file.

        :raises StoreVersionError: If it was written with other signatures.
        :raises StoreLockedError: If another job goes on using it.
        :raises StoreError: If the system does not let it be written.
        """
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with self._waiting():
                self._connection = sqlite3.connect(self.path or ":memory:", timeout=LOCK_WAIT_S)
                self._connection.executescript(_SCHEMA)
                self._connection.execute("INSERT OR IGNORE INTO meta VALUES ('identity', ?)", (IDENTITY,))
                (found,) = self._connection.execute("SELECT value FROM meta WHERE key = 'identity'").fetchone()
        except StoreError:
            self.close()
            raise
        except sqlite3.DatabaseError as error:
            self.close()
            raise StoreVersionError(f"{self.path} is not an origin file: {error}", hint=self._way_out()) from error
        if found != IDENTITY:
            self.close()
            raise StoreVersionError(f"{self.path} holds {found} signatures, not {IDENTITY}", hint=self._way_out())
        return self

    def assign(self, article: Article) -> Article:
        """
        Return the article with its `origin_id`: that of the nearest earlier copy, else its own id.

        :raises StoreLockedError: If another job has begun to use the file, and goes on.
        :raises StoreError: If the system does not let it be written.
        """
        with self._waiting():
            return self._assign(article)

    def _assign(self, article: Article) -> Article:
        known = self._db.execute(
            "SELECT number, origin_id, content_hash FROM signatures WHERE article_id = ?", (article.article_id,)
        ).fetchone()
        if known and known[2] == article.content_hash:
            return article.model_copy(update={"origin_id": known[1]})
        signature = sign(article.body)
        if known:
            self._forget(known[0])
        origin = known[1] if known else self._find(signature) or article.article_id
        self._store(article, origin, signature)
        return article.model_copy(update={"origin_id": origin})

    def commit(self) -> None:
        """
        Make everything assigned so far durable.

        :raises StoreError: As `assign`.
        """
        with self._waiting():
            self._db.commit()

    def close(self) -> None:
        """Close the file; what was not committed is dropped. Closing twice is harmless."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _find(self, signature: Signature) -> str | None:
        """Return the origin of the nearest copy; None if there is none."""
        if signature.shingles < MIN_SHINGLES:
            return None
        keys = _band_keys(signature)
        marks = ",".join(["(?, ?)"] * len(keys))
        rows = self._db.execute(
            f"WITH wanted (band, key) AS (VALUES {marks})"
            " SELECT origin_id, shingles, digest, number FROM (SELECT number FROM wanted"
            " CROSS JOIN bands USING (band, key)"  # CROSS: keep this order
            f" GROUP BY number ORDER BY count(*) DESC, number LIMIT {MAX_CANDIDATES}) JOIN signatures USING (number)",
            [value for row in keys for value in row],
        )
        best = max(
            (
                (_closeness(signature, _load(shingles, digest)), -number, origin)
                for origin, shingles, digest, number in rows
            ),
            default=(0.0, 0, ""),
        )
        return best[2] if best[0] >= 1.0 else None

    def _store(self, article: Article, origin: str, signature: Signature) -> None:
        cursor = self._db.execute(
            "INSERT INTO signatures (article_id, origin_id, content_hash, shingles, digest) VALUES (?, ?, ?, ?, ?)",
            (article.article_id, origin, article.content_hash, signature.shingles, signature.digest.tobytes()),
        )
        if signature.shingles >= MIN_SHINGLES:
            rows = [(band, key, cursor.lastrowid) for band, key in _band_keys(signature)]
            self._db.executemany("INSERT INTO bands VALUES (?, ?, ?)", rows)

    def _forget(self, number: int) -> None:
        row = self._db.execute("SELECT shingles, digest FROM signatures WHERE number = ?", (number,)).fetchone()
        keys = [(band, key, number) for band, key in _band_keys(_load(*row))]
        self._db.executemany("DELETE FROM bands WHERE band = ? AND key = ? AND number = ?", keys)
        self._db.execute("DELETE FROM signatures WHERE number = ?", (number,))

    @property
    def _db(self) -> sqlite3.Connection:
        if self._connection is None:
            raise RuntimeError("the origin index is not open")
        return self._connection

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Say so where another job keeps the file, or the system refuses to write: nothing is wrong with it."""
        try:
            yield
        except sqlite3.OperationalError as error:
            code = error.sqlite_errorcode & _PRIMARY_CODE
            if code in _SYSTEM_CODES:
                raise StoreError(
                    f"{self.path} cannot be written: {error}",
                    field="data_dir",
                    hint="Make room, or mend owner or permissions, and run the command again; leave the file alone.",
                ) from error
            if code not in _LOCKED_CODES:
                raise
            raise StoreLockedError(
                f"another index job is using {self.path}",
                field="data_dir",
                hint="Wait until it has finished, and run the command again; leave the file alone.",
            ) from error

    def _way_out(self) -> str:
        return "Delete the file and index again: origins are then found anew."

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.commit()
        finally:
            self.close()


def _closeness(one: Signature, other: Signature) -> float:
    """Return how far two texts are over the nearer of the two thresholds; from 1 on they are copies."""
    if min(one.shingles, other.shingles) < MIN_SHINGLES:
        return 0.0
    jaccard = float(np.mean(one.digest == other.digest))
    shared = jaccard / (1 + jaccard) * (one.shingles + other.shingles)
    containment = min(1.0, shared / min(one.shingles, other.shingles))
    cut = containment / MIN_CONTAINMENT if jaccard >= MIN_CUT_JACCARD else 0.0
    return max(jaccard / MIN_JACCARD, cut)


def _band_keys(signature: Signature) -> list[tuple[int, bytes]]:
    bands = signature.digest.reshape(-1, BAND_ROWS)  # (bands, BAND_ROWS)
    return [(number, band.tobytes()) for number, band in enumerate(bands)]


def _load(shingles: int, digest: bytes) -> Signature:
    return Signature(digest=np.frombuffer(digest, dtype=np.uint32), shingles=shingles)
