"""
Clusters of a few vectors, and how many there are.

Ward's method by the Lance-Williams formula (Murtagh and Legendre, Journal of Classification 2014); the number of
clusters has the best mean silhouette (Rousseeuw 1987). The same as scikit-learn's `AgglomerativeClustering` and
`silhouette_score`, which the default profile does not hold: with SciPy they are larger than the rest of it together.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Clustering(NamedTuple):
    """Which cluster each vector is in."""

    labels: list[int]
    """0 for the first vector's cluster, and so on in order of appearance."""
    silhouette: float


def cluster(vectors: Vectors, *, most: int = 6) -> Clustering:
    """
    Choose the number of clusters by silhouette.

    :param vectors: (n, d), unit length, n >= 3.
    :param most: Clusters at most.
    """
    distances = 1.0 - np.clip(np.asarray(vectors, dtype=np.float64) @ np.asarray(vectors, dtype=np.float64).T, -1, 1)
    steps = _ward(vectors)
    tried = [Clustering(labels, mean_silhouette(distances, labels)) for labels in steps if 1 < len(set(labels)) <= most]
    return max(tried, key=lambda one: (one.silhouette, -len(set(one.labels))))


def mean_silhouette(distances: NDArray[np.float64], labels: list[int]) -> float:
    """
    Return the mean silhouette: -1 to 1; a vector alone in its cluster counts 0.

    :param distances: (n, n).
    """
    members = {label: [index for index, own in enumerate(labels) if own == label] for label in set(labels)}
    values = []
    for index, label in enumerate(labels):
        own = [other for other in members[label] if other != index]
        if not own:
            values.append(0.0)
            continue
        inside = distances[index, own].mean()
        outside = min(distances[index, others].mean() for name, others in members.items() if name != label)
        values.append((outside - inside) / max(inside, outside, 1e-12))
    return float(np.mean(values))


def _ward(vectors: Vectors) -> list[list[int]]:
    """Return the labels after each merge, from n - 1 clusters down to 1."""
    points = np.asarray(vectors, dtype=np.float64)
    gaps = ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    np.fill_diagonal(gaps, np.inf)
    members = {index: [index] for index in range(len(points))}
    steps = []
    while len(members) > 1:
        first, second = (int(one) for one in np.unravel_index(np.argmin(gaps), gaps.shape))
        _merge(gaps, members, min(first, second), max(first, second))
        steps.append(_labels(members, len(points)))
    return steps


def _merge(gaps: NDArray[np.float64], members: dict[int, list[int]], kept: int, gone: int) -> None:
    sizes = {name: len(inside) for name, inside in members.items()}
    for other in members:
        if other not in {kept, gone}:
            total = sizes[kept] + sizes[gone] + sizes[other]
            gap = (
                (sizes[kept] + sizes[other]) * gaps[kept, other]
                + (sizes[gone] + sizes[other]) * gaps[gone, other]
                - sizes[other] * gaps[kept, gone]
            ) / total
            gaps[kept, other] = gaps[other, kept] = gap
    gaps[gone, :] = gaps[:, gone] = np.inf
    members[kept] += members.pop(gone)


def _labels(members: dict[int, list[int]], count: int) -> list[int]:
    names = {index: name for name, inside in members.items() for index in inside}
    order: dict[int, int] = {}
    return [order.setdefault(names[index], len(order)) for index in range(count)]
