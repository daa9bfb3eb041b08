"""An index whose files are damaged is refused with advice, and a rebuild replaces it."""

import shutil

import pytest

from core.errors import StoreVersionError
from indexing.stores.embedded.layout import text_folder, vector_folder
from indexing.stores.embedded.store import EmbeddedStore
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
    with fresh.rebuild() as writer:
        writer.put(article, with_vectors(article, [1.0, 2.0, 3.0]))
    assert fresh.count_documents() == 1
