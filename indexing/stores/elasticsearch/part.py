"""A part of a commit that another process writes: many may write at one time, and one of them commits."""

from collections.abc import Iterator
from contextlib import contextmanager

from elasticsearch import Elasticsearch

from core.types import Model
from indexing.stores.elasticsearch.bulk import BulkLoader
from indexing.stores.elasticsearch.errors import translated
from indexing.stores.elasticsearch.manifest import BITS, Manifest
from indexing.stores.elasticsearch.transaction import Transaction


class Ticket(Model):
    """What a process must know to write a part."""

    index: str
    """Index, not alias."""
    manifest: Manifest
    """Of the last commit, with the embedder of the next one."""


class Receipt(Model):
    """What the process that commits must know of a part that is written."""

    difference: str
    """Of the content sum, modulo 2**128, in hexadecimal."""
    changed: bool
    dimension: int | None = None
    """Of the vectors; None: there are none."""
    doomed: tuple[str, ...] = ()
    """Names of the rows to remove once the commit is done."""


class PartWriter(Transaction):
    """
    The `ArticleWriter` of a part.

    The parts of one commit must not share an article. A part that was lost may be written again, whole: it sends the
    same rows under the same names, and only its last receipt counts.
    """

    def finish(self) -> Receipt:
        """
        Send what is pending, and return when the server has acknowledged it all.

        :raises BulkError: If the server refuses documents for good.
        :raises UnavailableError: If it stays busy or away.
        """
        self._bulk.flush()
        difference = (int(self._manifest.content, 16) - int(self._committed.content, 16)) % (1 << BITS)
        return Receipt(
            difference=f"{difference:x}",
            changed=self._changed,
            dimension=self._manifest.dimension,
            doomed=tuple(sorted(self._doomed)),
        )


@contextmanager
def write_part(client: Elasticsearch, ticket: Ticket, *, url: str) -> Iterator[PartWriter]:
    """
    Open a part for writing.

    :param url: Of the server, named in messages.
    """
    with translated(url):
        bulk = BulkLoader(client, ticket.index, url=url)
        yield PartWriter(client, ticket.index, ticket.manifest, bulk=bulk)
