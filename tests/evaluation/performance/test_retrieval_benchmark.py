from itertools import islice

import pytest

from evaluation.performance.corpus import make_articles, make_questions, sentences_of
from evaluation.performance.engine_measurement import Task, measure_index, measure_search
from evaluation.performance.engines import ENGINES, load_engine
from evaluation.performance.retrieval import main, overlap
from indexing.documents import article_documents


def test_the_corpus_is_the_same_every_time_and_its_vocabulary_grows():
    sentences = sentences_of()
    first, again = (list(make_articles(sentences, passages=500)) for _ in range(2))
    assert first == again
    assert len(first) == 100
    few = {word for article in first[:50] for word in article.body.split()}
    many = {word for article in first for word in article.body.split()}
    assert len(many) > 1.2 * len(few)
    words = [len(document.content.split()) for article in first for document in article_documents(article)]
    assert 150 < sum(words) / len(words) < 230


def test_questions_are_made_of_an_articles_words():
    articles = list(islice(make_articles(sentences_of(), passages=50), 10))
    for question in make_questions(articles, count=20):
        (article,) = [article for article in articles if article.article_id == question.article_id]
        assert question.text.endswith("?")
        assert question.text.split()[6] in article.body


@pytest.mark.parametrize("name", [name for name in ENGINES if name != "elasticsearch"])
def test_every_engine_finds_what_it_has_indexed(tmp_path, name):
    if name == "bm25s":
        pytest.importorskip("bm25s", reason="bm25s is not installed: pip install 'looksy[evaluation]'")
    task = Task(engine=name, passages=100, folder=tmp_path, articles=None, questions=10)
    engine, index = measure_index(task)
    search = measure_search(task, None if load_engine(name).on_disk else engine)
    assert 95 <= index.passages <= 105
    assert len(search.top) == 10
    assert index.seconds > 0
    assert search.rr > 0.4
    assert search.plain.p50 <= search.plain.p95 <= search.plain.p99
    assert search.resident_mb > 10


def test_overlap_is_the_share_of_common_ids():
    assert overlap([["a", "b"], [], ["c"]], [["b", "a"], [], ["d"]]) == 0.5
    assert overlap([["a", "b", "c", "d"]], [["a"]]) == 0.25


def test_the_command_prints_a_table_and_names_what_did_not_run(capsys, monkeypatch):
    monkeypatch.delenv("ELASTICSEARCH_URL", raising=False)
    code = main(["--sizes", "100", "--engines", "looksy", "elasticsearch", "--questions", "5"])
    printed = capsys.readouterr().out
    assert code == 0
    assert "NOT RUN  elasticsearch: ELASTICSEARCH_URL names no server" in printed
    assert "100 passages" in printed
