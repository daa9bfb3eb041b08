"""Texts that were checked, or are being: one file each, a line a claim, so that a stopped check goes on."""

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from core.errors import NotFoundError, StoreError
from core.types import Model
from pipelines.systems.check import CheckedClaim, CheckedText, CheckRequest, ClaimStatus
from pipelines.systems.check.tally import summary_of

FOLDER = "checks"
_ID = frozenset("0123456789abcdef")
_ID_LENGTH = 32


class StoredCheck(Model):
    """A check as it was asked for and as far as it has come."""

    key: str
    """Of text, options and index: a check with the same key goes on where this one stopped."""
    request: CheckRequest
    checked: CheckedText
    error: str = ""
    """Why it stopped before its end; empty: it did not."""

    @property
    def is_done(self) -> bool:
        """Whether no claim waits."""
        return not any(claim.status is ClaimStatus.WAITING for claim in self.checked.claims)


class CheckStore:
    """
    Keep checks in a folder. Thread-safe.

    :param data_dir: Its folder `checks` is used.
    :param keep: How many; older ones are dropped. 0: only the latest, in memory.
    """

    def __init__(self, data_dir: Path, *, keep: int) -> None:
        self.folder = data_dir / FOLDER
        self.keep = keep
        self._memory: dict[str, StoredCheck] = {}
        self._lock = threading.Lock()

    def begin(self, stored: StoredCheck) -> None:
        """
        Keep a check that begins.

        :raises StoreError: If it cannot be written.
        """
        if not self.keep:
            with self._lock:
                self._memory[stored.checked.id] = stored
                for name in list(self._memory)[:-_IN_MEMORY]:
                    del self._memory[name]
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._path(stored.checked.id), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(stored.model_dump_json() + "\n")
        except OSError as error:
            raise StoreError(f"the check cannot be kept: {error}", hint="Make room, or set keep_runs=0.") from error
        self._prune()

    def add(self, check_id: str, claim: CheckedClaim) -> None:
        """Keep a claim that has settled."""
        self._append(check_id, {"claim": claim.model_dump(mode="json")})

    def end(self, checked: CheckedText, *, error: str = "") -> None:
        """Keep how a check ended: its warnings, times and what was searched."""
        ended = checked.model_dump(mode="json", include={"warnings", "timings", "searched"})
        self._append(checked.id, {"ended": ended | {"error": error}})

    def get(self, check_id: str) -> StoredCheck:
        """
        Return a check.

        :raises NotFoundError: If there is none of that id, or no longer.
        """
        with self._lock:
            if check_id in self._memory:
                return self._memory[check_id]
        path = self._path(check_id) if len(check_id) == _ID_LENGTH and set(check_id) <= _ID else None
        if path is None or not path.is_file():
            raise NotFoundError("there is no such check", field="id", hint="POST /v1/check makes one.")
        return _read(path)

    def unfinished(self, key: str) -> StoredCheck | None:
        """Return the latest check of the same text and options that has not come to its end."""
        for path in self._latest():
            try:
                stored = _read(path)
            except StoreError:
                continue
            if stored.key == key:
                return None if stored.is_done else stored
        return None

    def _append(self, check_id: str, line: dict[str, object]) -> None:
        with self._lock:
            if check_id in self._memory:
                self._memory[check_id] = _with(self._memory[check_id], [line])
                return
            try:
                with self._path(check_id).open("a", encoding="utf-8", newline="\n") as file:
                    file.write(json.dumps(line) + "\n")
            except OSError as error:
                raise StoreError(f"the check cannot be kept: {error}", hint="Make room on the disk.") from error

    def _path(self, check_id: str) -> Path:
        return self.folder / f"{check_id}.jsonl"

    def _latest(self) -> Iterator[Path]:
        yield from sorted(self.folder.glob("*.jsonl"), key=lambda path: -path.stat().st_mtime)

    def _prune(self) -> None:
        for path in list(self._latest())[self.keep :]:
            path.unlink(missing_ok=True)


_IN_MEMORY = 20


def _read(path: Path) -> StoredCheck:
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            first, *rest = file.read().rstrip("\n").split("\n")  # texts hold other line ends
        stored = StoredCheck.model_validate_json(first)
        lines = [json.loads(line) for line in _whole(rest)]
        return _with(stored, lines)
    except (OSError, ValueError, ValidationError) as error:
        raise StoreError(f"{path} cannot be read: {error}", hint="Delete the file and check the text again.") from error


def _whole(lines: list[str]) -> list[str]:
    """Drop a last line that was cut off when the process ended."""
    return lines if not lines or lines[-1].endswith("}") else lines[:-1]


def _with(stored: StoredCheck, lines: list[dict[str, object]]) -> StoredCheck:
    """Put settled claims and the end into a check."""
    checked, error = stored.checked, stored.error
    claims = {claim.id: claim for claim in checked.claims}
    for line in lines:
        if "claim" in line:
            claim = CheckedClaim.model_validate(line["claim"])
            claims[claim.id] = claim
        elif isinstance(ended := line.get("ended"), dict):
            error = str(ended.pop("error", ""))
            checked = CheckedText.model_validate(checked.model_dump() | ended)
    final = tuple(claims.values())
    summary = summary_of(final, skipped=len(checked.skipped), words=checked.summary.words)
    checked = checked.model_copy(update={"claims": final, "summary": summary})
    return stored.model_copy(update={"checked": checked, "error": error})
