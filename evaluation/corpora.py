"""A data set's corpus as an index of its own, made once and kept under `<data_dir>/evaluation/`."""

import json
from pathlib import Path

from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Model
from core.urls import article_id
from evaluation.formats.corpus import read_corpus, write_articles
from evaluation.runs.fingerprint import fingerprint, hash_files, hash_index_code
from indexing.embedders import open_embedder
from indexing.job import run_index
from indexing.stores.contract import EvidenceStore
from indexing.stores.open import open_store
from indexing.vectors import RETRIEVERS_WITH_VECTORS

_READY = "ready.json"


class CorpusNames(Model):
    """Which article is which document of the corpus."""

    names: dict[str, str]
    """Our article id to the corpus's own id."""
    urls: dict[str, str]
    """Our article id to URL."""


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
    """
    embedder = open_embedder(settings) if (retriever or settings.retriever) in RETRIEVERS_WITH_VECTORS else None
    identity = embedder.identity if embedder else None
    mark = fingerprint(corpus=hash_files([corpus]), embedder=identity, code=hash_index_code())
    folder = settings.data_dir / "evaluation" / mark
    own = settings.model_copy(update={"data_dir": folder, "store_url": None})
    ready = folder / _READY
    if ready.is_file():
        names = CorpusNames.model_validate(json.loads(ready.read_text(encoding="utf-8")))
        return IndexedCorpus(own, open_store(own), names)
    folder.mkdir(parents=True, exist_ok=True)
    articles = folder / "corpus.jsonl"
    write_articles(read_corpus(corpus), articles)
    store = open_store(own, must_exist=False)
    run_index(store, data_dir=folder, articles=articles, embedder=embedder, progress=progress)
    names = CorpusNames(
        names={article_id(one.url): one.id for one in read_corpus(corpus)},
        urls={article_id(one.url): one.url for one in read_corpus(corpus)},
    )
    articles.unlink()
    ready.write_text(names.model_dump_json(), encoding="utf-8")
    return IndexedCorpus(own, store, names)
