"""`looksy search`: passages as a retriever ranks them."""

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from core.words import TERM
from service.cli import common
from service.cli.output import Output, print_json

if TYPE_CHECKING:
    from haystack import Document

_SHORTEST_WORD = 3
_SHOWN_CHARS = 400


def search(
    text: Annotated[str, typer.Argument(help="A question, a statement or words to look for.")],
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=1000, help="Passages to show.")] = 10,
    retriever: Annotated[
        str | None,
        typer.Option("--retriever", help="bm25, tfidf, embedding or hybrid.", show_default="the setting retriever"),
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="Only what was published and first seen by this day or time.")
    ] = None,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Show the passages that match best."""
    from core.requests import parse_request
    from indexing.stores.open import open_store
    from pipelines.query.coverage import fit_request
    from pipelines.retrieval.choose_retriever import make_retriever

    request = parse_request({"text": text, "as_of": as_of or None})
    settings = common.make_settings(
        data_dir=data_dir, profile=profile, store=store, assignments=assignments, retriever=retriever
    )
    opened = open_store(settings)
    try:
        _, notices = fit_request(request, opened.counts(by_month=False))
        chosen = make_retriever(settings.retriever, opened, settings)
        found = chosen.run(request.text, top_k=top_k, as_of=request.as_of)["documents"]
    finally:
        opened.close()
    if as_json:
        print_json({"hits": [_hit(document) for document in found]})
    else:
        _print_hits(found, request.text)
    for notice in notices:
        typer.echo(notice.message, err=True)


def _hit(document: "Document") -> dict[str, Any]:
    meta = document.meta
    about = {name: meta.get(name) for name in ("article_id", "headline", "source", "published_at", "start", "end")}
    return {
        "url": meta.get("url"),
        "passage_id": document.id,
        "score": document.score,
        "text": document.content,
        **about,
    }


def _print_hits(found: "list[Document]", query: str) -> None:
    console = Output()
    if not found:
        console.print("Nothing matches.")
    words = [re.escape(word) for word in TERM.findall(query) if len(word) >= _SHORTEST_WORD]
    for rank, document in enumerate(found, start=1):
        published = str(document.meta.get("published_at") or "undated")[:10]
        title = Text(f"{rank:3d}. {document.meta.get('headline') or document.id}", style="bold")
        place = Text(
            f"     {published}  score {document.score or 0:.3f}  {document.meta.get('url') or ''}", style="dim"
        )
        content = document.content or ""
        passage = Text(content[:_SHOWN_CHARS] + ("…" if len(content) > _SHOWN_CHARS else ""))
        if words:
            passage.highlight_regex(rf"(?i)\b(?:{'|'.join(words)})", style="bold yellow")
        console.print(title, place, passage, "", sep="\n", soft_wrap=True)
