"""The Elasticsearch store: Haystack's `DocumentStore`, and what evidence needs beyond it."""

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from elasticsearch import ApiError, Elasticsearch, NotFoundError
from haystack import Document, default_from_dict, default_to_dict
from haystack.utils import Secret

from core.errors import StoreMissingError
from core.types import Article
from indexing.stores.base import StoreBase, check_dimension
from indexing.stores.contract import StoreCounts
from indexing.stores.elasticsearch import filter_query
from indexing.stores.elasticsearch.bulk import BulkLoader
from indexing.stores.elasticsearch.connection import Connection, api_key_from_environment, password_from_environment
from indexing.stores.elasticsearch.coverage import count_all
from indexing.stores.elasticsearch.errors import translated
from indexing.stores.elasticsearch.lock import HeldLock, writer_lock
from indexing.stores.elasticsearch.manifest import Manifest, Stored, read_manifest
from indexing.stores.elasticsearch.reader import Reader
from indexing.stores.elasticsearch.rows import RowState
from indexing.stores.elasticsearch.versions import (
    create_version,
    current_version,
    ensure_version,
    point_alias,
    remove_versions_before,
    require_ours,
)
from indexing.stores.elasticsearch.writer import ElasticsearchWriter
from indexing.stores.readable import is_readable

FRESH_SECONDS = 0.5
"""How long a reader may go on with the commit that it knows."""
_MOST_IDS = 1000


