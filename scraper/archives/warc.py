"""The pages of a WARC or ARC file, read by warcio within bounds: no header line or record can fill the memory."""

import io
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr
from datetime import UTC, datetime
from typing import Any, BinaryIO

from scraper.archives.captures import MAX_PAGE_BYTES, Capture, UnreadableCaptureError, decode_content, has_digest

MAX_HEADER_BYTES = 256 * 1024
"""Of one record, WARC and HTTP header together."""
MAX_URL_CHARS = 4096
_NO_ARCHIVE = "it is not a WARC or ARC file"
_PIECE = 64 * 1024
_OK = frozenset({"200", "203"})
_PAGE_TYPES = frozenset({"", "text/html", "application/xhtml+xml", "text/plain", "application/octet-stream"})


class DamagedArchiveError(ValueError):
    """From here on the file cannot be read; what came before can."""


class WarcPages:
    """
    Iterates over the pages of one file: responses that brought content.

    :param file: WARC or ARC, compressed record by record or not.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.records = 0
        self.skipped: Counter[str] = Counter()
        """Captures that hold no page: reason code to count. Requests, metadata and images do not count."""

    def __iter__(self) -> Iterator[Capture]:
        """
        Yield the pages in the order of the file.

        :raises DamagedArchiveError: Where the file breaks off, or is not a WARC file; after what can be read.
        """
        from warcio.archiveiterator import ArchiveIterator

        iterator = ArchiveIterator(self.file, arc2warc=True)
        iterator.reader = reader = _bounded_reader(self.file)
        while True:
            with redirect_stderr(io.StringIO()):  # it complains there about what is said in errors here
                reader.start_header()
                try:
                    record = next(iterator)
                except StopIteration:
                    if self.records == 0:
                        raise DamagedArchiveError(_NO_ARCHIVE) from None
                    return
                except Exception as error:  # of zlib, of warcio, of the file
                    raise DamagedArchiveError(_say(error, self.records)) from error
                reader.start_content()
                self.records += 1
                try:
                    capture = self._read(record)
                except UnreadableCaptureError as error:
                    self.skipped[error.reason] += 1
                    capture = None
                except Exception as error:
                    raise DamagedArchiveError(_say(error, self.records)) from error
                is_whole = _skip_rest(record)
            if not is_whole:
                raise DamagedArchiveError(f"record {self.records} is shorter than it says")
            if capture is not None:
                yield capture

    def _read(self, record: Any) -> Capture | None:
        """Read a record; None if it is not a page."""
        headers = record.rec_headers
        url = headers.get_header("WARC-Target-URI") or ""
        is_page = record.rec_type in {"response", "resource"} and url.lower().startswith(("http://", "https://"))
        if not is_page or len(url) > MAX_URL_CHARS:
            return None
        http = record.http_headers
        if http is None and record.rec_type == "response":
            return None
        fields = {name.lower(): value for name, value in http.headers} if http is not None else {}
        if http is None:
            fields["content-type"] = headers.get_header("Content-Type") or ""
        if fields.get("content-type", "").partition(";")[0].strip().lower() not in _PAGE_TYPES:
            return None
        if http is not None and http.get_statuscode() not in _OK:
            raise UnreadableCaptureError(f"http_{str(http.get_statuscode())[:3]}")
        moment = _read_moment(headers.get_header("WARC-Date"))
        content = _read_content(record, fields, digest=headers.get_header("WARC-Payload-Digest") or "")
        return Capture(url, content, fields, moment)


def _read_content(record: Any, fields: dict[str, str], *, digest: str) -> bytes:
    from warcio.bufferedreaders import ChunkedDataReader

    raw = _read_bounded(record.raw_stream)
    is_chunked = "chunked" in fields.get("transfer-encoding", "").lower()
    body = _read_bounded(ChunkedDataReader(io.BytesIO(raw))) if is_chunked else raw
    content = decode_content(body, fields.get("content-encoding", ""))
    if not has_digest(digest, (raw, body, content)):
        raise UnreadableCaptureError("wrong_digest")
    return content


def _read_bounded(stream: Any) -> bytes:
    content = bytearray()
    while piece := stream.read(_PIECE):
        content += piece
        if len(content) > MAX_PAGE_BYTES:
            raise UnreadableCaptureError("too_large")
    return bytes(content)


def _skip_rest(record: Any) -> bool:
    """Read what is left of a record, and say whether it was all there."""
    stream = record.raw_stream
    while stream.read(_PIECE):
        pass
    return not getattr(stream, "limit", 0)


def _read_moment(text: str | None) -> datetime:
    try:
        moment = datetime.fromisoformat((text or "").strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise UnreadableCaptureError("undated") from error


def _bounded_reader(file: BinaryIO) -> Any:
    """Make warcio's reader, which reads lines of any length, one that reads lines of a record's header only so far."""
    from warcio.bufferedreaders import DecompressingBufferedReader

    class BoundedReader(DecompressingBufferedReader):  # type: ignore[misc]
        def start_header(self) -> None:
            self.left: int | None = MAX_HEADER_BYTES

        def start_content(self) -> None:
            self.left = None

        def readline(self, length: int | None = None) -> bytes:
            if self.left is None:
                return bytes(super().readline(length))
            line = bytes(super().readline(min(length or self.left, self.left)))
            self.left -= len(line)
            if self.left <= 0:
                raise DamagedArchiveError(f"a header has more than {MAX_HEADER_BYTES // 1024} KB")
            return line

    reader = BoundedReader(file)
    reader.start_header()
    return reader


def _say(error: Exception, records: int) -> str:
    if isinstance(error, DamagedArchiveError):
        return str(error)
    if "non-chunked gzip" in str(error):
        return "it is compressed as a whole and not record by record; 'warcio recompress OLD NEW' mends that"
    if records == 0:
        return _NO_ARCHIVE
    said = str(error).strip().splitlines()
    return f"it cannot be read after {records} records ({said[0][:150] if said else type(error).__name__})"
