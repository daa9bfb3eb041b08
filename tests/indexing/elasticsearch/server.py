"""The server that the integration tests use, if there is one."""

import os
from uuid import uuid4

import pytest

from indexing.stores.elasticsearch.lock import LOCK_ID
from indexing.stores.elasticsearch.store import ElasticsearchStore

URL = os.environ.get("ELASTICSEARCH_URL", "")

needs_server = [
    pytest.mark.integration,
    pytest.mark.skipif(not URL, reason="no Elasticsearch: set ELASTICSEARCH_URL to run the tests on a real server"),
]


def unique_name() -> str:
    return f"looksy-test-{uuid4().hex[:12]}"


def drop(store: ElasticsearchStore) -> None:
    """Remove an index of a test with everything beside it."""
    client = store.client
    for name in client.indices.get(index=f"{store.index}-v*"):
        client.indices.delete(index=name)
    client.options(ignore_status=404).indices.delete_index_template(name=f"{store.index}-template")
    store.close()


def let_the_lock_lapse(store: ElasticsearchStore) -> None:
    """Make the lock of an open writer that of a process which has slept for longer than its lease."""
    lock = store.client.get(index=store.index, id=LOCK_ID)["_source"]["lock"]
    lapsed = lock | {"until": "2020-01-01T00:00:00+00:00"}
    store.client.index(index=store.index, id=LOCK_ID, document={"lock": lapsed})
