"""Clusters are those of scikit-learn."""

import numpy as np
import pytest

from pipelines.systems.perspectives.clusters import cluster, mean_silhouette

sklearn_cluster = pytest.importorskip("sklearn.cluster", reason="needs the extra [evaluation]")
sklearn_metrics = pytest.importorskip("sklearn.metrics")


def _vectors(seed, *, centres, count=14, dimension=8):
    chance = np.random.default_rng(seed)
    places = chance.normal(size=(centres, dimension)) * 2
    raw = places[chance.integers(centres, size=count)] + chance.normal(size=(count, dimension))
    return (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)


def _same(first, second):
    return sklearn_metrics.adjusted_rand_score(first, second) == 1.0


@pytest.mark.parametrize("seed", range(12))
def test_they_are_ward_s_with_the_best_silhouette(seed):
    vectors = _vectors(seed, centres=2 + seed % 4)
    found = cluster(vectors)
    best = {}
    for count in range(2, 7):
        labels = sklearn_cluster.AgglomerativeClustering(count, linkage="ward").fit_predict(vectors)
        best[count] = (sklearn_metrics.silhouette_score(vectors, labels, metric="cosine"), labels)
    count = max(best, key=lambda one: best[one][0])
    assert found.silhouette == pytest.approx(best[count][0], abs=1e-5)
    assert _same(found.labels, best[count][1])


def test_one_alone_counts_nothing():
    distances = np.array([[0, 1, 4], [1, 0, 4], [4, 4, 0]], dtype=float)
    labels = [0, 0, 1]
    expected = sklearn_metrics.silhouette_score(distances, labels, metric="precomputed")
    assert mean_silhouette(distances, labels) == pytest.approx(expected)


def test_equal_vectors_are_one_cluster_beside_the_other():
    vectors = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.float32)
    assert cluster(vectors).labels == [0, 0, 1, 1]


def test_three_vectors_are_enough():
    vectors = np.array([[1, 0], [0.99, 0.14], [0, 1]], dtype=np.float32)
    assert cluster(vectors).labels == [0, 0, 1]
