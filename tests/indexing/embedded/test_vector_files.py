"""Files of vectors are joined as they grow, and pass through memory in pieces."""

import tracemalloc

import numpy as np

from indexing.stores.embedded import vectors
from indexing.stores.embedded.layout import vector_folder
from indexing.stores.embedded.manifest import Manifest
from indexing.stores.embedded.vectors import VectorReader, append_vectors, remove_unnamed

COMMITS, ROWS, DIMENSION = 64, 300, 128


def test_joined_files_hold_every_vector_and_joining_takes_little_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "GRAPH_FROM", COMMITS * ROWS + 1)
    vector_folder(tmp_path).mkdir()
    everything = np.random.default_rng(7).normal(size=(COMMITS * ROWS, DIMENSION)).astype(np.float32)
    manifest = Manifest(dimension=DIMENSION)
    tracemalloc.start()
    for start in range(0, len(everything), ROWS):
        manifest = append_vectors(tmp_path, manifest, list(everything[start : start + ROWS]))
        remove_unnamed(tmp_path, manifest)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [file.count for file in manifest.vector_files] == [COMMITS * ROWS]
    assert peak < everything.nbytes / 2
    reader = VectorReader(tmp_path, manifest)
    for key in range(0, len(everything), 97):
        np.testing.assert_allclose(reader.get(key), everything[key], rtol=1e-5)
    nearest = reader.search(everything[4321], 1)
    assert nearest[0][0] == 4321


def test_a_graph_takes_in_every_vector_and_little_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "GRAPH_FROM", 500)
    monkeypatch.setattr(vectors, "GRAPH_PIECE", 100)
    vector_folder(tmp_path).mkdir()
    everything = np.random.default_rng(7).normal(size=(2100, DIMENSION)).astype(np.float32)
    manifest = Manifest(dimension=DIMENSION)
    for start, end in ((0, 400), (400, 1000), (1000, 2100)):
        manifest = append_vectors(tmp_path, manifest, list(everything[start:end]))
        remove_unnamed(tmp_path, manifest)
    assert manifest.graph is not None
    assert manifest.graph.count == len(everything)
    reader = VectorReader(tmp_path, manifest)
    assert [reader.search(everything[key], 1)[0][0] for key in range(0, 2100, 50)] == list(range(0, 2100, 50))
    sizes = [len(piece) for piece in reader.pieces(450, 100)]
    assert (sum(sizes), max(sizes)) == (1650, 100)
