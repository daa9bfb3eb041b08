"""Articles into a store's writer: what one machine does, and what each worker of a cluster does with its part."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from haystack import Document
from pydantic import Field

from core.types import Article, Model
from indexing.documents import article_documents, embed_documents
from indexing.embedders import Embedder
from indexing.stores.contract import ArticleWriter, PutOutcome, StoreWriter


class Loaded(Model):
    """What became of some articles."""

    outcomes: dict[PutOutcome, int] = Field(default_factory=dict)
    gone: int = 0
    """Marked as gone."""
    passages: int = 0
    """Of new and changed articles."""
    embedded: int = 0
    """Passages that a vector was made of."""

    def __add__(self, other: "Loaded") -> "Loaded":
        return Loaded(
            outcomes=dict(Counter(self.outcomes) + Counter(other.outcomes)),
            gone=self.gone + other.gone,
            passages=self.passages + other.passages,
            embedded=self.embedded + other.embedded,
        )

    @property
    def articles(self) -> int:
        """How many there were."""
        return sum(self.outcomes.values())


class Loader(Protocol):
    """How an index job gets a batch of articles into the store."""

    batch_articles: int
    """How many the job hands over at one time."""
    commits_each_batch: bool
    """Whether the job commits after each batch; if not, it commits when it is due."""

    def load(self, writer: StoreWriter, articles: list[Article]) -> Iterator[Loaded]:
        """Put articles, and say what became of them, in as many parts as they were put in."""
        ...


class LocalLoader:
    """
    Loads in this process.

    :param embedder: None: no vectors.
    """

    commits_each_batch = False

    def __init__(self, embedder: Embedder | None, *, batch_articles: int) -> None:
        self.batch_articles = batch_articles
        self._embedder = embedder

    def load(self, writer: StoreWriter, articles: list[Article]) -> Iterator[Loaded]:
        """See `Loader.load`."""
        yield load_articles(writer, articles, embedder=self._embedder)


def load_articles(writer: ArticleWriter, articles: Sequence[Article], *, embedder: Embedder | None) -> Loaded:
    """
    Put articles; only those that are new or changed are cut into passages and embedded.

    :param embedder: None: no vectors.
    """
    documents = _documents(writer, articles)
    embedded = sum(map(len, documents)) if embedder is not None else 0
    if embedder is not None:
        documents = embed_documents(embedder, documents)
    outcomes: Counter[PutOutcome] = Counter()
    gone = passages = 0
    for article, pieces in zip(articles, documents, strict=True):
        outcome = writer.put(article, pieces)
        outcomes[outcome] += 1
        if outcome in {PutOutcome.NEW, PutOutcome.CHANGED}:
            passages += len(pieces)
        gone += _mark_gone(writer, article)
    return Loaded(outcomes=dict(outcomes), gone=gone, passages=passages, embedded=embedded)


def _mark_gone(writer: ArticleWriter, article: Article) -> bool:
    """Mark an article whose page was found to be gone, unless it came back with a revision of its own since."""
    if article.gone_at is None:
        return False
    current = writer.current([article.article_id]).get(article.article_id)
    if current is None or current.content_hash != article.content_hash or current.first_seen_at > article.gone_at:
        return False
    return writer.mark_gone(article.article_id, gone_at=article.gone_at)


def _documents(writer: ArticleWriter, articles: Sequence[Article]) -> list[list[Document]]:
    """Return the passages of each article; of one that is there with the same text, none."""
    known = writer.current(article.article_id for article in articles)
    times = Counter(article.article_id for article in articles)

    def is_known(article: Article) -> bool:
        """An article that comes twice may be another one when its turn comes."""
        found = known.get(article.article_id)
        return found is not None and found.content_hash == article.content_hash and times[article.article_id] == 1

    return [[] if is_known(article) else article_documents(article) for article in articles]
