"""Whether an index gets vectors, and the index job as the settings want it."""

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from core.errors import StoreMissingError, StoreVersionError
from core.progress import Progress, ignore_progress
from core.settings import RETRIEVERS_WITH_VECTORS, Settings, VectorPolicy
from indexing.embedders import Embedder, open_embedder
from indexing.job import run_index
from indexing.ray.loading import on_cluster
from indexing.report import IndexReport
from indexing.stores.contract import EvidenceStore, StoreCounts

AUTO_PASSAGES = 20_000
"""A new index of more passages gets vectors only if asked to: so many take about four minutes on two cores."""


@dataclass(frozen=True)
class VectorPlan:
    """
    What an index job is to do about vectors.

    :param embedder: None: search by words only.
    :param up_to: Leave the vectors out if the index will have more passages than this; None: never.
    """

    embedder: Embedder | None
    up_to: int | None = None


def index_articles(
    settings: Settings,
    store: EvidenceStore,
    *,
    articles: Path | None = None,
    vectors: bool | None = None,
    rebuild: bool = False,
    ray: str | None = None,
    progress: Progress = ignore_progress,
) -> IndexReport:
    """
    Run the index job with the settings' data folder and embedder; see `indexing.job.run_index`.

    :param vectors: Make vectors or not; None: as `plan_vectors` decides.
    :param ray: Address of a Ray cluster to embed and load on, see `indexing.ray.session`; None: this process.
    """
    plan = plan_vectors(settings, store, vectors=vectors, rebuild=rebuild)
    with on_cluster(settings, ray) if ray else nullcontext() as spread:
        return run_index(
            store,
            data_dir=settings.data_dir,
            articles=articles,
            embedder=plan.embedder,
            embed_up_to=plan.up_to,
            rebuild=rebuild,
            spread=spread,
            progress=progress,
        )


def plan_vectors(settings: Settings, store: EvidenceStore, *, vectors: bool | None, rebuild: bool) -> VectorPlan:
    """
    Decide whether there are to be vectors.

    What was asked for comes first, then what the index has: one with vectors keeps getting them, one without goes on
    without until it is rebuilt. A new one follows the setting; `auto` makes them up to `AUTO_PASSAGES` passages, and
    always where the setting `retriever` needs them.
    """
    if vectors is not None:
        return VectorPlan(open_embedder(settings) if vectors else None)
    counts = _counts(store)
    if counts is not None and counts.embedder is not None:
        return VectorPlan(open_embedder(settings))
    if settings.vectors is VectorPolicy.NEVER or (counts is not None and not rebuild):
        return VectorPlan(None)
    needed = settings.vectors is VectorPolicy.ALWAYS or settings.retriever in RETRIEVERS_WITH_VECTORS
    return VectorPlan(open_embedder(settings), up_to=None if needed else AUTO_PASSAGES)


def _counts(store: EvidenceStore) -> StoreCounts | None:
    """Say what the index holds; None: nothing, or nothing that can be read."""
    try:
        counts = store.counts(by_month=False)
    except (StoreMissingError, StoreVersionError):
        return None
    return counts if counts.articles else None
