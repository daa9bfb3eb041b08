"""Pages that a browser or wget saved as files: the address and the time of each are looked for in it."""

import email
import email.policy
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlsplit

import lxml.html
from lxml.etree import LxmlError

from core.errors import InputError
from scraper.archives.captures import Capture, UnreadableCaptureError, decode_content

MAX_FILE_BYTES = 64 * 1024 * 1024
"""Of an MHTML file, pictures and all."""
_HEAD_BYTES = 256 * 1024
_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d{1,6}\)(\S{1,2000}?)\s*-->")
"""As Internet Explorer, Chrome and Edge write it."""
_SINGLE_FILE = re.compile(rb"<!--\s*Page saved with SingleFile\s+url:\s*(\S{1,2000})\s+saved date:\s*([^\r\n]{1,100})")
_ZONE_NAME = re.compile(r"\s*\([^()]*\)\s*$")
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?", re.IGNORECASE)
_FIRST_PAGES = datetime(1991, 8, 6, tzinfo=UTC)
PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".mhtml", ".mht"})


def read_saved_file(path: Path, *, folder: Path, url: str | None = None) -> Capture:
    """
    Read a page from a file.

    The address is the one that is given, else the one that the browser wrote into the file, the page's own (canonical,
    `og:url`), or that of a mirror's folders: `www.example.com/news/a.html`. The time is the one that the browser wrote,
    else that of the file.

    :param folder: Where a mirror's folders begin.
    :raises UnreadableCaptureError: `no_address` if nothing names it; `too_large`; `undecodable`.
    :raises InputError: If the file cannot be read.
    """
    try:
        stat = path.stat()
        if stat.st_size > MAX_FILE_BYTES:
            raise UnreadableCaptureError("too_large")
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}", field="from_warc") from error
    saved_at = datetime.fromtimestamp(stat.st_mtime, tz=UTC)
    if saved_at < _FIRST_PAGES:  # as archives unpack files whose time they do not keep
        saved_at = datetime.now(UTC)
    if path.suffix.lower() in {".mhtml", ".mht"}:
        try:
            return _read_mhtml(content, saved_at=saved_at, url=url)
        except (RecursionError, LookupError) as error:
            raise UnreadableCaptureError("undecodable") from error
    content = decode_content(content, "gzip")
    head = content[:_HEAD_BYTES]
    single_file = _SINGLE_FILE.search(head)
    if single_file:
        saved_at = _read_date(single_file[2].decode("utf-8", "replace")) or saved_at
    marked = single_file or _SAVED_FROM.search(head)
    address = url or (marked and _web(marked[1].decode("utf-8", "replace")))
    address = address or _own_address(head) or _mirror_address(path, folder)
    if address is None:
        raise UnreadableCaptureError("no_address")
    return Capture(address, content, {"content-type": "text/html"}, saved_at)


def _read_mhtml(content: bytes, *, saved_at: datetime, url: str | None) -> Capture:
    message = email.message_from_bytes(content, policy=email.policy.compat32)
    for part in message.walk():
        payload = part.get_payload(decode=True) if part.get_content_type() == "text/html" else None
        if isinstance(payload, bytes):
            named = (
                message.get("Snapshot-Content-Location"),
                part.get("Content-Location"),
                message.get("Content-Location"),
            )
            address = url or next((found for name in named if (found := _web(str(name or "")))), None)
            if address is None:
                raise UnreadableCaptureError("no_address")
            charset = part.get_content_charset()
            kind = f"text/html; charset={charset}" if charset else "text/html"
            return Capture(
                address,
                decode_content(payload, ""),
                {"content-type": kind},
                _read_date(str(message.get("Date") or "")) or saved_at,
            )
    raise UnreadableCaptureError("undecodable")


def _own_address(head: bytes) -> str | None:
    """Return the address that a page names as its own."""
    try:
        tree = lxml.html.document_fromstring(head)
    except (LxmlError, ValueError):
        return None
    links = [link.get("href") for link in tree.iter("link") if "canonical" in (link.get("rel") or "").lower().split()]
    metas = [meta.get("content") for meta in tree.iter("meta") if (meta.get("property") or "").lower() == "og:url"]
    return next((found for value in [*links, *metas] if value and (found := _web(value))), None)


def _mirror_address(path: Path, folder: Path) -> str | None:
    """Return the address of a file in a mirror, whose first folder is the host."""
    parts = path.relative_to(folder).parts
    start = next((at for at, part in enumerate(parts[:-1]) if _HOST.fullmatch(part)), None)
    return None if start is None else _web("https://" + "/".join(parts[start:]))


def _web(value: str) -> str | None:
    try:
        parts = urlsplit(value.strip())
        return value.strip() if parts.scheme in {"http", "https"} and parts.hostname else None
    except ValueError:
        return None


def _read_date(text: str) -> datetime | None:
    """Read a date as browsers write it: "Wed Mar 05 2025 14:32:00 GMT+0100 (Central European Standard Time)"."""
    text = _ZONE_NAME.sub("", text.strip())
    for read in (lambda value: datetime.strptime(value, "%a %b %d %Y %H:%M:%S GMT%z"), parsedate_to_datetime):
        try:
            moment = read(text)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None
