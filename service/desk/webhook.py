"""
Tells another server of changed evidence, signed as Standard Webhooks asks for, and tries again where that fails.

Source: https://www.standardwebhooks.com. The secret signs `id.timestamp.body` with HMAC-SHA256.
"""

import asyncio
import base64
import binascii
import hashlib
import hmac
import json
import logging
import random
import sqlite3
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from core.errors import LooksyError
from core.settings import Settings
from service.desk.changes import Change, Changes
from service.state.database import Database, now

if TYPE_CHECKING:
    import httpx

logger = logging.getLogger(__name__)
EVENT = "evidence.changed"
TIME_LIMIT_S = 15.0
"""For one delivery as a whole, however slowly the server replies."""
MOST_AT_ONCE = 50
"""Deliveries of one round."""
GIVE_UP_AFTER = 12
"""Tries; with these pauses, two days."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 30.0, 6 * 3600.0
EVERY_S = 20.0
"""Between two looks of the service for what is due."""
_LEASE_S = 120
"""A delivery that a process has taken is another's again after this time, should the process be killed."""
_OK = range(200, 300)
_SECRET_PREFIX = "whsec_"  # noqa: S105 - no secret: what secrets of Standard Webhooks begin with


class Webhook:
    """
    Delivers what is due. Any process may: each delivery is taken by one.

    :param transport: Seam for tests; None: the network.
    """

    def __init__(
        self, settings: Settings, database: Database, *, transport: "httpx.AsyncBaseTransport | None" = None
    ) -> None:
        self.url = settings.webhook_url.get_secret_value().strip() if settings.webhook_url else None
        self.secret = signing_key(settings.webhook_secret.get_secret_value()) if settings.webhook_secret else None
        self.database = database
        self.changes = Changes(database)
        self.transport = transport

    def deliver_due(self) -> tuple[int, int]:
        """
        Try what is due once.

        :returns: How many were delivered, and how many failed.
        """
        if self.url is None:
            return 0, 0
        done = failed = 0
        for number in self._take():
            error = asyncio.run(self._send(self.changes.get(number)))
            self._note(number, error)
            done, failed = (done + 1, failed) if error is None else (done, failed + 1)
        return done, failed

    def _take(self) -> list[int]:
        """Take what is due, so that no other process sends it at the same time."""
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            rows = connection.execute(
                "SELECT number FROM webhook_deliveries WHERE delivered_at IS NULL AND next_at <= ? AND attempts < ?"
                " ORDER BY next_at LIMIT ?",
                (now(), GIVE_UP_AFTER, MOST_AT_ONCE),
            ).fetchall()
            numbers = [int(row[0]) for row in rows]
            lease = now(timedelta(seconds=_LEASE_S))
            connection.executemany(
                "UPDATE webhook_deliveries SET next_at = ? WHERE number = ?", [(lease, number) for number in numbers]
            )
        return numbers

    async def _send(self, change: Change) -> str | None:
        """Send one change; return why that failed, None if it did not. What the server replies is not read."""
        import httpx  # few have a webhook

        body = json.dumps({"type": EVENT, "timestamp": now(), "data": payload(change)}, ensure_ascii=False).encode()
        # no redirects: what was signed for one address is not for another
        client = httpx.AsyncClient(transport=self.transport, follow_redirects=False, trust_env=False)
        try:
            async with asyncio.timeout(TIME_LIMIT_S), client:
                request = client.build_request("POST", str(self.url), content=body, headers=self._headers(change, body))
                reply = await client.send(request, stream=True)
                status = reply.status_code
                await reply.aclose()
        except TimeoutError:
            return f"no answer in {TIME_LIMIT_S:g} seconds"
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            return type(error).__name__  # its words may repeat the address, which may hold a token
        return None if status in _OK else f"HTTP status {status}"

    def _headers(self, change: Change, body: bytes) -> dict[str, str]:
        answered = "answered" if change.new_run_id else "noted"
        name, moment = f"change_{change.change_id}_{answered}", str(int(time.time()))
        headers = {
            "content-type": "application/json",
            "user-agent": "Looksy",
            "webhook-id": name,
            "webhook-timestamp": moment,
        }
        if self.secret is not None:
            headers["webhook-signature"] = sign(self.secret, name=name, moment=moment, body=body)
        return headers

    def _note(self, number: int, error: str | None) -> None:
        with self.database.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            if error is None:
                connection.execute(
                    "UPDATE webhook_deliveries SET delivered_at = ?, error = NULL, attempts = attempts + 1"
                    " WHERE number = ?",
                    (now(), number),
                )
                return
            attempts = _attempts(connection, number) + 1
            pause = min(FIRST_PAUSE_S * 2 ** (attempts - 1), LONGEST_PAUSE_S) * random.uniform(0.8, 1.2)  # noqa: S311 - spreads retries
            connection.execute(
                "UPDATE webhook_deliveries SET attempts = ?, error = ?, next_at = ? WHERE number = ?",
                (attempts, error, now(timedelta(seconds=pause)), number),
            )
        level = logging.WARNING if attempts < GIVE_UP_AFTER else logging.ERROR
        logger.log(level, "webhook not delivered", extra={"change": number, "reason": error, "attempt": attempts})


class WebhookSender:
    """
    Delivers what is due, again and again, beside the service.

    :param webhook: Delivers.
    """

    def __init__(self, webhook: Webhook, *, every_s: float = EVERY_S) -> None:
        self.webhook = webhook
        self.every_s = every_s
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, if there is an address to tell."""
        if self.webhook.url is not None and self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop after the delivery that goes on."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(timeout=TIME_LIMIT_S)

    def _run(self) -> None:
        while not self._stopped.wait(self.every_s):
            try:
                self.webhook.deliver_due()
            except LooksyError as error:
                logger.warning("webhook not tried", extra={"reason": error.message})


def payload(change: Change) -> dict[str, Any]:
    """Return what a webhook is told of a change: the change with its reason in words."""
    return change.model_dump(mode="json") | {"reason": change.reason(), "turned": change.turned}


def signing_key(secret: str) -> bytes:
    """Return the bytes that a secret stands for: base64 behind `whsec_`, else the text itself."""
    text = secret.strip()
    if text.startswith(_SECRET_PREFIX):
        try:
            return base64.b64decode(text.removeprefix(_SECRET_PREFIX), validate=True)
        except binascii.Error:
            return text.encode()
    return text.encode()


def sign(key: bytes, *, name: str, moment: str, body: bytes) -> str:
    """
    Return the value of the header `webhook-signature`.

    :param name: Of the message, `webhook-id`.
    :param moment: Seconds since 1970, `webhook-timestamp`.
    """
    digest = hmac.new(key, f"{name}.{moment}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def _attempts(connection: sqlite3.Connection, number: int) -> int:
    row = connection.execute("SELECT attempts FROM webhook_deliveries WHERE number = ?", (number,)).fetchone()
    return int(row[0]) if row is not None else 0
