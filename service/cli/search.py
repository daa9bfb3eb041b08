"""`looksy search`: passages as a retriever ranks them."""

from typing import Annotated

import typer

from service.cli import common
from service.cli.output import print_json, print_table


def search(
    text: Annotated[str, typer.Argument(help="Words to look for.")],
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=100, help="Passages to show.")] = 10,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Show the passages that match best, by keyword."""
    from core.requests import check_text
    from indexing.stores.open import open_store

    query = check_text(text)
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)
    opened = open_store(settings)
    try:
        found = opened.keyword_search(query, top_k=top_k)
    finally:
        opened.close()
    if as_json:
        print_json(
            [
                {"passage_id": document.id, "score": document.score, "text": document.content} | document.meta
                for document in found
            ]
        )
        return
    print_table(
        ("score", "published", "headline", "passage"),
        [
            (
                f"{document.score or 0:.2f}",
                str(document.meta.get("published_at") or "")[:10],
                document.meta["headline"],
                (document.content or "")[:160],
            )
            for document in found
        ],
    )
