"""A small index whose articles change, and an asker that reads it."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from core.errors import UnavailableError
from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import (
    Article,
    QueryKind,
    Quote,
    Reference,
    Relation,
    Request,
    Result,
    Retrieved,
    RunRecord,
    Searched,
    Status,
    Verdict,
)
from core.urls import article_id, content_hash
from indexing.documents import article_documents
from indexing.stores.contract import EvidenceStore
from indexing.stores.open import open_store
from pipelines.query.search_filters import haystack_filters

CLAIM = "The dam at Elm Creek holds 40 million litres."
SUPPORT = "The dam at Elm Creek holds 40 million litres, engineers said."
REFUTE = "The dam at Elm Creek does not hold 40 million litres, the ministry said."
HEADLINE = "Elm Creek dam opens"
SECOND = "A second paragraph on the weather in the valley of the river."
BODY = f"{SUPPORT}\n\n{SECOND}"


def make_article(name: str, body: str, *, headline: str = HEADLINE, day: int = 1, **fields: object) -> Article:
    """Return an article of `news.example`."""
    url = f"https://news.example/{name}"
    made = {
        "article_id": article_id(url),
        "url": url,
        "headline": headline,
        "body": body,
        "published_at": datetime(2026, 1, day, tzinfo=UTC),
        "first_seen_at": datetime(2026, 1, day, tzinfo=UTC),
        "source": "Example News",
        "content_hash": content_hash(headline, body),
    }
    return Article.model_validate(made | fields)


class Index:
    """An embedded index that tests write to."""

    def __init__(self, settings: Settings) -> None:
        self.store: EvidenceStore = open_store(settings, must_exist=False)

    def put(self, *articles: Article) -> None:
        with self.store.writer() as writer:
            for one in articles:
                writer.put(one, article_documents(one))

    def mark_gone(self, name: str) -> None:
        with self.store.writer() as writer:
            gone_at = datetime.now(UTC) + timedelta(seconds=1)
            assert writer.mark_gone(article_id(f"https://news.example/{name}"), gone_at=gone_at)


class ReadingAsker:
    """
    Says verified where an article holds SUPPORT, refuted where one holds REFUTE, conflicting where both are found.

    The rest of what the search finds is mentioned.
    """

    def __init__(self, store: EvidenceStore) -> None:
        self.store = store
        self.asked: list[Request] = []
        self.fails = False

    def run(self, system: str, request: Request, *, progress: Progress = ignore_progress) -> Result:
        self.asked.append(request)
        if self.fails:
            raise UnavailableError("the model server is down")
        hits = self.store.keyword_search(request.text, top_k=20, filters=haystack_filters(request.filters))
        articles = self.store.get_articles(str(hit.meta["article_id"]) for hit in hits)
        references = tuple(reference(number, one) for number, one in enumerate(articles.values(), start=1))
        found = {quote.relation for one in references for quote in one.quotes} - {Relation.MENTIONS}
        verdict = Verdict.CONFLICTING if len(found) > 1 else Verdict.UNVERIFIED
        if len(found) == 1:
            verdict = Verdict.VERIFIED if Relation.SUPPORTS in found else Verdict.REFUTED
        run_id, snapshot = uuid4().hex, self.store.snapshot_id()
        record = RunRecord(
            run_id=run_id,
            created_at=datetime.now(UTC),
            version="1",
            system=system,
            request=request,
            settings={},
            snapshot_id=snapshot,
            models={},
            pipeline_hash="p",
            retrieved=tuple(Retrieved(passage_id=hit.id, score=hit.score) for hit in hits),
        )
        return Result(
            system=system,
            request=request,
            kind=QueryKind.STATEMENT,
            status=Status.OK,
            verdict=verdict,
            answer="",
            references=references,
            searched=Searched(
                queries=(request.text,), articles=1, passages=1, sources=("Example News",), snapshot_id=snapshot
            ),
            run_id=run_id,
            run=record,
        )

    def warm_up(self) -> None:
        return

    def close(self) -> None:
        return


def reference(number: int, article: Article) -> Reference:
    relations = ((SUPPORT, Relation.SUPPORTS), (REFUTE, Relation.REFUTES))
    text, relation = next(((text, one) for text, one in relations if text in article.body), ("", Relation.MENTIONS))
    text = text or article.body.split(".")[0]
    start = article.body.index(text)
    quote = Quote(
        text=text,
        start=start,
        end=start + len(text),
        relation=relation,
        score=0.9,
        content_hash=article.content_hash,
        link=article.url,
    )
    return Reference(
        number=number,
        article_id=article.article_id,
        revision=article.revision,
        url=article.url,
        headline=article.headline,
        published_at=article.published_at,
        source=article.source,
        origin_id=article.origin_id or article.article_id,
        quotes=(quote,),
    )
