"""
A report as WACZ 1.1.1: the archived pages that are quoted, byte for byte as they were crawled, for a replay viewer.

Source: https://specs.webrecorder.net/wacz/1.1.1/. The report itself lies beside the pages, as HTML and JSON.
"""

import hashlib
import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from core import __version__
from core.errors import InputError
from core.types import Article
from scraper.state.archive import ArchivedPage, read_page
from service.reports.document import to_document
from service.reports.html import to_html
from service.reports.source import ReportSource

VERSION = "1.1.1"
WARC = "archive/pages.warc.gz"
INDEX = "indexes/index.cdx"
PAGES = "pages/pages.jsonl"
_GZIP_HEADER = 31  # zlib: largest window, gzip header
_PIECE = 64 * 1024
_DOS_EPOCH = 1980


@dataclass(frozen=True)
class _Record:
    """One page in the archive that is written."""

    page: ArchivedPage
    article: Article
    number: int
    """n in Doc[n]."""
    packed: bytes
    """The WARC record as it was crawled: one gzip member."""
    offset: int


def to_wacz(source: ReportSource) -> bytes:
    """
    Write the archive.

    :raises InputError: If no quoted page is archived.
    """
    info = _warc_info(source)
    records, lost = _records(source, offset=len(info))
    if not records:
        raise InputError(
            f"none of the quoted pages is archived: {'; '.join(lost) or 'nothing is quoted'}",
            field="format",
            hint="Pages of a crawl are archived, imported articles are not. Ask for another format.",
        )
    files = {
        WARC: info + b"".join(record.packed for record in records),
        INDEX: _cdxj(records),
        PAGES: _pages(records),
        "proof/looksy.html": to_html(source).encode(),
        "proof/looksy.json": to_document(source).model_dump_json(indent=1).encode(),
    }
    package = _package(source, records, lost, files)
    files["datapackage.json"] = package
    digest = {"path": "datapackage.json", "hash": _sha256(package)}
    files["datapackage-digest.json"] = json.dumps(digest, indent=2).encode()
    return _zip(files, source.made_at)


def _records(source: ReportSource, *, offset: int) -> tuple[list[_Record], list[str]]:
    """Return the pages of the quoted revisions, each once, and why others are not there."""
    records: list[_Record] = []
    lost: list[str] = []
    seen: set[tuple[str, str]] = set()
    for reference in source.result.references:
        for quote in reference.quotes:
            key = (reference.article_id, quote.content_hash)
            if key in seen:
                continue
            seen.add(key)
            article = source.articles.get(key)
            if article is None or article.raw_ref is None or source.data_dir is None:
                missing = "is no longer in the archive" if article is None else "was not crawled"
                lost.append(f"Doc[{reference.number}] {missing}")
                continue
            try:
                page = read_page(source.data_dir, article.raw_ref)
            except InputError as error:
                lost.append(f"Doc[{reference.number}]: {error.message}")
                continue
            packed = _member(source.data_dir, article.raw_ref)
            records.append(_Record(page, article, reference.number, packed, offset))
            offset += len(packed)
    return records, lost


def _member(data_dir: Path, reference: str) -> bytes:
    """Return the bytes of one record, packed as it lies in the crawl's archive."""
    name, _, offset = reference.rpartition(":")
    packed = bytearray()
    inflater = zlib.decompressobj(_GZIP_HEADER)
    with (data_dir / name).open("rb") as file:
        file.seek(int(offset))
        while not inflater.eof and (piece := file.read(_PIECE)):
            inflater.decompress(piece)
            packed += piece
    return bytes(packed[: len(packed) - len(inflater.unused_data)])


def _warc_info(source: ReportSource) -> bytes:
    from warcio.warcwriter import WARCWriter

    target = io.BytesIO()
    writer = WARCWriter(target, gzip=True, warc_version="1.1")
    about = {"software": f"Looksy {__version__}", "format": "WARC File Format 1.1", "isPartOf": source.name}
    record = writer.create_warcinfo_record("pages.warc.gz", about)
    record.rec_headers.replace_header("WARC-Date", f"{source.made_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}")
    writer.write_record(record)
    return target.getvalue()


