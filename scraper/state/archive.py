"""Raw pages as WARC records, each compressed for itself, so that a better extractor can read them again."""

import io
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from core.errors import InputError
from scraper.extraction.workers.tasks import PageTask

_NOT_KEPT = frozenset({"content-encoding", "transfer-encoding", "content-length", "connection", "set-cookie"})
"""The record holds the decoded page, and nobody's session."""
_FURTHER = "Looksy-Further-Pages"
"""How many of the next records are pages on which the story of this one goes on."""
_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))
_REASONS = {200: "200 OK"}


@dataclass(frozen=True)
class ArchivedPage:
    """A page read back from the archive."""

    url: str
    content: bytes
    headers: Mapping[str, str]
    fetched_at: datetime
    further: tuple[tuple[str, bytes], ...] = ()
    """Addresses and contents of the pages on which its story goes on."""


def archive_path(publisher: str, run_id: str) -> Path:
    """Return where a run's pages are archived, relative to the data directory."""
    return Path("crawl") / "warc" / publisher / f"{run_id}.warc.gz"


def make_record(task: PageTask) -> bytes:
    """Make compressed response records of a page and of those on which its story goes on."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    target = io.BytesIO()
    headers = [(_ascii(name), _ascii(value)) for name, value in task.headers if name.lower() not in _NOT_KEPT]
    writer = WARCWriter(target, gzip=True, warc_version="1.1")  # the first whose dates have fractions of a second
    stated = {"WARC-Date": f"{task.fetched_at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"}
    if task.further:
        stated[_FURTHER] = str(len(task.further))
    for url, content in ((task.url, task.content), *task.further):
        fields = [*headers, ("Content-Length", str(len(content)))]
        record = writer.create_warc_record(
            url,
            "response",
            payload=io.BytesIO(content),
            length=len(content),
            http_headers=StatusAndHeaders(_REASONS.get(task.status, str(task.status)), fields, protocol="HTTP/1.1"),
            warc_headers_dict=stated,
        )
        writer.write_record(record)
        stated = {"WARC-Date": stated["WARC-Date"]}
    return target.getvalue()


def _ascii(text: str) -> str:
    """Percent-encode the bytes of a header field that are not ASCII: warcio does so with some, and fails on others."""
    return quote(text, safe=_PRINTABLE, encoding="latin-1")


def make_reference(path: Path, offset: int) -> str:
    """Name a record: file, relative to the data directory, and offset."""
    return f"{path.as_posix()}:{offset}"


def read_page(data_dir: Path, reference: str) -> ArchivedPage:
    """
    Read a page back.

    :param reference: As `make_reference` made it.
    :raises InputError: If the archive does not hold it any more, or not as it was written.
    """
    from warcio.exceptions import ArchiveLoadFailed

    name, _, offset = reference.rpartition(":")
    try:
        with (data_dir / name).open("rb") as file:
            file.seek(int(offset))
            return _read_record(file)
    except (OSError, ValueError, StopIteration, AttributeError, zlib.error, ArchiveLoadFailed) as error:
        raise InputError(
            f"the archive holds no page at {reference}", field="raw_ref", hint="Crawl again to fetch the page."
        ) from error


def _read_record(file: BinaryIO) -> ArchivedPage:
    """Read the records that begin here; one that is shorter than it says, or has another digest, is an error."""
    from warcio.archiveiterator import ArchiveIterator

    records = iter(ArchiveIterator(file, check_digests="raise"))
    first = next(records)
    content = _read_content(first)
    further = []
    for _ in range(int(first.rec_headers.get_header(_FURTHER) or 0)):
        record = next(records)
        further.append((record.rec_headers.get_header("WARC-Target-URI"), _read_content(record)))
    return ArchivedPage(
        url=first.rec_headers.get_header("WARC-Target-URI"),
        content=content,
        headers=dict(first.http_headers.headers),
        fetched_at=datetime.fromisoformat(first.rec_headers.get_header("WARC-Date")),
        further=tuple(further),
    )


def _read_content(record: Any) -> bytes:
    content: bytes = record.content_stream().read()
    if record.raw_stream.limit:  # bytes that it should still give; its digest is compared once there are none
        raise ValueError(f"{record.raw_stream.limit} bytes of the record are missing")
    return content
