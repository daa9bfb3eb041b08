"""A retriever on its own: the one that the pipelines use, made from the same file."""

import dataclasses
from collections.abc import Sequence

from haystack import Document

from core.errors import ConfigError
from core.settings import Settings
from evaluation.data.corpora import CorpusNames
from evaluation.tasks.retrieval.task import Ranked
from indexing.stores.contract import EvidenceStore
from pipelines.pipeline_file import PipelineFile, build_pipeline, read_pipeline_file
from pipelines.resources import Resources
from pipelines.retrieval.search_arguments import MAX_TOP_K

PASSAGES_PER_ARTICLE = 4
"""Passages to ask for at first, for each article wanted: several of one article may rank high."""


def retriever_names() -> list[str]:
    """Return the retrievers that `configs/pipelines/verify.yaml` offers."""
    return list(_retrievers().choices["retriever"]["of"])


class ArticleRanker:
    """
    Ranks articles by their best passage.

    :param name: One of `retriever_names()`.
    :param store: The corpus.
    :param names: Which article is which document.
    :raises ConfigError: If there is no such retriever.
    """

    def __init__(self, name: str, *, settings: Settings, store: EvidenceStore, names: CorpusNames) -> None:
        if name not in retriever_names():
            raise ConfigError(
                f"there is no retriever {name!r}", field="retriever", hint=f"Use {', '.join(retriever_names())}."
            )
        self.names = names
        slots = Resources(settings, store=store).slots()
        self._pipeline = build_pipeline(_retrievers(), {"retriever": name}, slots=slots)
        self._pipeline.warm_up()

    def rank(self, query: str, *, top_k: int) -> tuple[Ranked, ...]:
        """
        Rank articles for a query.

        :param top_k: Articles to return at most.
        """
        passages = min(MAX_TOP_K, top_k * PASSAGES_PER_ARTICLE)
        while True:
            inputs = {"query": query, "top_k": passages}
            documents = self._pipeline.run({"retriever": inputs})["retriever"]["documents"]
            ranked = self._by_best_passage(documents)
            if len(ranked) >= top_k or len(documents) < passages or passages == MAX_TOP_K:
                return ranked[:top_k]
            passages = min(MAX_TOP_K, 2 * passages)  # long articles may take all places

    def _by_best_passage(self, documents: Sequence[Document]) -> tuple[Ranked, ...]:
        ranked: dict[str, Ranked] = {}
        for document in documents:
            article = str(document.meta["article_id"])
            name = self.names.names.get(article, article)
            if name not in ranked:
                ranked[name] = Ranked(id=name, score=document.score, headline=str(document.meta.get("headline", "")))
        return tuple(ranked.values())


def _retrievers() -> PipelineFile:
    file = read_pipeline_file("verify")
    return dataclasses.replace(
        file, components={}, connections=[], choices={"retriever": file.choices["retriever"]}, stages={}
    )
