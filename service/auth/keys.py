"""API keys. A key is shown once, when it is made; the database keeps a hash."""

import hashlib
import hmac
import secrets
from enum import StrEnum

from core.errors import InputError, NotFoundError
from core.types import Model, UtcTime
from service.state.database import Database, now

PREFIX = "looksy"
MAX_NAME_CHARS = 100


class Scope(StrEnum):
    """What a key may do. Each includes those before it."""

    FEED = "feed"
    """Read the feed of changed evidence, and nothing else. Such a key alone may stand in an address."""
    READ = "read"
    """See systems, articles, runs, coverage; search."""
    RUN = "run"
    """Ask, give feedback, put runs on the desk."""
    REVIEW = "review"
    """Work on checks: decide, annotate, tag."""
    ADMIN = "admin"
    """Start and stop jobs, delete runs, see feedback."""


_ORDER = tuple(Scope)


class Key(Model):
    """An API key, without its secret."""

    key_id: str
    name: str
    scope: Scope
    created_at: UtcTime
    revoked_at: UtcTime | None = None

    def allows(self, scope: Scope) -> bool:
        """Say whether the key's scope includes another."""
        return _ORDER.index(self.scope) >= _ORDER.index(scope)


class Keys:
    """Makes, lists, revokes and recognises keys."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def create(self, name: str, *, scope: Scope) -> tuple[Key, str]:
        """
        Make a key.

        :param name: For whom it is.
        :returns: The key, and its text, which is shown now and never again.
        """
        if not name.strip() or len(name) > MAX_NAME_CHARS:
            raise InputError(
                f"name has {len(name)} characters; 1 to {MAX_NAME_CHARS} are accepted",
                field="name",
                hint="Say for whom the key is.",
            )
        key_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        with self.database.open() as connection:
            connection.execute(
                "INSERT INTO keys VALUES (?, ?, ?, ?, ?, NULL)",
                (key_id, name.strip(), _hash(secret), scope.value, now()),
            )
        return self._get(key_id), f"{PREFIX}_{key_id}_{secret}"

    def revoke(self, key_id: str) -> Key:
        """
        Make a key invalid, at once and for good.

        :raises NotFoundError: If there is no such key.
        """
        with self.database.open() as connection:
            connection.execute(
                "UPDATE keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL", (now(), key_id)
            )
        return self._get(key_id)

    def list(self) -> list[Key]:
        """Return all keys, oldest first."""
        with self.database.open() as connection:
            return [_key(dict(row)) for row in connection.execute("SELECT * FROM keys ORDER BY created_at, key_id")]

    def recognise(self, text: str) -> Key | None:
        """Return the valid key that a text is; None: it is none. Takes the same time for every wrong secret."""
        parts = text.split("_", 2)
        if len(parts) != len(("prefix", "id", "secret")) or parts[0] != PREFIX:
            return None
        with self.database.open() as connection:
            row = connection.execute(
                "SELECT * FROM keys WHERE key_id = ? AND revoked_at IS NULL", (parts[1],)
            ).fetchone()
        if row is None or not hmac.compare_digest(str(row["secret_hash"]), _hash(parts[2])):
            return None
        return _key(dict(row))

    def _get(self, key_id: str) -> Key:
        with self.database.open() as connection:
            row = connection.execute("SELECT * FROM keys WHERE key_id = ?", (key_id,)).fetchone()
        if row is None:
            raise NotFoundError(f"there is no key {key_id!r}", field="key_id", hint="'looksy keys list' shows them.")
        return _key(dict(row))


def _key(row: dict[str, object]) -> Key:
    return Key.model_validate(
        {name: row[name] for name in ("key_id", "name", "created_at", "revoked_at")} | {"scope": row["scopes"]}
    )


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
