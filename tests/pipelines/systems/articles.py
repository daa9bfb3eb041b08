"""A small store of made articles, for the systems' tests."""

from datetime import UTC, datetime

from core.settings import load_settings
from core.types import Article
from indexing.documents import article_documents
from indexing.stores.open import open_store
from pipelines.engine import Engine
from tests.sample_articles import make_article


def open_engine(folder, articles, **flags) -> Engine:
    """Make an index of the articles, and an engine on it."""
    settings = load_settings({"data_dir": folder, "threads": 2} | flags, environment={})
    fill(settings, articles)
    return Engine(settings)


def fill(settings, articles) -> None:
    store = open_store(settings, must_exist=False)
    with store.writer() as writer:
        for article in articles:
            writer.put(article, article_documents(article))
    store.close()


def news(name, headline, body, *, day=1, source="Harbour Post", **fields) -> Article:
    return make_article(
        name, headline=headline, body=body, source=source, published_at=datetime(2021, 5, day, tzinfo=UTC), **fields
    )


BRIDGE = (
    news(
        "bridge",
        "Osterholm bridge reopens after repairs",
        "The Osterholm bridge reopened to lorries on Monday. "
        "The repairs of the Osterholm bridge cost 48 million crowns, the city treasurer Anna Berg said. "
        "Workers replaced 212 bearings during eleven weeks of repairs.\n\n"
        "Mayor Otto Grimm thanked the drivers of Osterholm for their patience.",
    ),
    news(
        "budget",
        "Osterholm council approves bridge bill",
        "The council of Osterholm approved the final bill for the bridge on Thursday. It came to 48 million crowns for "
        "the Osterholm bridge repairs, less than the 50 million crowns that had been set aside.",
        day=6,
        source="Valley Times",
    ),
    news("cup", "Harrow Fen wins the cup", "Harrow Fen won the football cup on Sunday. They beat Lisk by two goals."),
)
