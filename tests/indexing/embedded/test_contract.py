"""The embedded store keeps the contract."""

from datetime import UTC, datetime

import pytest

from indexing.stores.embedded import coverage
from indexing.stores.embedded.store import EmbeddedStore
from tests.sample_articles import make_article
from tests.store_contract import EvidenceStoreContract, put_all


class TestEmbeddedStore(EvidenceStoreContract):
    @pytest.fixture
    def document_store(self, tmp_path):
        store = EmbeddedStore(tmp_path / "index")
        with store.writer():
            pass
        yield store
        store.close()

    def test_months_are_counted_however_many_buckets_they_are(self, document_store, monkeypatch):
        put_all(document_store, *articles_of_sources(9))
        (asked, expected), most = buckets_of_counts(document_store), 12
        assert max(asked) > most
        monkeypatch.setattr(coverage, "MOST_BUCKETS", most)
        asked, counts = buckets_of_counts(document_store)
        assert max(asked) <= most
        assert counts == expected
        assert [(s.source, s.articles, len(s.by_month)) for s in counts.sources] == [
            (f"s{n}", n + 1, min(n + 1, 5)) for n in range(9)
        ]
        asked, _ = buckets_of_counts(document_store, by_month=False)
        assert asked == [9, 0]  # sources, and when the first article was seen


def articles_of_sources(count):
    """Make articles of sources that have one article more each, in up to five months."""
    return [
        make_article(f"{source}-{n}", source=f"s{source}", published_at=datetime(2020, 1 + n % 5, 1, tzinfo=UTC))
        for source in range(count)
        for n in range(source + 1)
    ]


def buckets_of_counts(store, **options):
    """Return how many buckets each aggregation of the counts had, and the counts."""
    view = store.view()
    searcher, asked = view.searcher, []

    class Watched:
        def __getattr__(self, name):
            return getattr(searcher, name)

        def aggregate(self, query, aggregations):
            found = searcher.aggregate(query, aggregations)
            asked.append(count_buckets(found))
            return found

    view.searcher = Watched()
    try:
        return asked, store.counts(**options)
    finally:
        view.searcher = searcher


def count_buckets(found):
    buckets = [bucket for part in found.values() if isinstance(part, dict) for bucket in part.get("buckets", ())]
    return len(buckets) + sum(map(count_buckets, buckets))
