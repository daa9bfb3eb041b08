"""Writes web archives for tests, sound ones and damaged ones."""

import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

DAY = datetime(2024, 3, 6, 12, tzinfo=UTC)


def record(
    url: str,
    content: bytes | str,
    *,
    at: datetime = DAY,
    status: str = "200 OK",
    kind: str = "response",
    encoding: str = "",
    media_type: str = "text/html; charset=utf-8",
    digest: str | None = None,
) -> bytes:
    """Make one compressed record; `digest` stands in place of the right one of the payload."""
    target = io.BytesIO()
    payload = content.encode() if isinstance(content, str) else content
    fields = [("Content-Type", media_type), ("Content-Length", str(len(payload)))]
    fields += [("Content-Encoding", encoding)] if encoding else []
    stated = {"WARC-Date": f"{at:%Y-%m-%dT%H:%M:%SZ}"} | ({"WARC-Payload-Digest": digest} if digest else {})
    writer = WARCWriter(target, gzip=True)
    made = writer.create_warc_record(
        url, kind, payload=io.BytesIO(payload), length=len(payload), warc_headers_dict=stated,
        http_headers=StatusAndHeaders(status, fields, protocol="HTTP/1.1") if kind == "response" else None,
        warc_content_type="application/http; msgtype=response" if kind == "response" else media_type,
    )  # fmt: skip
    writer.write_record(made)
    return target.getvalue()


def wacz(path: Path, *records: bytes, name: str = "archive/data.warc.gz") -> Path:
    """Write a WACZ file with one archive in it."""
    with zipfile.ZipFile(path, "w") as bundle:
        bundle.writestr(name, b"".join(records))
        bundle.writestr("datapackage.json", "{}")
    return path
