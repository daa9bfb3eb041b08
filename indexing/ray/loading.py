"""Embedding and bulk loading on a cluster: workers write parts of a commit, and the index job commits them."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any
from zlib import crc32

from core.errors import ConfigError
from core.settings import Settings
from core.types import Article, Model
from indexing.embedders import Embedder, open_embedder
from indexing.job import COMMIT_ARTICLES, Spread
from indexing.loading import Loaded, load_articles
from indexing.ray.session import Cluster, connect, portable, worker_settings
from indexing.stores.contract import StoreWriter

ARTICLES_PER_CORE = 500
"""Between two commits: about a minute of embedding, which is what a driver that dies can lose."""
PART_ARTICLES = 32


class Part(Model):
    """What one worker loads at one time."""

    articles: tuple[Article, ...]


@contextmanager
def on_cluster(settings: Settings, address: str) -> Iterator[Spread]:
    """
    Connect to a cluster for an index job.

    :param address: See `indexing.ray.session.connect`.
    :raises ConfigError: If the store is not one that several machines can write to, or Ray is not installed.
    :raises UnavailableError: If there is no cluster at the address.
    """
    if not settings.store_url:
        raise ConfigError(
            "--ray needs an index that several machines can write to; the embedded store is of one machine",
            field="ray",
            hint="Give the address of Elasticsearch with --store URL, or index without --ray.",
        )
    with connect(address) as cluster:
        yield lambda embedder: RayLoader(cluster, settings, vectors=embedder is not None)


class RayLoader:
    """
    The `Loader` of a cluster. Each batch is one commit: its parts are written by workers and absorbed here.

    :param settings: Name the store and the embedder; workers open both for themselves.
    :param vectors: Whether to embed.
    """

    commits_each_batch = True

    def __init__(self, cluster: Cluster, settings: Settings, *, vectors: bool) -> None:
        self.batch_articles = min(COMMIT_ARTICLES, ARTICLES_PER_CORE * cluster.cores)
        self._cluster = cluster
        self._settings = portable(settings)
        self._vectors = vectors

    def load(self, writer: StoreWriter, articles: list[Article]) -> Iterator[Loaded]:
        """See `Loader.load`; each part that a worker has finished is told of."""
        from indexing.stores.elasticsearch.part import Receipt
        from indexing.stores.elasticsearch.writer import ElasticsearchWriter

        if not isinstance(writer, ElasticsearchWriter):
            raise TypeError(f"{type(writer).__name__} cannot be written to by several processes")
        work = load_work(self._settings, writer.ticket().model_dump_json(), vectors=self._vectors)
        for reply in self._cluster.spread(parts_of(articles), work):
            receipt, loaded = json.loads(reply)
            writer.absorb(Receipt.model_validate(receipt))
            yield Loaded.model_validate(loaded)


def load_work(settings: dict[str, Any], ticket: str, *, vectors: bool) -> Callable[[bytes], bytes]:
    """Return the function that a worker runs on each part."""
    return partial(_load_part, json.dumps(settings, sort_keys=True), ticket, vectors)


def parts_of(articles: list[Article]) -> list[bytes]:
    """Cut articles into parts so that all that has the same id is in one part, in order."""
    count = -(-len(articles) // PART_ARTICLES)
    groups: list[list[Article]] = [[] for _ in range(count)]
    for article in articles:
        groups[crc32(article.article_id.encode()) % count].append(article)
    return [Part(articles=tuple(group)).model_dump_json().encode() for group in groups if group]


def _load_part(settings: str, ticket: str, vectors: bool, part: bytes) -> bytes:
    """Load one part, and return receipt and counts."""
    from indexing.stores.elasticsearch.part import Ticket, write_part

    store = _store(settings)
    embedder = _embedder(settings) if vectors else None
    articles = Part.model_validate_json(part).articles
    with write_part(store.client, Ticket.model_validate_json(ticket), url=store.url) as writer:
        if embedder is not None:
            writer.use_embedder(embedder.identity)
        loaded = load_articles(writer, articles, embedder=embedder)
        receipt = writer.finish()
    return json.dumps([receipt.model_dump(mode="json"), loaded.model_dump(mode="json")]).encode()


@cache
def _store(settings: str) -> Any:
    """Connect to the store once in each worker process."""
    from indexing.stores.elasticsearch.open import connect_elasticsearch

    return connect_elasticsearch(worker_settings(json.loads(settings)))


@cache
def _embedder(settings: str) -> Embedder:
    """Load the model once in each worker process."""
    return open_embedder(worker_settings(json.loads(settings)))
