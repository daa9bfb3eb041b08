"""Searches of other engines in the run record, so that an investigation can be replayed without asking them again."""

import json
import time

from core.errors import UnavailableError
from core.types import Article, Failure, ModelCall
from pipelines.runs.context import current_replies, log_call
from pipelines.systems.agent.backends.contract import Backend, Found, Search, document_of

_MILLISECONDS = 1000.0


def searched_before(backend: Backend, search: Search) -> Found:
    """
    Search; an engine that is not our store is asked through the record.

    :raises UnavailableError: If it fails, or failed when it was recorded.
    """
    if backend.name == "store":
        return backend.search(search)
    messages = ({"role": "user", "content": search.model_dump_json()},)
    recorded = current_replies()
    if recorded is not None:
        call = recorded.take("search", backend.name, messages)
        log_call(call)
        if call.reply is None:
            why = call.failure or Failure(code=UnavailableError.code, message="the search failed then")
            raise UnavailableError(why.message, field=why.field or "search_backend", hint=why.hint)
        return _read(call.reply)
    started = time.perf_counter()
    found, error = None, None
    try:
        found = backend.search(search)
    except UnavailableError as raised:
        error = raised
    call = ModelCall(
        purpose="search",
        generator=backend.name,
        messages=messages,
        reply=None if found is None else _write(found),
        failure=Failure(code=error.code, message=error.message, field=error.field, hint=error.hint) if error else None,
        duration_ms=(time.perf_counter() - started) * _MILLISECONDS,
    )
    log_call(call)
    if found is None:
        assert error is not None  # noqa: S101 - one of both is there
        raise error
    return found


def _write(found: Found) -> str:
    articles = [found.articles[one.id].model_dump(mode="json") for one in found.documents]
    return json.dumps({"articles": articles, "left_out": found.left_out}, ensure_ascii=False)


def _read(text: str) -> Found:
    data = json.loads(text)
    articles = [Article.model_validate(one) for one in data["articles"]]
    documents = tuple(document_of(one) for one in articles)
    return Found(
        documents=documents,
        articles={document.id: article for document, article in zip(documents, articles, strict=True)},
        left_out=data["left_out"],
    )
