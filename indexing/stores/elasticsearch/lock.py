"""One writer at a time, as a document that the writer creates and takes away."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from elasticsearch import ApiError, ConflictError, Elasticsearch, NotFoundError, TransportError

from core.errors import StoreLockedError

LEASE = timedelta(seconds=60)
_RENEW_SECONDS = 15.0
LOCK_ID = "looksy-lock"


@dataclass(frozen=True, slots=True)
class HeldLock:
    """
    The right to write, as the process knows it that has taken it.

    :param index: Where the lock document stands.
    :param owner: What the lock document calls the process.
    """

    client: Elasticsearch
    index: str
    owner: str

    def require(self) -> None:
        """
        Stop who no longer may write.

        :raises StoreLockedError: If another process has taken the lock over.
        """
        if self.is_lost():
            raise StoreLockedError(
                f"another process has taken over the lock of {self.index}",
                field="store_index",
                hint="Let it finish, then run 'looksy index' again.",
            )

    def is_lost(self) -> bool:
        """Say whether another process has taken it over, which it may once the lease has lapsed."""
        try:
            held = self.client.options(max_retries=0).get(index=self.index, id=LOCK_ID)
        except NotFoundError:
            return True  # taken over, and given back since
        except (ApiError, TransportError):
            return False  # what is written next will meet the same fault
        return bool(held["_source"]["lock"]["owner"] != self.owner)


@contextmanager
def writer_lock(client: Elasticsearch, index: str) -> Iterator[HeldLock]:
    """
    Hold the right to write.

    A lock whose owner died lapses after `LEASE`, or at once if it was a process of this machine.

    :param index: The version that the alias names; a rebuild holds the lock of the version that it replaces.
    :raises StoreLockedError: If another process has it; the message names host and process id.
    """
    owner = uuid4().hex
    _take(client, index, owner)
    stop = threading.Event()
    renewal = threading.Thread(target=_renew, args=(client, index, owner, stop), daemon=True, name="writer-lock")
    renewal.start()
    try:
        yield HeldLock(client, index, owner)
    finally:
        stop.set()
        renewal.join()
        with suppress(ApiError, TransportError):  # an unreachable server forgets it after the lease
            _release(client, index, owner)


def _take(client: Elasticsearch, index: str, owner: str) -> None:
    with suppress(ConflictError):
        client.index(index=index, id=LOCK_ID, document={"lock": _claim(owner)}, op_type="create", refresh=False)
        return
    try:
        held = client.get(index=index, id=LOCK_ID)
    except NotFoundError:
        held = None
    if held is not None and held["_source"]["lock"]["owner"] == owner:
        return  # the reply to our own claim was lost, and the client sent it twice
    if held is not None and _is_alive(held["_source"]["lock"]):
        raise _locked(held["_source"]["lock"])
    guard = (
        {"op_type": "create"}
        if held is None
        else {
            "if_seq_no": held["_seq_no"],
            "if_primary_term": held["_primary_term"],
        }
    )
    try:
        client.index(index=index, id=LOCK_ID, document={"lock": _claim(owner)}, refresh=False, **guard)
    except ConflictError as error:
        raise _locked(client.get(index=index, id=LOCK_ID)["_source"]["lock"]) from error


def _claim(owner: str) -> dict[str, Any]:
    until = datetime.now(UTC) + LEASE
    return {"owner": owner, "host": socket.gethostname(), "pid": os.getpid(), "until": until.isoformat()}


def _is_alive(claim: dict[str, Any]) -> bool:
    if datetime.fromisoformat(claim["until"]) < datetime.now(UTC):
        return False
    if claim["host"] != socket.gethostname():
        return True
    try:
        os.kill(int(claim["pid"]), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _locked(claim: dict[str, Any]) -> StoreLockedError:
    return StoreLockedError(
        f"process {claim['pid']} on {claim['host']} is writing to the index",
        field="store_index",
        hint=f"Wait until it is done; if it died, its lock lapses at {claim['until']}.",
    )


def _renew(client: Elasticsearch, index: str, owner: str, stop: threading.Event) -> None:
    while not stop.wait(_RENEW_SECONDS):
        with suppress(ApiError, TransportError):
            held = client.get(index=index, id=LOCK_ID)
            if held["_source"]["lock"]["owner"] != owner:
                return  # the lease was taken over; the commit will notice
            client.index(
                index=index,
                id=LOCK_ID,
                document={"lock": _claim(owner)},
                if_seq_no=held["_seq_no"],
                if_primary_term=held["_primary_term"],
            )


def _release(client: Elasticsearch, index: str, owner: str) -> None:
    held = client.get(index=index, id=LOCK_ID)
    if held["_source"]["lock"]["owner"] == owner:
        client.delete(index=index, id=LOCK_ID, if_seq_no=held["_seq_no"], if_primary_term=held["_primary_term"])
