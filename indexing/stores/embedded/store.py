"""The embedded store: Haystack's `DocumentStore`, and what evidence needs beyond it."""

import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from haystack import Document, default_from_dict, default_to_dict

from core.errors import StoreError, StoreVersionError
from core.types import Article
from indexing.stores.base import StoreBase, check_dimension
from indexing.stores.contract import StoreCounts
from indexing.stores.embedded.compaction import copy_live, is_bloated
from indexing.stores.embedded.coverage import count_all, count_passages
from indexing.stores.embedded.layout import FileState, Layout, bytes_on_disk, file_state, text_folder
from indexing.stores.embedded.lock import writer_lock
from indexing.stores.embedded.rows import Row, open_index
from indexing.stores.embedded.view import View, restrict
from indexing.stores.embedded.writer import EmbeddedWriter
from indexing.stores.hints import UNREADABLE_HINT
from indexing.stores.readable import is_readable

OPENING_TRIES = 10
OPENING_PAUSE_SECONDS = 0.02
_SYSTEM_ERROR = re.compile(r"\bOs \{ code: (?!2\b)")
"""In tantivy's errors: what the system said of a file, unless that it is not there."""


class EmbeddedStore(StoreBase[Row]):
    """
    Passages with their articles in a folder of this machine. Opens its files on first use.

    :param root: Folder of the index, for example `var/index`.
    """

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root)
        self._layout = Layout(self.root)
        self._mutex = threading.Lock()
        self._view: View | None = None
        self._pointer: FileState = ()
        self._commit: FileState = ()

    def to_dict(self) -> dict[str, Any]:
        """Serialise for a Haystack pipeline."""
        return default_to_dict(self, root=str(self.root))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "EmbeddedStore":
        """Deserialise."""
        return default_from_dict(cls, data)

    # -- searching ---------------------------------------------------------------------------------------------------

    def keyword_search(
        self, query: str, *, top_k: int, filters: dict[str, Any] | None = None, as_of: datetime | None = None
    ) -> list[Document]:
        """See `EvidenceStore.keyword_search`."""
        return self.view().keyword_search(query, top_k=top_k, restriction=restrict(filters, as_of))

    def vector_search(
        self,
        vector: Sequence[float],
        *,
        top_k: int,
        filters: dict[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> list[Document]:
        """See `EvidenceStore.vector_search`."""
        view = self.view()
        check_dimension(vector, view.manifest.dimension)
        return view.vector_search(
            np.asarray(vector, dtype=np.float32), top_k=top_k, restriction=restrict(filters, as_of)
        )

    # -- Haystack's DocumentStore ------------------------------------------------------------------------------------

    def count_documents(self) -> int:
        """Count the passages of current revisions."""
        return count_passages(self.view())

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """Return all passages of current revisions that pass, in order of id."""
        return self.view().filter_documents(restrict(filters, None))

    # -- articles ----------------------------------------------------------------------------------------------------

    def get_articles(self, article_ids: Iterable[str]) -> dict[str, Article]:
        """See `EvidenceStore.get_articles`."""
        names = list(dict.fromkeys(article_ids))
        found = {article.article_id: article for article in self.view().revisions(names)} if names else {}
        return {name: found[name] for name in names if name in found}

    def get_revisions(self, article_id: str) -> list[Article]:
        """See `EvidenceStore.get_revisions`."""
        return self.view().revisions([article_id])

    def iter_articles(self) -> Iterator[Article]:
        """See `EvidenceStore.iter_articles`."""
        return self.view().articles()

    def counts(self, *, by_month: bool = True) -> StoreCounts:
        """See `EvidenceStore.counts`."""
        return count_all(self.view(), by_month=by_month, bytes_on_disk=bytes_on_disk(self.root))

    def snapshot_id(self) -> str:
        """See `EvidenceStore.snapshot_id`."""
        return self.view().manifest.snapshot_id()

    # -- opening -----------------------------------------------------------------------------------------------------

    def view(self) -> View:
        """
        Return the newest committed state. Two file times tell whether there is a newer one.

        :raises StoreMissingError: If nothing has been indexed.
        :raises StoreVersionError: If the index was written by another version.
        :raises StoreError: If the system does not let its files be opened.
        """
        with self._mutex:
            problem: Exception | None = None
            for _ in range(OPENING_TRIES):
                try:
                    return self._newest()
                except (OSError, ValueError) as error:
                    # A commit or a rebuild may have come between finding the files and opening them.
                    self._view, problem = None, error
                    time.sleep(OPENING_PAUSE_SECONDS)
            if _is_refused(self.root, problem):
                raise StoreError(
                    f"the index in {self.root} cannot be opened: {problem}",
                    field="data_dir",
                    hint="Looksy must be able to write to this folder, also to read it: mend owner or permissions.",
                ) from problem
            raise StoreVersionError(
                f"the index in {self.root} is broken: {problem}", field="data_dir", hint=UNREADABLE_HINT
            ) from problem

    def _newest(self) -> View:
        pointer = file_state(self._layout.pointer_file)
        if self._view is None or pointer != self._pointer:
            self._folder = self._layout.current()
            self._index = open_index(text_folder(self._folder), must_exist=True)
            self._view, self._pointer = None, pointer
        commit = file_state(text_folder(self._folder) / "meta.json")
        if self._view is None or commit != self._commit:
            self._index.reload()
            self._view = View(self._index.searcher(), self._folder)
            self._commit = commit
        return self._view

    @contextmanager
    def writer(self) -> Iterator[EmbeddedWriter]:
        """See `EvidenceStore.writer`."""
        with writer_lock(self._layout.lock_file):
            folder = self.view().folder if self._layout.exists() else self._layout.new_folder()
            self._layout.remove_strays(folder)
            with _writing(folder, on_commit=self._layout.point_to) as writer:
                yield writer
            self._layout.point_to(folder)
            if is_bloated(self.view()):
                self._swap(lambda writer: copy_live(self.view(), writer))

    @contextmanager
    def rebuild(self) -> Iterator[EmbeddedWriter]:
        """See `EvidenceStore.rebuild`."""
        with writer_lock(self._layout.lock_file), self._swapping(set_aside=not is_readable(self)) as writer:
            yield writer

    def _swap(self, fill: Callable[[EmbeddedWriter], None]) -> None:
        with self._swapping() as writer:
            fill(writer)

    @contextmanager
    def _swapping(self, *, set_aside: bool = False) -> Iterator[EmbeddedWriter]:
        """
        Write an index beside the one in use, and put it in its place when the block ends well.

        :param set_aside: See `Layout.point_to`.
        """
        folder = self._layout.new_folder()
        try:
            with _writing(folder, on_commit=lambda _: None) as writer:
                yield writer
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._layout.point_to(folder, set_aside=set_aside)

    def close(self) -> None:
        """See `EvidenceStore.close`."""
        with self._mutex:
            self._view = None


def _is_refused(root: Path, problem: Exception | None) -> bool:
    """Say whether the system keeps an index, which may be whole, from being opened: to read, tantivy writes a lock."""
    if isinstance(problem, OSError):
        return not isinstance(problem, FileNotFoundError)
    return _SYSTEM_ERROR.search(str(problem)) is not None or not os.access(root, os.W_OK)


@contextmanager
def _writing(folder: Path, *, on_commit: Callable[[Path], None]) -> Iterator[EmbeddedWriter]:
    """Commit when the block ends well, drop what was not committed when it does not."""
    writer = EmbeddedWriter(folder, on_commit=on_commit)
    try:
        yield writer
        writer.commit()
    except BaseException:
        writer.rollback()
        raise
    finally:
        writer.close()
