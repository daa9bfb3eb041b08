"""Which indexes get vectors without being asked, and which go on without."""

import pytest
from typer.testing import CliRunner

from core.errors import StoreVersionError
from core.progress import Stage
from core.settings import load_settings
from indexing import vectors
from indexing.stores.embedded.store import EmbeddedStore
from indexing.vectors import index_articles
from service.cli.main import app
from service.jobs.tasks import index_task
from tests.indexing.test_job import WordCountEmbedder, write
from tests.sample_articles import long_body, make_article


@pytest.fixture(autouse=True)
def embedder(monkeypatch):
    made = WordCountEmbedder()
    monkeypatch.setattr(vectors, "open_embedder", lambda _: made)
    return made


@pytest.fixture
def store(tmp_path):
    store = EmbeddedStore(tmp_path / "index")
    yield store
    store.close()


@pytest.fixture
def limit_of_one(monkeypatch):
    monkeypatch.setattr(vectors, "AUTO_PASSAGES", 1)


@pytest.fixture
def index(tmp_path, store):
    """Run the job, with a value of the setting `vectors`."""

    def run(setting="auto", *, more=None, **options):
        flags = {"data_dir": tmp_path, "vectors": setting} | (more or {})
        return index_articles(load_settings(flags, environment={}), store, **options)

    return run


def test_a_small_new_index_gets_vectors_and_shows_how_many(tmp_path, store, index):
    write(tmp_path, make_article("a"), make_article("b"))
    events = []
    assert index(progress=events.append).notice is None
    assert store.counts().embedder == "words-1"
    (embedding,) = [event for event in events if event.stage is Stage.EMBED]
    assert (embedding.done, embedding.unit) == (2, "passages")


def test_a_large_new_index_is_words_only_and_says_so_in_one_line(tmp_path, store, index, embedder, monkeypatch):
    monkeypatch.setattr(vectors, "AUTO_PASSAGES", 3)
    write(tmp_path, make_article("a", body=long_body()), make_article("b"))
    notice = index().notice
    assert "more than 3 passages" in notice
    assert "--vectors" in notice
    assert "\n" not in notice
    assert (store.counts().embedder, embedder.texts) == (None, 0)


def test_the_limit_itself_is_not_too_much(tmp_path, store, index, monkeypatch):
    monkeypatch.setattr(vectors, "AUTO_PASSAGES", 3)
    write(tmp_path, *(make_article(name) for name in "abc"))
    index()
    assert store.counts().embedder == "words-1"


def test_an_index_with_vectors_goes_on_having_them(tmp_path, store, index, monkeypatch):
    write(tmp_path, make_article("a"))
    index()
    monkeypatch.setattr(vectors, "AUTO_PASSAGES", 1)
    for name, setting in (("b", "auto"), ("c", "never")):
        write(tmp_path, make_article(name))
        assert index(setting).notice is None
    assert len(store.vector_search([1.0, 0.0, 0.0, 0.0], top_k=9)) == 3
    index(rebuild=True)
    assert store.counts().embedder == "words-1"


def test_an_index_without_goes_on_without_until_it_is_rebuilt(tmp_path, store, index):
    write(tmp_path, make_article("a"))
    index("never")
    write(tmp_path, make_article("b"))
    index()
    assert store.counts().embedder is None
    with pytest.raises(StoreVersionError) as caught:
        index(vectors=True)
    assert "--rebuild" in (caught.value.hint or "")
    index(rebuild=True)
    assert len(store.vector_search([1.0, 0.0, 0.0, 0.0], top_k=9)) == 2


def test_always_is_said_of_new_indexes_and_those_that_are_rebuilt(tmp_path, store, index):
    write(tmp_path, make_article("a"))
    index("never")
    write(tmp_path, make_article("b"))
    assert index("always").new == 1
    assert store.counts().embedder is None
    index("always", rebuild=True)
    assert store.counts().embedder == "words-1"


@pytest.mark.usefixtures("limit_of_one")
def test_always_knows_no_size_in_a_rebuild_either(tmp_path, store, index):
    write(tmp_path, make_article("a"), make_article("b"))
    index("never")
    assert index("always", rebuild=True).notice is None
    assert store.counts().embedder == "words-1"


def test_a_rebuild_counts_what_is_in_the_index(tmp_path, store, index, monkeypatch):
    monkeypatch.setattr(vectors, "AUTO_PASSAGES", 2)
    write(tmp_path, *(make_article(name) for name in "abc"))
    index("never")
    assert "more than 2 passages" in index(rebuild=True).notice
    assert store.counts().embedder is None


@pytest.mark.usefixtures("limit_of_one")
@pytest.mark.parametrize(
    "case",
    [
        ("always", {}, "words-1"),
        ("auto", {"vectors": True}, "words-1"),
        ("auto", {"more": {"retriever": "hybrid"}}, "words-1"),
        ("auto", {"vectors": False}, None),
        ("always", {"vectors": False}, None),
        ("never", {"more": {"retriever": "hybrid"}}, None),
    ],
)
def test_what_was_asked_for_comes_before_the_size(tmp_path, store, index, case):
    write(tmp_path, make_article("a"), make_article("b"))
    setting, options, embedder_used = case
    index(setting, **options)
    assert store.counts().embedder == embedder_used


def test_the_job_of_the_service_follows_the_setting(tmp_path, store):
    write(tmp_path, make_article("a"))
    index_task(load_settings({"data_dir": tmp_path}, environment={}), lambda _: None)
    assert store.counts().embedder == "words-1"
    write(tmp_path, make_article("b"))
    report = index_task(load_settings({"data_dir": tmp_path, "vectors": "never"}, environment={}), lambda _: None)
    assert report["index"]["new"] == 1


def test_the_command_prints_the_notice_beside_the_table(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "AUTO_PASSAGES", 0)
    write(tmp_path, make_article("a"))
    done = CliRunner().invoke(app, ["index", "--data-dir", str(tmp_path)])
    assert done.exit_code == 0
    assert "more than 0 passages" in done.stderr
