from datetime import UTC, datetime
from typing import Any

import pytest
from haystack import Document, Pipeline

from core.errors import ConfigError, InputError
from pipelines.retrieval.bm25 import Bm25Retriever

SOURCE = {"field": "meta.source", "operator": "==", "value": "Wikinews"}
SECTION = {"field": "meta.section", "operator": "==", "value": "science"}


class RecordingStore:
    """Answers every search with one passage, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def keyword_search(self, query: str, **arguments: Any) -> list[Document]:
        self.asked.append((query, arguments))
        return [Document(id="p", content="text", score=1.0)]


def test_arguments_of_the_query_reach_the_store() -> None:
    store = RecordingStore()
    as_of = datetime(2020, 1, 2, tzinfo=UTC)
    found = Bm25Retriever(store).run(query="who won?", top_k=3, filters=SOURCE, as_of=as_of)
    assert [document.id for document in found["documents"]] == ["p"]
    assert store.asked == [("who won?", {"top_k": 3, "filters": SOURCE, "as_of": as_of})]


def test_filters_of_constructor_and_query_both_hold() -> None:
    store = RecordingStore()
    Bm25Retriever(store, filters=SOURCE, top_k=7).run(query="x", filters=SECTION)
    assert store.asked[0][1] == {
        "top_k": 7,
        "filters": {"operator": "AND", "conditions": [SOURCE, SECTION]},
        "as_of": None,
    }


def test_without_a_store_the_error_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match="no document_store"):
        Bm25Retriever().run(query="x")


@pytest.mark.parametrize("top_k", [0, -1, 1001])
def test_top_k_out_of_range_is_refused(top_k: int) -> None:
    with pytest.raises(InputError, match=f"top_k is {top_k}"):
        Bm25Retriever(RecordingStore()).run(query="x", top_k=top_k)


def test_every_parameter_survives_yaml() -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", Bm25Retriever(top_k=7, filters=SOURCE))
    loaded = Pipeline.loads(pipeline.dumps(), unsafe=True).get_component("retriever")
    assert (loaded.document_store, loaded.top_k, loaded.filters) == (None, 7, SOURCE)