def _cdxj(records: list[_Record]) -> bytes:
    """Write the index: one line a record, sorted by key and time."""
    lines = []
    for record in records:
        headers = {name.lower(): value for name, value in record.page.headers.items()}
        fields = {
            "url": record.page.url,
            "mime": headers.get("content-type", "text/html").split(";")[0].strip().lower(),
            "status": "200",
            "digest": _sha256(record.page.content),
            "length": str(len(record.packed)),
            "offset": str(record.offset),
            "filename": WARC.rsplit("/", 1)[-1],
        }
        stamp = record.page.fetched_at.astimezone(UTC).strftime("%Y%m%d%H%M%S%f")[:17]
        lines.append(f"{surt(record.page.url)} {stamp} {json.dumps(fields, ensure_ascii=True)}")
    return "".join(f"{line}\n" for line in sorted(lines)).encode()


def _pages(records: list[_Record]) -> bytes:
    lines: list[dict[str, Any]] = [{"format": "json-pages-1.0", "id": "pages", "title": "Quoted articles"}]
    for record in records:
        lines.append(
            {
                "id": f"doc-{record.number}-{record.article.content_hash[:12]}",
                "url": record.page.url,
                "ts": _time(record.page.fetched_at),
                "title": record.article.headline,
                "articleId": record.article.article_id,
                "revision": record.article.revision,
                "contentHash": record.article.content_hash,
            }
        )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def _package(source: ReportSource, records: list[_Record], lost: list[str], files: dict[str, bytes]) -> bytes:
    """Write the list of all files with their hashes."""
    described = ", ".join(f"Doc[{record.number}] {record.article.content_hash}" for record in records)
    missing = f" Not archived: {'; '.join(lost)}." if lost else ""
    package = {
        "profile": "data-package",
        "wacz_version": VERSION,
        "title": source.result.request.text[:200],
        "description": f"Pages quoted by run {source.result.run_id}. Content hashes of the run: {described}.{missing}",
        "created": _time(source.made_at),
        "software": f"Looksy {__version__}",
        "mainPageUrl": records[0].page.url,
        "mainPageDate": _time(records[0].page.fetched_at),
        "resources": [
            {"name": path.rsplit("/", 1)[-1], "path": path, "hash": _sha256(content), "bytes": len(content)}
            for path, content in files.items()
        ],
    }
    return json.dumps(package, ensure_ascii=False, indent=2).encode()


def _zip(files: dict[str, bytes], made_at: datetime) -> bytes:
    """Zip the files; what is packed already is stored, so that viewers can read parts of it."""
    target = io.BytesIO()
    moment = made_at.astimezone(UTC)
    stamp = (max(moment.year, _DOS_EPOCH), moment.month, moment.day, moment.hour, moment.minute, moment.second)
    with zipfile.ZipFile(target, "w") as archive:
        for path, content in files.items():
            info = zipfile.ZipInfo(path, date_time=stamp)
            is_stored = path.startswith(("archive/", "indexes/"))
            info.compress_type = zipfile.ZIP_STORED if is_stored else zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, content)
    return target.getvalue()


def surt(url: str) -> str:
    """
    Return the key of an address in an index: host turned round, lower case, parameters sorted.

    Source: http://crawler.archive.org/articles/user_manual/glossary.html#surt, as replay viewers make it.
    """
    parts = urlsplit(url.lower())
    host = parts.hostname or ""
    labels = [label for place, label in enumerate(host.split(".")) if place or not _is_www(label)]
    port = f":{parts.port}" if parts.port and parts.port not in {80, 443} else ""
    query = f"?{urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))}" if parts.query else ""
    return f"{','.join(reversed(labels))}{port}){parts.path or '/'}{query}"


def _is_www(label: str) -> bool:
    return label.startswith("www") and (label == "www" or label[3:].isdigit())


def _time(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _sha256(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
