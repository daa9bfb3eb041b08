"""Bulk loading: bounded memory, back-off while the server is busy or away, and a name for every refused document."""

import json
import logging
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from elasticsearch import ApiError, Elasticsearch, TransportError

from indexing.stores.elasticsearch.connection import RETRIED_STATUSES
from indexing.stores.elasticsearch.errors import BulkError, as_looksy_error
from indexing.stores.elasticsearch.rows import document_id

logger = logging.getLogger(__name__)

MAX_OPERATIONS = 500
MAX_BYTES = 5 << 20
PATIENCE_SECONDS = 120.0
FIRST_WAIT_SECONDS = 0.2
LONGEST_WAIT_SECONDS = 15.0
_MISSING = 404


@dataclass(frozen=True, slots=True)
class Operation:
    """
    One change, as the bulk interface takes it. Doing it twice does no harm.

    :param action: index, update or delete.
    :param body: The source, or `{"doc": …}`; None for delete.
    """

    action: str
    id: str
    body: Mapping[str, Any] | None = None

    def encode(self) -> bytes:
        """Return the lines of the request, without a break at the end."""
        lines = [json.dumps({self.action: {"_id": self.id}})]
        if self.body is not None:
            lines.append(json.dumps(self.body, ensure_ascii=False, separators=(",", ":")))
        return "\n".join(lines).encode("utf-8", "replace")


class BulkLoader:
    """
    Sends operations in requests of bounded size, in order for each document.

    :param index: Index to write to.
    :param url: Named in messages.
    :param patience: Seconds to go on trying while the server is busy or away.
    :param check: Called before each request; raises if nothing may be sent any more.
    :param sleep: Waits; for tests.
    """

    def __init__(
        self,
        client: Elasticsearch,
        index: str,
        *,
        url: str,
        patience: float = PATIENCE_SECONDS,
        check: Callable[[], None] = lambda: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client.options(max_retries=0)
        self._index = index
        self._url = url
        self._patience = patience
        self._check = check
        self._sleep = sleep
        self._pending: dict[str, bytes] = {}
        self._bytes = 0

    def add(self, operation: Operation) -> None:
        """
        Take an operation; send what is pending when there is enough of it.

        :raises BulkError: If the server refuses documents for good.
        :raises UnavailableError: If it stayed busy or away for longer than `patience`.
        """
        if operation.id in self._pending:
            self.flush()  # a retried operation must not overtake a later one on the same document
        encoded = operation.encode()
        self._pending[operation.id] = encoded
        self._bytes += len(encoded)
        if len(self._pending) >= MAX_OPERATIONS or self._bytes >= MAX_BYTES:
            self.flush()

    def flush(self) -> None:
        """Send everything pending; returns when the server has acknowledged it all. Errors: see `add`."""
        pending = self._pending
        self.discard()
        refused: dict[str, str] = {}
        deadline = time.monotonic() + self._patience
        wait = FIRST_WAIT_SECONDS
        while pending:
            self._check()
            problem, left, failures = self._send(pending)
            refused |= failures
            if not left:
                break
            if time.monotonic() + wait > deadline:
                raise problem
            logger.warning("Elasticsearch is busy", extra={"left": len(left), "wait_s": wait})
            self._sleep(wait * random.uniform(0.8, 1.2))  # noqa: S311 - spreads retries, guards nothing
            wait = min(wait * 2, LONGEST_WAIT_SECONDS)
            pending = {name: pending[name] for name in left}
        if refused:
            raise BulkError({document_id(name): reason for name, reason in refused.items()})

    def discard(self) -> None:
        """Forget what is pending."""
        self._pending, self._bytes = {}, 0

    def _send(self, pending: dict[str, bytes]) -> tuple[Exception, list[str], dict[str, str]]:
        """
        Send once.

        :returns: What stands in the way of the rest, the ids to send again, and the ids refused for good with reasons.
        """
        try:
            reply = self._client.bulk(index=self._index, operations=list(pending.values()))  # type: ignore[arg-type]  # encoded
        except ApiError as error:
            if error.status_code not in RETRIED_STATUSES:
                raise as_looksy_error(error, self._url) from error
            return as_looksy_error(error, self._url), list(pending), {}
        except TransportError as error:
            return as_looksy_error(error, self._url), list(pending), {}
        again: dict[str, str] = {}
        refused: dict[str, str] = {}
        for item in reply["items"]:
            action, result = next(iter(item.items()))
            if "error" not in result or (action == "delete" and result["status"] == _MISSING):
                continue
            if result["status"] in RETRIED_STATUSES:
                again[result["_id"]] = _reason(result["error"])
            else:
                refused[result["_id"]] = _reason(result["error"])
        busy = {document_id(name): f"the server stayed busy: {reason}" for name, reason in again.items()}
        return BulkError(busy), list(again), refused


def _reason(error: object) -> str:
    if not isinstance(error, dict):
        return str(error)
    cause = error.get("caused_by") or {}
    return ": ".join(str(part) for part in (error.get("type"), error.get("reason"), cause.get("reason")) if part)[:400]
