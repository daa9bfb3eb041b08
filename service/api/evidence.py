"""What the index holds: passages by search, articles with their revisions, coverage by source and month."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request

from core.errors import NotFoundError
from core.requests import check_text, parse_request
from core.types import Article, Filters, Model
from core.types import Request as Asked
from indexing.stores.contract import StoreCounts
from pipelines.query.coverage import fit_request, fitting_counts
from pipelines.query.search_filters import haystack_filters
from service.api.app_state import AppState, state_of
from service.api.responses import ERRORS
from service.auth.access import Requirement
from service.auth.keys import Scope

MAX_NAMES = 20
Text = Annotated[str, Query(max_length=2000, description="Words to look for.", examples=["measles Samoa"])]
Day = Annotated[str | None, Query(max_length=40, description="A day or an ISO 8601 time.", examples=["2020-01-31"])]
Names = Annotated[list[str], Query(max_length=MAX_NAMES)]


class Found(Model):
    """One passage that a search found."""

    passage_id: str
    article_id: str
    score: float | None
    text: str
    start: int
    end: int
    headline: str
    url: str
    source: str
    section: str | None
    published_at: str | None


class ArticleBody(Model):
    """An article as it is now, and as it was."""

    article: Article
    revisions: tuple[Article, ...]
    """All revisions, oldest first; the last one is `article`."""


class SourcesBody(Model):
    """What the index covers."""

    snapshot_id: str
    counts: StoreCounts


def evidence_router() -> APIRouter:
    """Make the routes."""
    router = APIRouter(
        prefix="/v1", tags=["evidence"], dependencies=[Depends(Requirement(Scope.READ))], responses=ERRORS
    )

    @router.get("/search", summary="Passages that match best, by keyword")
    async def search(
        request: Request,
        q: Text,
        top_k: Annotated[int, Query(ge=1, le=100)] = 10,
        published_from: Day = None,
        published_to: Day = None,
        as_of: Day = None,
        source: Names = [],  # noqa: B006 - FastAPI copies it
        section: Names = [],  # noqa: B006 - as above
    ) -> list[Found]:
        filters = {"published_from": published_from, "published_to": published_to} | {
            "sources": source,
            "sections": section,
        }
        query = parse_request({"text": check_text(q, field="q"), "as_of": as_of, "filters": filters})
        state = state_of(request)
        return await state.reads.do(lambda _: _search(state, query, top_k=top_k))

    @router.get("/articles/{article_id}", summary="An article with its revisions")
    async def get_article(request: Request, article_id: str) -> ArticleBody:
        state = state_of(request)
        return await state.reads.do(lambda _: find_article(state, article_id))

    @router.get("/sources", summary="Coverage by source and month")
    async def get_sources(request: Request) -> SourcesBody:
        state = state_of(request)
        return await state.reads.do(lambda _: sources(state))

    return router


def _search(state: AppState, query: Asked, *, top_k: int) -> list[Found]:
    store = state.store.get()
    if query.filters != Filters():
        query, _ = fit_request(query, fitting_counts(store, query))
    filters = haystack_filters(query.filters)
    found = store.keyword_search(query.text, top_k=top_k, filters=filters, as_of=query.as_of)
    return [_found(document.id, document.score, document.content or "", document.meta) for document in found]


def find_article(state: AppState, article_id: str) -> ArticleBody:
    """
    Return an article with its revisions.

    :raises NotFoundError: If the index does not hold it.
    """
    revisions = state.store.get().get_revisions(article_id)
    if not revisions:
        raise NotFoundError("the archive holds no such article", field="article_id", hint="GET /v1/search finds them.")
    return ArticleBody(article=revisions[-1], revisions=tuple(revisions))


def sources(state: AppState) -> SourcesBody:
    """Return what the index covers."""
    store = state.store.get()
    return SourcesBody(snapshot_id=store.snapshot_id(), counts=store.counts())


def _found(passage_id: str, score: float | None, text: str, meta: dict[str, Any]) -> Found:
    names = ("article_id", "start", "end", "headline", "url", "source")
    return Found(
        passage_id=passage_id,
        score=score,
        text=text,
        section=meta.get("section"),
        published_at=meta.get("published_at"),
        **{name: meta[name] for name in names},
    )
