"""Daily updates do not let the index grow without bound; filters and graphs find what a full comparison finds."""

from dataclasses import replace

import numpy as np
import pytest
from haystack import Document

from indexing.documents import article_documents
from indexing.stores.embedded import compaction, vectors, view
from indexing.stores.embedded.compaction import deleted_rows
from indexing.stores.embedded.store import EmbeddedStore
from tests.sample_articles import DAY, START, make_article


def unit_rows(count, dimension=24, seed=3):
    rows = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def vector_documents(rows, first=0):
    return [
        Document(
            id=f"d{first + n:05d}",
            content=f"text {first + n}",
            meta={"source": f"s{(first + n) % 50}"},
            embedding=row.tolist(),
        )
        for n, row in enumerate(rows)
    ]


@pytest.fixture
def store(tmp_path):
    store = EmbeddedStore(tmp_path / "index")
    yield store
    store.close()


def update_daily(store, *, days, articles):
    for day in range(days):
        with store.writer() as writer:
            writer.use_embedder("e")
            for number in range(articles):
                article = make_article(f"n{number}")
                if day:
                    writer.delete(article.article_id)
                (document,) = article_documents(article)
                writer.put(article, [replace(document, embedding=[1.0, number, day])])


def test_daily_updates_leave_no_more_dead_rows_than_live_ones(store, monkeypatch):
    monkeypatch.setattr(compaction, "FEWEST_DEAD", 20)
    monkeypatch.setattr(compaction, "ROWS_PER_COMMIT", 7)
    articles = 15
    sizes = []
    for _ in range(6):
        update_daily(store, days=2, articles=articles)
        sizes.append(store.counts().bytes_on_disk)
        opened = store.view()
        assert deleted_rows(opened.folder) <= max(20, articles)
        assert opened.vectors.total - articles <= max(20, articles)
    assert store.counts().articles == articles
    assert max(sizes[1:]) < 2.5 * sizes[0]
    assert len(store.vector_search([1.0, 3.0, 1.0], top_k=99)) == articles


def test_compaction_keeps_content_revisions_and_snapshot(store, monkeypatch):
    with store.writer() as writer:
        for body in ("One.", "Two."):
            article = make_article("a", body=body, first_seen_at=START + (DAY if body == "Two." else 0 * DAY))
            writer.put(article, article_documents(article))
        for number in range(10):
            doomed = make_article(f"n{number}")
            writer.put(doomed, article_documents(doomed))
    with store.writer() as writer:
        for number in range(10):
            writer.delete(make_article(f"n{number}").article_id)
    before, folder = store.snapshot_id(), store.view().folder
    monkeypatch.setattr(compaction, "FEWEST_DEAD", 1)
    with store.writer():
        pass
    assert store.view().folder != folder
    assert not folder.exists()
    assert store.snapshot_id() == before
    assert [revision.body for revision in store.get_revisions(make_article("a").article_id)] == ["One.", "Two."]


def test_the_files_of_many_commits_are_few(store):
    rows = unit_rows(60)
    for number, row in enumerate(rows):
        store.write_documents(vector_documents([row], first=number))
    opened = store.view()
    assert len(opened.manifest.vector_files) <= 6
    np.testing.assert_allclose([opened.vectors.get(key) for key in range(60)], rows, rtol=1e-6)


def test_a_graph_finds_nearly_what_a_full_comparison_finds(store, monkeypatch):
    monkeypatch.setattr(vectors, "GRAPH_FROM", 1000)
    rows = unit_rows(3000)
    for first in range(0, 3000, 500):
        store.write_documents(vector_documents(rows[first : first + 500], first=first))
    graph = store.view().manifest.graph
    assert graph is not None
    assert graph.count >= 2000
    hits = 0
    for query in unit_rows(50, seed=9):
        exact = {f"d{n:05d}" for n in np.argsort(-rows @ query)[:10]}
        hits += len(exact & {d.id for d in store.vector_search(query.tolist(), top_k=10)})
    assert hits / 500 >= 0.95


@pytest.mark.parametrize("exact_rows", [0, 20_000])
def test_a_filter_finds_all_of_its_rows_with_and_without_a_graph(store, monkeypatch, exact_rows):
    monkeypatch.setattr(vectors, "GRAPH_FROM", 1000)
    monkeypatch.setattr(view, "EXACT_ROWS", exact_rows)
    rows = unit_rows(2000)
    store.write_documents(vector_documents(rows))
    query = unit_rows(1, seed=5)[0]
    only = {"field": "meta.source", "operator": "==", "value": "s7"}
    allowed = [n for n in range(2000) if n % 50 == 7]
    expected = sorted(allowed, key=lambda n: -float(rows[n] @ query))[:5]
    found = store.vector_search(query.tolist(), top_k=5, filters=only)
    assert [d.id for d in found] == [f"d{n:05d}" for n in expected]


def test_vectors_of_any_length_come_back_and_rank_by_angle(store):
    documents = vector_documents([np.array(v, dtype=np.float32) for v in ([9.0, 0.0], [0.1, 0.1], [0.0, 0.0])])
    store.write_documents(documents)
    found = store.vector_search([1.0, 0.9], top_k=3)
    assert [d.id for d in found] == ["d00001", "d00000", "d00002"]
    np.testing.assert_allclose([d.embedding for d in store.filter_documents()], [[9, 0], [0.1, 0.1], [0, 0]], rtol=1e-6)
