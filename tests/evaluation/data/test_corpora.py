import json

import pytest

from core.errors import InputError, StoreError, StoreLockedError
from core.settings import Settings
from evaluation.data import corpora
from evaluation.data.corpora import index_corpus
from evaluation.tasks.retrieval.ranking import ArticleRanker
from evaluation.tasks.retrieval.run import RetrievalOptions, evaluate_retrieval

ROWS = [
    {"_id": "a", "title": "Bridge", "text": "The mayor opened it in May."},
    {"_id": "b", "title": "Ferry", "text": ""},
    {"id": "c", "url": "https://news.example/caf\u00e9", "headline": "Cafe", "body": "It closed."},
    {"id": "d", "url": "https://news.example/cafe\u0301", "headline": "Cafe", "body": "It opened again."},
]
"""The last two are one article: their addresses differ in how the accent is written."""


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path / "var", retriever="bm25")


def indexed(corpus, settings):
    found = index_corpus(corpus, settings)
    held = found.store.counts(by_month=False).articles
    found.store.close()
    return held, found.articles


def test_a_second_evaluation_does_not_touch_what_the_first_is_indexing(corpus, settings, monkeypatch):
    run_index = corpora.run_index

    def meanwhile(*args, **options):
        with pytest.raises(StoreLockedError):
            index_corpus(corpus, settings)
        return run_index(*args, **options)

    monkeypatch.setattr(corpora, "run_index", meanwhile)
    assert indexed(corpus, settings) == (3, 3)


def test_a_document_with_the_address_of_another_is_told(corpus, settings):
    (corpus.parent / "queries.jsonl").write_text('{"_id": "q", "text": "Did the cafe close?"}\n')
    (corpus.parent / "qrels").mkdir()
    (corpus.parent / "qrels" / "test.tsv").write_text("q\tc\t1\nq\td\t1\nq\tx\t1\n")
    for _ in range(2):  # indexed, and found indexed
        _, report = evaluate_retrieval(corpus.parent, settings, RetrievalOptions())
        assert report.notes[:2] == (
            "1 relevant documents are not in the corpus and cannot be found: x",
            "1 relevant documents have the address (url) of another document of the corpus and cannot be found: c",
        )


def test_an_index_that_lacks_documents_is_not_taken_for_ready(corpus, settings, monkeypatch):
    run_index = corpora.run_index

    def cut_short(*args, articles, **options):
        articles.write_bytes(articles.read_bytes().splitlines(keepends=True)[0])
        return run_index(*args, articles=articles, **options)

    with monkeypatch.context() as patched:
        patched.setattr(corpora, "run_index", cut_short)
        with pytest.raises(StoreError, match="holds 1 of 3 documents"):
            index_corpus(corpus, settings)
    assert indexed(corpus, settings) == (3, 3)


@pytest.mark.parametrize("content", ["", '{"names": {"a": ', "{}", "[1]"])
def test_a_half_written_note_is_made_again(corpus, settings, content):
    assert indexed(corpus, settings) == (3, 3)
    (note,) = (settings.data_dir / "evaluation").glob("*/ready.json")
    whole = note.read_bytes()
    note.write_text(content)
    assert indexed(corpus, settings) == (3, 3)
    assert note.read_bytes() == whole


def test_rankings_that_are_cut_short_are_told(corpus, settings):
    (corpus.parent / "queries.jsonl").write_text('{"_id": "q", "text": "Did the cafe close?"}\n')
    (corpus.parent / "qrels").mkdir()
    (corpus.parent / "qrels" / "test.tsv").write_text("q\td\t1\n")
    notes = [evaluate_retrieval(corpus.parent, settings, RetrievalOptions(depth=n))[1].notes for n in (20, 100)]
    assert notes[0][0].startswith("20 articles are ranked for each query")
    assert not any("articles are ranked" in note for note in notes[1])


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"url": "https://[news.example/x"}, r"url is 'https://\[news"),
        ({"published_at": "yesterday"}, "published_at is 'yesterday', which is not a date"),
    ],
)
def test_a_document_that_cannot_be_indexed_is_named_by_its_line_in_the_corpus(corpus, settings, fields, problem):
    row = {"id": "e", "url": "https://news.example/x", "headline": "h", "body": "b"} | fields
    corpus.write_text(corpus.read_text() + "\n" + json.dumps(row))
    with pytest.raises(InputError, match=problem) as caught:
        index_corpus(corpus, settings)
    assert caught.value.message.startswith(f"{corpus}, line 6: ")


def test_as_many_articles_are_ranked_as_are_wanted_where_a_few_long_ones_come_first(tmp_path, settings):
    body = " ".join(
        f"The flood reached mark {number} at the bridge, the mayor of the town said." for number in range(400)
    )
    rows = [{"_id": f"long{number}", "title": "Flood", "text": f"{body} {number}"} for number in range(3)]
    rows += [
        {"_id": f"short{number}", "title": "Town", "text": f"Flood aid came to street {number}."} for number in range(6)
    ]
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    indexed = index_corpus(corpus, settings)
    ranker = ArticleRanker("bm25", settings=indexed.settings, store=indexed.store, names=indexed.names)
    found = ranker.rank("flood mark bridge mayor town", top_k=8)
    indexed.store.close()
    assert len({one.id for one in found}) == 8
