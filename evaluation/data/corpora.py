"""A data set's corpus as an index of its own, made once and kept under `<data_dir>/evaluation/`."""

from pathlib import Path

from core.errors import InputError, StoreError
from core.files import replacing
from core.locks import process_lock
from core.progress import Progress, ignore_progress
from core.settings import RETRIEVERS_WITH_VECTORS, Settings
from core.types import Model
from core.urls import article_id
from evaluation.data.formats.corpus import CorpusArticle, check_corpus, read_corpus, write_articles
from evaluation.runs.fingerprints import fingerprint, hash_files, hash_index_code
from indexing.articles import clean_line
from indexing.embedders import Embedder, open_embedder
from indexing.job import run_index
from indexing.stores.contract import EvidenceStore
from indexing.stores.open import open_store

_READY, _LOCK = "ready.json", "making.lock"


class CorpusNames(Model):
    """Which article is which document of the corpus."""

    names: dict[str, str]
    """Our article id to the corpus's own id."""
    urls: dict[str, str]
    """Our article id to URL."""
    hidden: tuple[str, ...] = ()
    """The corpus's own ids of documents that a later one of the same address has replaced."""


class IndexedCorpus:
    """
    A corpus that can be searched.

    :param settings: With the corpus's own data folder.
    :param store: Open; close it when done.
    """

    def __init__(self, settings: Settings, store: EvidenceStore, names: CorpusNames) -> None:
        self.settings = settings
        self.store = store
        self.names = names

    @property
    def articles(self) -> int:
        """Count the documents."""
        return len(self.names.names)


def index_corpus(
    corpus: Path, settings: Settings, *, retriever: str | None = None, progress: Progress = ignore_progress
) -> IndexedCorpus:
    """
    Index a corpus, or open the index that an earlier run made of the same file, embedder and code.

    It always lies in the embedded store, so that nobody's articles mix with it.

    :param retriever: That will search it, for which it has vectors if need be; None: the settings'.
    :raises InputError: For a malformed document.
    :raises StoreLockedError: If another process is making the index.
    :raises StoreError: If documents are missing in the index that was made.
    """
    embedder = open_embedder(settings) if (retriever or settings.retriever) in RETRIEVERS_WITH_VECTORS else None
    identity = embedder.identity if embedder else None
    mark = fingerprint(corpus=hash_files([corpus]), embedder=identity, code=hash_index_code())
    folder = settings.data_dir / "evaluation" / mark
    own = settings.model_copy(update={"data_dir": folder, "store_url": None})
    names = _read_names(folder)
    if names is None:
        # Two must not write the same articles, each under the other's reader.
        with process_lock(folder / _LOCK, doing="indexing the corpus", hint="Wait until it has finished."):
            names = _read_names(folder) or _make(corpus, own, embedder=embedder, progress=progress)
    return IndexedCorpus(own, open_store(own), names)


def _read_names(folder: Path) -> CorpusNames | None:
    """Return the names that are written once an index is whole; None: there is none yet."""
    try:
        return CorpusNames.model_validate_json((folder / _READY).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None


def _make(corpus: Path, settings: Settings, *, embedder: Embedder | None, progress: Progress) -> CorpusNames:
    folder = settings.data_dir
    articles = folder / "corpus.jsonl"
    write_articles(read_corpus(corpus), articles)
    store = open_store(settings, must_exist=False)
    try:
        run_index(store, data_dir=folder, articles=articles, embedder=embedder, progress=progress)
        found = store.counts(by_month=False).articles
    except InputError:
        check_corpus(corpus)  # names the line of the corpus, not of the copy
        raise
    finally:
        store.close()
    ids: dict[str, CorpusArticle] = {}
    hidden = []
    for one in read_corpus(corpus):
        name = article_id(clean_line(one.url))
        if name in ids:
            hidden.append(ids[name].id)
        ids[name] = one
    if found != len(ids):
        raise StoreError(
            f"the index of {corpus} in {folder} holds {found} of {len(ids)} documents",
            field="data_dir",
            hint="Delete that folder and run the command again.",
        )
    names = CorpusNames(
        names={name: one.id for name, one in ids.items()},
        urls={name: one.url for name, one in ids.items()},
        hidden=tuple(hidden),
    )
    articles.unlink()
    with replacing(folder / _READY) as ready:
        ready.write_text(names.model_dump_json(), encoding="utf-8")
    return names