class ElasticsearchStore(StoreBase[RowState]):
    """
    Passages with their articles on an Elasticsearch server. Connects on first use; thread-safe.

    Secrets come from `LOOKSY_STORE_API_KEY` or `LOOKSY_STORE_PASSWORD` unless they are given, and are never serialised.

    :param url: `http(s)://host:port`.
    :param index: Alias of the index; its versions are called `<index>-v000001` and so on.
    :param timeout: Seconds to wait for one reply.
    :param ca_file: Certificate authority to verify the server with.
    :param user: For basic authentication; an API key goes first.
    :param bulk_patience: Seconds for which a load goes on trying while the server is busy or away.
    """

    def __init__(
        self,
        url: str,
        *,
        index: str = "looksy",
        timeout: float = 10.0,
        ca_file: str | None = None,
        user: str | None = None,
        password: Secret | None = None,
        api_key: Secret | None = None,
        bulk_patience: float = 120.0,
    ) -> None:
        self.url = url
        self.index = index
        self.timeout = timeout
        self.ca_file = ca_file
        self.user = user
        self.bulk_patience = bulk_patience
        self._connection = Connection(
            url,
            timeout=timeout,
            ca_file=Path(ca_file) if ca_file else None,
            user=user,
            password=password or password_from_environment(),
            api_key=api_key or api_key_from_environment(),
        )
        self._mutex = threading.Lock()
        self._client: Elasticsearch | None = None
        self._manifest: Manifest | None = None
        self._read_at = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Serialise for a Haystack pipeline, without secrets."""
        return default_to_dict(
            self,
            url=self.url,
            index=self.index,
            timeout=self.timeout,
            ca_file=self.ca_file,
            user=self.user,
            bulk_patience=self.bulk_patience,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "ElasticsearchStore":
        """Deserialise; secrets come from the environment."""
        return default_from_dict(cls, data)

    # -- searching ---------------------------------------------------------------------------------------------------

    def keyword_search(
        self, query: str, *, top_k: int, filters: dict[str, Any] | None = None, as_of: datetime | None = None
    ) -> list[Document]:
        """See `EvidenceStore.keyword_search`."""
        with self._reading() as (reader, _):
            return reader.keyword_search(query, top_k=top_k, filters=filters, as_of=as_of)

    def vector_search(
        self,
        vector: Sequence[float],
        *,
        top_k: int,
        filters: dict[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> list[Document]:
        """See `EvidenceStore.vector_search`."""
        with self._reading() as (reader, manifest):
            check_dimension(vector, manifest.dimension)
            return reader.vector_search(vector, top_k=top_k, filters=filters, as_of=as_of)

    # -- Haystack's DocumentStore ------------------------------------------------------------------------------------

    def count_documents(self) -> int:
        """Count the passages of current revisions."""
        with self._reading() as (reader, manifest):
            return reader.count([filter_query.current(manifest.generation)])

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """Return all passages of current revisions that pass, in order of id."""
        with self._reading() as (reader, _):
            return reader.filter_documents(filters)

    # -- articles ----------------------------------------------------------------------------------------------------

    def get_articles(self, article_ids: Iterable[str]) -> dict[str, Article]:
        """See `EvidenceStore.get_articles`."""
        names = list(dict.fromkeys(article_ids))
        with self._reading() as (reader, _):
            return {
                article.article_id: article
                for start in range(0, len(names), _MOST_IDS)
                for article in reader.articles(names[start : start + _MOST_IDS], only_current=True)
            }

    def get_revisions(self, article_id: str) -> list[Article]:
        """See `EvidenceStore.get_revisions`."""
        with self._reading() as (reader, _):
            return reader.articles([article_id], only_current=False)

    def iter_articles(self) -> Iterator[Article]:
        """See `EvidenceStore.iter_articles`."""
        with self._reading() as (reader, _):
            yield from reader.all_articles()

    def counts(self, *, by_month: bool = True) -> StoreCounts:
        """See `EvidenceStore.counts`."""
        with self._reading() as (reader, manifest):
            return count_all(reader, manifest, by_month=by_month, bytes_on_disk=self._bytes_on_disk())

    def snapshot_id(self) -> str:
        """See `EvidenceStore.snapshot_id`."""
        with self._reading() as (_, manifest):
            return manifest.snapshot_id()

    def _bytes_on_disk(self) -> int | None:
        """Return the size on all nodes; None if the login may not ask."""
        try:
            return int(
                self.client.indices.stats(index=self.index, metric="store")["_all"]["total"]["store"]["size_in_bytes"]
            )
        except ApiError:
            return None

    # -- opening -----------------------------------------------------------------------------------------------------

    @property
    def client(self) -> Elasticsearch:
        """The client, made on first use."""
        with self._mutex:
            if self._client is None:
                self._client = Elasticsearch(**self._connection.client_options())
            return self._client

    @contextmanager
    def _reading(self) -> Iterator[tuple[Reader, Manifest]]:
        with translated(self.url):
            manifest = self._current_manifest()
            yield Reader(self.client, self.index, manifest), manifest

    def _current_manifest(self) -> Manifest:
        """Return the newest committed manifest that was seen in the last `FRESH_SECONDS`."""
        if self._manifest is None or time.monotonic() - self._read_at > FRESH_SECONDS:
            try:
                stored = read_manifest(self.client, self.index)
            except NotFoundError as error:
                raise StoreMissingError(
                    f"there is no index {self.index!r} at {self.url}",
                    field="store_index",
                    hint="Run 'looksy index' with the same --store first.",
                ) from error
            if stored.seq_no is None:  # nothing is committed, or it is somebody else's
                require_ours(self.client, self.index)
            self._manifest, self._read_at = stored.manifest, time.monotonic()
        return self._manifest

    @contextmanager
    def writer(self) -> Iterator[ElasticsearchWriter]:
        """See `EvidenceStore.writer`."""
        with translated(self.url):
            index = ensure_version(self.client, self.index)
            with writer_lock(self.client, index) as lock, self._writing(index, lock) as writer:
                yield writer

    @contextmanager
    def rebuild(self) -> Iterator[ElasticsearchWriter]:
        """
        Write a new version beside the current one, which goes on answering; the alias moves when all is committed.

        Leaving by an exception removes the new version, unless the alias names it already. A replaced version that
        cannot be read stays until the next rebuild.
        """
        with translated(self.url):
            old = ensure_version(self.client, self.index)
            with writer_lock(self.client, old) as lock:
                keep = None if is_readable(self) else old
                new = create_version(self.client, self.index)
                try:
                    with self._writing(new, lock) as writer:
                        yield writer
                    point_alias(self.client, self.index, new, replaces=old)
                except BaseException:
                    if current_version(self.client, self.index) != new:
                        self.client.indices.delete(index=new, ignore_unavailable=True)
                    raise
                finally:
                    self._manifest = None
                remove_versions_before(self.client, self.index, new, keep=keep)

    @contextmanager
    def _writing(self, index: str, lock: HeldLock) -> Iterator[ElasticsearchWriter]:
        stored: Stored = read_manifest(self.client, index)
        bulk = BulkLoader(self.client, index, url=self.url, patience=self.bulk_patience, check=lock.require)
        writer = ElasticsearchWriter(self.client, index, stored, bulk=bulk, lock=lock, on_commit=self._forget_manifest)
        try:
            yield writer
            writer.commit()
        except BaseException:
            writer.rollback()
            raise

    def _forget_manifest(self) -> None:
        self._manifest = None

    def close(self) -> None:
        """See `EvidenceStore.close`."""
        with self._mutex:
            if self._client is not None:
                self._client.close()
            self._client = self._manifest = None
