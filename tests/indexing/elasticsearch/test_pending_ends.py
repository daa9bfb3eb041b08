"""What readers see of revisions while a job that has not committed changes when they ended."""

import pytest

from indexing.documents import article_documents
from indexing.stores.elasticsearch.manifest import Manifest
from indexing.stores.elasticsearch.reader import Reader
from indexing.stores.elasticsearch.transaction import Transaction
from tests.indexing.elasticsearch.rows_server import RowsServer
from tests.sample_articles import DAY, START, make_article


def edition(day: int):
    """What an article said on a day of January."""
    return make_article("a", body=f"On day {day} the harbour froze.", first_seen_at=START + (day - 1) * DAY)


FIRST, SECOND, THIRD, FOURTH = (edition(day) for day in (1, 2, 3, 4))


def noon(day: int):
    return START + (day - 0.5) * DAY


def put_uncommitted(server, manifest, *editions):
    """
    Put editions as a job does that is killed before it commits.

    :returns: The manifest that it would have written.
    """
    transaction = Transaction(server, "news", manifest, bulk=server)
    for one in editions:
        transaction.put(one, article_documents(one))
    return transaction._manifest.model_copy(update={"generation": manifest.generation + 1})


def current(server, manifest, *, as_of=None):
    """The texts that a reader of a commit takes for current."""
    reader = Reader(server, "news", manifest)
    restriction, _ = reader.restriction(None, as_of)
    return [row["content"] for row in reader.scan(restriction, fields=[])]


@pytest.fixture
def server():
    return RowsServer()


@pytest.mark.parametrize("late", [[SECOND], [SECOND, FOURTH], [FOURTH, SECOND]])
def test_an_earlier_edition_stays_superseded_until_the_commit(server, late):
    before = put_uncommitted(server, Manifest(), FIRST, THIRD)
    after = put_uncommitted(server, before, *late)
    assert current(server, before) == [THIRD.body]
    assert [current(server, before, as_of=noon(day)) for day in (1, 2, 3, 4)] == [
        [one.body] for one in (FIRST, FIRST, THIRD, THIRD)
    ]
    newest = max(THIRD, *late, key=lambda one: one.first_seen_at)
    assert current(server, after) == [newest.body]
    assert [current(server, after, as_of=noon(day)) for day in (1, 2, 3)] == [
        [one.body] for one in (FIRST, SECOND, THIRD)
    ]


def test_an_edition_whose_end_changes_twice_stays_current_until_the_commit(server):
    before = put_uncommitted(server, Manifest(), FIRST)
    after = put_uncommitted(server, before, THIRD, SECOND)
    assert [current(server, before), current(server, before, as_of=noon(4))] == [[FIRST.body]] * 2
    assert current(server, after) == [THIRD.body]
    assert put_uncommitted(server, before, THIRD, SECOND) == after  # as a part that was lost is written again
