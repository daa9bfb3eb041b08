"""A passage as a document of the Elasticsearch index, and back."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from haystack import Document

from core.types import Article
from indexing.filters import as_time

KEYWORDS = ("article_id", "source", "section", "language", "origin_id")
TIMES = ("published_at", "first_seen_at")
SUPERSEDED_FIELDS = ("superseded_at", "superseded_was", "superseded_in")
UNDATED = "undated"
_DIGEST_BYTES = 16
_GENERATION = re.compile(r"@\d+$")


@dataclass(slots=True)
class RowState:
    """
    What a writer must know of a row.

    :param name: Its `_id` in the index.
    :param digest: Of the passage; see `row_digest`.
    :param superseded: When the next revision was first seen; None: the revision is current.
    :param superseded_was: The same as of the last commit.
    :param record: The article; with the first passage of each revision only.
    """

    id: str
    name: str
    revision: int
    digest: int
    superseded: datetime | None = None
    superseded_was: datetime | None = None
    record: Article | None = None

    def total(self) -> int:
        """Return the row's share of the content sum."""
        parts = [self.digest]
        if self.superseded is not None:
            parts.append(_hash(self.id, "superseded", self.superseded.isoformat()))
        if self.record is not None:
            parts.append(_hash(self.id, "record", self.record.model_dump_json()))
        return sum(parts)


def row_name(document_id: str, generation: int) -> str:
    """Return the `_id` of a row; another generation of the same passage has another, so both can stand side by side."""
    return f"{document_id}@{generation}"


def document_id(name: str) -> str:
    """Return the document id of a row's name."""
    return _GENERATION.sub("", name)


def to_source(document: Document, *, record: Article | None, generation: int) -> dict[str, Any]:
    """Return the fields of a row. Vectors have 32 bits, which nine digits tell apart; more only take room."""
    meta = document.meta
    source: dict[str, Any] = {
        "id": document.id,
        "content": document.content,
        "meta": _plain(meta),
        "generation": generation,
        "first": record is not None,
    }
    if isinstance(meta.get("headline"), str):
        source["headline"] = meta["headline"]
    if document.embedding is not None:
        source["embedding"] = [float(f"{number:.9g}") for number in document.embedding]
    source |= {name: meta[name] for name in KEYWORDS if isinstance(meta.get(name), str)}
    source |= {name: time.isoformat() for name in TIMES if (time := as_time(meta.get(name))) is not None}
    revision = meta.get("revision")
    if isinstance(revision, int) and not isinstance(revision, bool):
        source["revision"] = revision
    if record is not None:
        source["record"] = record.model_dump(mode="json")
        source["month"] = source.get("published_at", UNDATED)[:7] if "published_at" in source else UNDATED
    return source


def to_document(source: Mapping[str, Any], *, score: float | None = None, with_vector: bool = False) -> Document:
    """Return the document of a row."""
    return Document(
        id=source["id"],
        content=source.get("content"),
        meta=dict(source.get("meta") or {}),
        score=score,
        embedding=source.get("embedding") if with_vector else None,
    )


def to_article(source: Mapping[str, Any]) -> Article | None:
    """Return the article that came with a row."""
    record = source.get("record")
    return Article.model_validate(record) if record else None


def to_state(source: Mapping[str, Any], generation: int) -> RowState:
    """
    Return what a writer must know of a stored row.

    :param source: Its fields, and `_id`.
    :param generation: Marks of later ones, which are not committed, do not count.
    """
    is_marked_later = (source.get("superseded_in") or 0) > generation
    superseded = as_time(source.get("superseded_was" if is_marked_later else "superseded_at"))
    return RowState(
        id=source["id"],
        name=source["_id"],
        revision=int(source.get("revision") or 0),
        digest=row_digest(source),
        superseded=superseded,
        superseded_was=superseded,
        record=to_article(source),
    )


def row_digest(source: Mapping[str, Any]) -> int:
    """Return 128 bits over passage and meta, and over whether there is a vector."""
    payload = json.dumps([source.get("content"), source.get("meta")], ensure_ascii=False, sort_keys=True)
    return _hash(source["id"], payload, str("embedding" in source))


def _hash(*parts: str) -> int:
    text = "\x00".join(parts).encode("utf-8", "replace")
    return int.from_bytes(hashlib.blake2b(text, digest_size=_DIGEST_BYTES).digest())


def _plain(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the meta as JSON gives it back; what JSON has no type for becomes text."""
    plain: dict[str, Any] = json.loads(
        json.dumps(dict(meta), default=lambda value: getattr(value, "isoformat", value.__str__)())
    )
    return plain
