"""A passage as a row of the tantivy index: fields to search by, and a payload that gives the document back."""

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import tantivy
from haystack import Document
from pydantic_core import from_json, to_json

from core.errors import StoreVersionError
from core.types import Article
from indexing.analysis import ANALYSER_NAME, tantivy_analyser
from indexing.stores.hints import UNREADABLE_HINT

KEYWORDS = {
    "article_id": "article",
    "source": "source",
    "section": "section",
    "language": "language",
    "origin_id": "origin",
}
"""Meta fields that are matched as a whole, and the index fields that hold them."""

OPTIONAL = frozenset({"source", "section", "language"})
"""Fields of `KEYWORDS` that can be asked whether they are there."""

TIMES = {"published_at": "published", "first_seen_at": "first_seen"}
"""Meta fields that are times; the index fields hold microseconds since 1970."""

SUPERSEDED = "superseded"
"""When the next revision was first seen; the current revision's rows do not have it."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Row:
    """
    One passage as it is stored.

    :param record: The whole article as JSON; with the first passage of each revision only.
    :param key: Of the passage's vector; None: it has none.
    :param superseded: Microseconds since 1970; None: this revision is current.
    """

    document: Document
    record: str | None = None
    key: int | None = None
    superseded: int | None = None

    def digest(self) -> int:
        """Return 128 bits that change with anything that a search could give back."""
        return self._digest_of(self._payload())

    def _payload(self) -> bytes:
        document = self.document
        return to_json(
            {"id": document.id, "content": document.content, "meta": document.meta, "superseded": self.superseded},
            fallback=str,
        )

    def _digest_of(self, payload: bytes) -> int:
        digest = hashlib.blake2b(payload, digest_size=16)
        digest.update(b"\n1" if self.key is not None else b"\n0")
        if self.record is not None:
            digest.update(self.record.encode())
        return int.from_bytes(digest.digest())

    def encode(self) -> tuple[tantivy.Document, int]:
        """Return the index entry and the digest."""
        document, meta = self.document, self.document.meta
        payload = self._payload()
        entry = tantivy.Document()
        entry.add_text("id", document.id)
        headline = meta.get("headline")
        if isinstance(headline, str):
            entry.add_text("text", headline)
        if document.content:
            entry.add_text("text", document.content)
        entry.add_bytes("payload", payload)
        for name, field in KEYWORDS.items():
            value = meta.get(name)
            if isinstance(value, str):
                entry.add_text(field, value)
        for name, field in TIMES.items():
            moment = microseconds(meta.get(name))
            if moment is not None:
                entry.add_integer(field, moment)
        self._encode_numbers(entry, meta)
        return entry, self._digest_of(payload)

    def _encode_numbers(self, entry: tantivy.Document, meta: dict[str, Any]) -> None:
        revision = meta.get("revision")
        if isinstance(revision, int) and not isinstance(revision, bool):
            entry.add_integer("revision", revision)
        if self.superseded is not None:
            entry.add_integer(SUPERSEDED, self.superseded)
        if self.key is not None:
            entry.add_unsigned("key", self.key)
        if self.record is not None:
            entry.add_bytes("record", self.record.encode())
            published = meta.get("published_at")
            entry.add_text("month", published[:7] if isinstance(published, str) else UNDATED)

    def article(self) -> Article | None:
        """Return the article that came with this row."""
        return Article.model_validate_json(self.record) if self.record is not None else None

    def with_record(self, article: Article) -> "Row":
        """Return the row with another article record."""
        return replace(self, record=article.model_dump_json())


UNDATED = "undated"
"""Month of articles without a date."""


def decode(entry: tantivy.Document) -> Row:
    """Return the row of an index entry."""
    payload = from_json(bytes(entry.get_first("payload")))  # type: ignore[arg-type]
    record = entry.get_first("record")
    key = entry.get_first("key")
    return Row(
        document=Document(id=payload["id"], content=payload["content"], meta=payload["meta"]),
        record=None if record is None else bytes(record).decode(),
        key=None if key is None else int(key),
        superseded=payload["superseded"],
    )


@cache
def schema() -> tantivy.Schema:
    """Return the fields of the index. Positions are not kept: no search asks for phrases."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name=ANALYSER_NAME, index_option="freq")
    builder.add_text_field("id", tokenizer_name="raw", index_option="basic")
    for field in KEYWORDS.values():
        builder.add_text_field(field, fast=field in OPTIONAL, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("month", fast=True, tokenizer_name="raw", index_option="basic")
    for field in (*TIMES.values(), SUPERSEDED):
        builder.add_integer_field(field, fast=True)
    builder.add_integer_field("revision", indexed=True, fast=True)
    builder.add_unsigned_field("key", stored=True, indexed=True, fast=True)
    builder.add_bytes_field("payload", stored=True)
    builder.add_bytes_field("record", stored=True)
    builder.add_text_field("kind", tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("manifest", stored=True)
    return builder.build()


def open_index(folder: Path, *, must_exist: bool = False) -> tantivy.Index:
    """
    Open the tantivy index in a folder, or make it.

    :raises FileNotFoundError: If it must exist and does not.
    :raises ValueError: If tantivy cannot read it.
    :raises StoreVersionError: If it has other fields: another version of Looksy has written it.
    """
    exists = (folder / "meta.json").exists()
    if must_exist and not exists:
        raise FileNotFoundError(folder / "meta.json")
    index = tantivy.Index.open(str(folder)) if exists else tantivy.Index(schema(), path=str(folder))
    if index.schema != schema():
        raise StoreVersionError(
            f"the index in {folder} has other fields than this version of Looksy reads",
            field="data_dir",
            hint=UNREADABLE_HINT,
        )
    index.register_tokenizer(ANALYSER_NAME, tantivy_analyser())
    index.config_reader("manual")
    return index


def microseconds(value: object) -> int | None:
    """Return an ISO 8601 time (UTC if it does not say) as microseconds since 1970; None if it is none."""
    if isinstance(value, str):
        return _parsed_microseconds(value)
    if not isinstance(value, datetime):
        return None
    return ((value if value.tzinfo else value.replace(tzinfo=UTC)) - _EPOCH) // _MICROSECOND


@lru_cache(maxsize=256)
def _parsed_microseconds(text: str) -> int | None:
    """Parse a time; all passages of an article have the same ones, one after the other."""
    try:
        return microseconds(datetime.fromisoformat(text))
    except ValueError:
        return None
