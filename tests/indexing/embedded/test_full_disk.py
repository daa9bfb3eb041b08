"""A disk that is full is named, with the way out, and costs nothing that was committed."""

import pytest

from core.errors import StoreError
from indexing.documents import article_documents
from indexing.stores.embedded.store import EmbeddedStore
from tests.sample_articles import make_article

FULL = ValueError("An IO error occurred: 'No space left on device (os error 28)'")


class FullDisk:
    """Stands in for tantivy's writer where the system refuses one of its calls."""

    def __init__(self, writer, call):
        self.writer = writer
        self.call = call

    def __getattr__(self, name):
        if name == self.call:
            raise FULL
        return getattr(self.writer, name)


@pytest.mark.parametrize("call", ["add_document", "commit"])
def test_a_full_disk_is_named_with_the_way_out(tmp_path, call):
    store = EmbeddedStore(tmp_path / "index")
    first, second = make_article("roads"), make_article("bridges")
    with store.writer() as writer:
        writer.put(first, article_documents(first))
    with pytest.raises(StoreError, match=r"cannot be written: .*No space left") as refused:
        put_on_full_disk(store, second, call)
    assert str(refused.value.hint).startswith("Make room")
    assert list(store.get_articles([first.article_id, second.article_id])) == [first.article_id]
    with store.writer() as writer:
        writer.put(second, article_documents(second))
    assert store.counts().articles == 2


def put_on_full_disk(store, article, call):
    with store.writer() as writer:
        writer._writer = FullDisk(writer._writer, call)
        writer.put(article, article_documents(article))
