"""Group theses that say much the same into sides."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from haystack import component

from core.types import Notice
from indexing.embedders import Embedder
from pipelines.retrieval.query_vector import shared_embedder
from pipelines.systems.perspectives.clusters import Vectors, cluster
from pipelines.systems.perspectives.labels import side_labels
from pipelines.systems.perspectives.types import Grouping, Side, Stance, Thesis

FEWEST = 3
"""Theses that can be grouped at all."""


@component
class SideFinder:
    """
    Cluster theses by what they say beyond the query.

    A thesis is embedded together with the query, and the query's own vector is taken away: what is left is what the
    thesis adds. `looksy evaluate perspectives` measures how well the clusters fit.

    :param embedder_model: Folder or hub name of the embedder; None: the shipped one.
    :param threads: Its threads; 0: one per core.
    :param most_sides: Sides at most.
    :param smallest: Articles of a side at least; smaller clusters stand alone.
    """

    def __init__(
        self, *, embedder_model: str | None = None, threads: int = 0, most_sides: int = 5, smallest: int = 2
    ) -> None:
        self.embedder_model = embedder_model
        self.threads = threads
        self.most_sides = most_sides
        self.smallest = smallest

    def warm_up(self) -> None:
        """Load the embedder."""
        self._embedder().embed(["warm up"])

    @property
    def identity(self) -> str:
        """Name the embedder, for the run record."""
        return self._embedder().identity

    @component.output_types(grouping=Grouping)
    def run(self, query: str, theses: list[Thesis]) -> dict[str, Grouping]:
        """
        Group.

        :returns: `grouping`, with a warning where all that take a side take the same.
        """
        warnings = one_sided(theses)
        if len(theses) < FEWEST:
            return {"grouping": Grouping(alone=tuple(theses), warnings=warnings)}
        vectors = added_meaning(query, [thesis.text for thesis in theses], self._embedder())
        found = cluster(vectors, most=max(2, min(self.most_sides, len(theses) // self.smallest)))
        groups = [
            _central_first([index for index, label in enumerate(found.labels) if label == wanted], vectors)
            for wanted in dict.fromkeys(found.labels)
        ]
        large = sorted((group for group in groups if len(group) >= self.smallest), key=lambda group: -len(group))
        alone = sorted(index for group in groups if len(group) < self.smallest for index in group)
        return {
            "grouping": Grouping(
                sides=_sides(query, [[theses[index] for index in group] for group in large]),
                alone=tuple(theses[index] for index in alone),
                silhouette=found.silhouette,
                warnings=warnings,
            )
        }

    def _embedder(self) -> Embedder:
        return shared_embedder(self.embedder_model, threads=self.threads)


def added_meaning(query: str, texts: Sequence[str], embedder: Embedder) -> Vectors:
    """
    Embed what texts say beyond the query.

    :returns: (n, d), unit length.
    """
    own = np.asarray(embedder.embed([query]))[0]
    raw = np.asarray(embedder.embed([f"{query} {text}" for text in texts])) - own
    unit: Vectors = (raw / np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), 1e-9)).astype(np.float32)
    return unit


def one_sided(theses: Sequence[Thesis]) -> tuple[Notice, ...]:
    """Say where every article that takes a side takes the same; nothing is made up to balance it."""
    taken = [thesis.stance for thesis in theses if thesis.stance is not Stance.MIXED]
    if len(taken) < 2 or len(set(taken)) != 1:  # noqa: PLR2004 - one article is not coverage
        return ()
    message = (
        f"All {len(taken)} articles that take a side say {taken[0].value}. "
        "The index may hold only one side of this; nothing was added to balance it."
    )
    return (Notice(code="one_sided", message=message),)


def _central_first(group: list[int], vectors: Vectors) -> list[int]:
    near = vectors[group] @ vectors[group].T
    order = np.argsort(-near.sum(axis=1), kind="stable")
    return [group[int(one)] for one in order]


def _sides(query: str, groups: list[list[Thesis]]) -> tuple[Side, ...]:
    labels = side_labels(query, [[quote.text for thesis in group for quote in thesis.quotes] for group in groups])
    return tuple(_side(label, group) for label, group in zip(labels, groups, strict=True))


def _side(label: str, group: list[Thesis]) -> Side:
    counts = Counter(thesis.stance for thesis in group)
    stance, count = max(counts.items(), key=lambda one: (one[1], one[0] is Stance.MIXED))
    if 2 * count <= len(group) and len(counts) > 1:
        stance = Stance.MIXED
    return Side(label=label, theses=tuple(group), stance=stance, agreement=counts[stance] / len(group))
