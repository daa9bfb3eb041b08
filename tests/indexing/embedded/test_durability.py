"""What was reported as committed is there, in both halves, whatever happens to the writer."""

import os
import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from core.errors import StoreLockedError
from core.paths import ROOT
from indexing.documents import article_documents
from indexing.stores.embedded.layout import vector_folder
from indexing.stores.embedded.store import EmbeddedStore
from tests.indexing.embedded.committing import PER_COMMIT, article, documents, vector
from tests.sample_articles import make_article
from tests.store_contract import put_all


def start_writer(folder, number):
    return subprocess.Popen(
        [sys.executable, "-m", "tests.indexing.embedded.committing", str(folder), str(number)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def reported_until_killed(process, delay):
    """Read the reports for `delay` seconds after the first one, kill the writer, and return the last report."""
    last = int(process.stdout.readline())
    timer = threading.Timer(delay, process.send_signal, (signal.SIGKILL,))
    timer.start()
    for line in process.stdout:
        if line.endswith("\n"):
            last = int(line)
    process.wait()
    timer.join()
    return last


def expected_of(number):
    """The revisions and passages after the first `number` puts."""
    newest = {article(n).article_id: n for n in range(number)}
    return newest, sum(len(documents(n)) for n in newest.values())


def assert_holds_exactly(store, number):
    newest, passages = expected_of(number)
    counts = store.counts()
    assert (counts.articles, counts.passages) == (len(newest), passages)
    assert counts.revisions == number - len(newest)
    found = {document.id: document for document in store.filter_documents()}
    stored = store.get_articles(newest)
    for article_id, n in newest.items():
        assert stored[article_id].body == article(n).body
        revision = stored[article_id].revision
        for position in range(len(documents(n))):
            document = found[f"{article_id}-{revision}-{position}"]
            np.testing.assert_allclose(document.embedding, vector(n, position), rtol=1e-6)
        nearest = store.vector_search(vector(n, 0).tolist(), top_k=1)[0]
        assert nearest.meta["article_id"] == article_id
        assert store.keyword_search(f"word{n}", top_k=1)[0].meta["article_id"] == article_id


def test_a_killed_writer_leaves_exactly_what_it_reported(tmp_path):
    """Ten kills at random moments, each followed by a check and by the next writer."""
    moments = random.Random(7)
    number = 0
    for _ in range(10):
        reported = reported_until_killed(start_writer(tmp_path / "index", number), moments.uniform(0, 0.3))
        store = EmbeddedStore(tmp_path / "index")
        revisions = store.counts().articles + store.counts().revisions
        # The commit that was running when the writer died is there as a whole or not at all.
        assert revisions in {reported, reported + PER_COMMIT}
        assert_holds_exactly(store, revisions)
        number = revisions
        store.close()
    assert number >= 10 * PER_COMMIT


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path):
    store = EmbeddedStore(tmp_path / "index")
    put_all(store, make_article("a"))
    stray = vector_folder(store.view().folder) / "rows-99-1.f32"
    stray.write_bytes(b"half")
    put_all(store, make_article("b"))
    assert not stray.exists()


def test_the_lock_names_the_writer_and_ends_with_it(tmp_path):
    process = start_writer(tmp_path / "index", 0)
    process.stdout.readline()
    store = EmbeddedStore(tmp_path / "index")
    with pytest.raises(StoreLockedError, match=str(process.pid)):
        put_all(store, make_article("a"))
    process.kill()
    process.wait()
    put_all(store, make_article("a"))
    assert store.keyword_search("council", top_k=1)


READER = """
import sys, time
from indexing.stores.embedded.store import EmbeddedStore
store = EmbeddedStore(sys.argv[1])
print("ready", len(store.keyword_search("council", top_k=5)), flush=True)
while not store.keyword_search("zanzibar", top_k=5):
    time.sleep(0.01)
print(time.time(), flush=True)
"""


def test_many_readers_see_a_commit_within_a_second(tmp_path):
    store = EmbeddedStore(tmp_path / "index")
    put_all(store, make_article("a"))
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER, str(tmp_path / "index")], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    assert [reader.stdout.readline() for reader in readers] == ["ready 1\n"] * 3
    put_all(store, make_article("z", body="Zanzibar votes."))
    committed = time.time()
    delays = [float(reader.stdout.readline()) - committed for reader in readers]
    for reader in readers:
        reader.wait()
    assert all(delay < 1 for delay in delays)


def test_a_search_under_way_is_not_disturbed_by_commits(tmp_path):
    store = EmbeddedStore(tmp_path / "index")
    put_all(store, make_article("a"))
    failures = []
    stop = threading.Event()

    def read():
        while not stop.is_set():
            try:
                assert store.keyword_search("council", top_k=100)
            except Exception as error:
                failures.append(error)
                return

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    other = EmbeddedStore(tmp_path / "index")
    for number in range(25):
        new = make_article(f"n{number}")
        with other.writer() as writer:
            writer.put(new, article_documents(new))
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures
    assert store.count_documents() == 26
