"""An index whose files are damaged is refused with advice, and a rebuild replaces it."""

import shutil

import pytest
import tantivy
from typer.testing import CliRunner

from core.errors import StoreError, StoreVersionError
from indexing.documents import article_documents
from indexing.stores.embedded import store as embedded
from indexing.stores.embedded.layout import text_folder, vector_folder
from indexing.stores.embedded.store import EmbeddedStore
from service.cli.main import app
from tests.sample_articles import make_article
from tests.store_contract import put_all, with_vectors


def damage_by_removing_everything(folder):
    shutil.rmtree(folder)


def damage_by_emptying(folder):
    for path in text_folder(folder).iterdir():
        path.unlink()


def damage_the_list_of_segments(folder):
    (text_folder(folder) / "meta.json").write_text('{"segments": [')


def damage_a_vector_file(folder):
    for path in vector_folder(folder).iterdir():
        path.write_bytes(b"x")


@pytest.mark.parametrize(
    "damage",
    [damage_by_removing_everything, damage_by_emptying, damage_the_list_of_segments, damage_a_vector_file],
)
def test_a_damaged_index_is_refused_with_advice(tmp_path, damage):
    store = EmbeddedStore(tmp_path / "index")
    article = make_article("a")
    with store.writer() as writer:
        writer.put(article, with_vectors(article, [1.0, 2.0, 3.0]))
    damage(store.view().folder)
    fresh = EmbeddedStore(tmp_path / "index")
    for use in (fresh.snapshot_id, fresh.count_documents, lambda: put_all(fresh, article)):
        with pytest.raises(StoreVersionError, match="broken") as caught:
            use()
        assert "--rebuild" in (caught.value.hint or "")
        assert "--articles FILE" in (caught.value.hint or "")
    with fresh.rebuild() as writer:
        writer.put(article, with_vectors(article, [1.0, 2.0, 3.0]))
    assert fresh.count_documents() == 1


LOCKED = 'Failed to acquire Lockfile: IoError(Os { code: 13, kind: PermissionDenied, message: "Permission denied" })'


@pytest.mark.parametrize(
    ("problem", "writable"),
    [
        (PermissionError(13, "Permission denied"), True),
        (OSError(24, "Too many open files"), True),
        (ValueError(LOCKED), True),
        (ValueError("Failed to acquire Lockfile"), False),
    ],
)
def test_an_index_that_the_system_does_not_open_is_not_called_broken(tmp_path, monkeypatch, problem, writable):
    store = EmbeddedStore(tmp_path / "index")
    put_all(store, make_article("a"))
    before = store.view().folder

    def fail(_):
        raise problem

    monkeypatch.setattr(EmbeddedStore, "_newest", fail)
    monkeypatch.setattr(embedded, "OPENING_PAUSE_SECONDS", 0)
    monkeypatch.setattr("os.access", lambda *_: writable)
    with pytest.raises(StoreError, match="cannot be opened") as caught:
        store.snapshot_id()
    assert not isinstance(caught.value, StoreVersionError)
    assert "mend owner or permissions" in (caught.value.hint or "")
    with pytest.raises(StoreError, match="cannot be opened"), store.rebuild():
        pytest.fail("what may be whole is not replaced")
    assert [path.name for path in (tmp_path / "index").glob("*data-*")] == [before.name]


def test_what_could_not_be_read_is_set_aside_until_the_next_rebuild(tmp_path):
    store = EmbeddedStore(tmp_path / "index")
    put_all(store, make_article("imported"))
    folder = store.view().folder
    damage_the_list_of_segments(folder)
    fresh = EmbeddedStore(tmp_path / "index")
    for names in (["index.json", f"unreadable-{folder.name}"], ["index.json"]):
        with fresh.rebuild() as writer:
            writer.put(make_article("a"), article_documents(make_article("a")))
        put_all(fresh, make_article("b"))
        assert fresh.count_documents() == 2
        others = {fresh.view().folder.name, "writer.lock"}
        assert sorted(path.name for path in (tmp_path / "index").iterdir() if path.name not in others) == names


def put_an_older_schema_in_place(folder):
    """Write an index with fields of its own, in the format that tantivy reads."""
    damage_by_emptying(folder)
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", stored=True)
    older = tantivy.Index(builder.build(), path=str(text_folder(folder)))
    writer = older.writer(num_threads=1)
    entry = tantivy.Document()
    entry.add_text("body", "Ships left the harbour.")
    writer.add_document(entry)
    writer.commit()
    writer.wait_merging_threads()


def test_an_index_with_other_fields_is_of_another_version_and_can_be_rebuilt(tmp_path):
    store = EmbeddedStore(tmp_path / "index")
    article = make_article("a")
    put_all(store, article)
    put_an_older_schema_in_place(store.view().folder)
    fresh = EmbeddedStore(tmp_path / "index")
    for use in (fresh.snapshot_id, fresh.counts, lambda: fresh.keyword_search("ships", top_k=1)):
        with pytest.raises(StoreVersionError, match="other fields than this version") as caught:
            use()
        assert "--rebuild" in (caught.value.hint or "")
    with pytest.raises(StoreVersionError, match="other fields"):
        put_all(fresh, article)
    lines = tmp_path / "articles.jsonl"
    lines.write_text(article.model_dump_json() + "\n")
    command = ["index", "--data-dir", str(tmp_path), "--articles", str(lines), "--no-vectors"]
    refused = CliRunner().invoke(app, command)
    assert refused.exit_code != 0
    assert CliRunner().invoke(app, [*command, "--rebuild"]).exit_code == 0
    assert fresh.count_documents() == 1
