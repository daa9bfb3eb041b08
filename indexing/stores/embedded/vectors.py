"""
The vector half: rows of 32-bit floats in files that are written once, found by key.

All rows are compared with the query until there are `GRAPH_FROM`; from then on most of them are reached through a graph
(HNSW with 8-bit vectors, from faiss), and only the newest are compared one by one. What the graph finds is scored from
the rows. Measurements: docs/indexing.md.
"""

import shutil
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from core.files import replacing
from indexing.stores.embedded.layout import vector_folder
from indexing.stores.embedded.manifest import Manifest, VectorFile

GRAPH_FROM = 20_000
"""Vectors from which a graph is worth its making."""
GRAPH_SHARE = 0.2
"""The graph takes in the newest vectors when they are this share of those in it."""
LINKS = 16
EF_CONSTRUCTION = 128
EF_SEARCH = 128
COPY_BYTES = 1 << 20
GRAPH_PIECE = 5_000
"""Vectors that are in memory at one time while the graph takes them in, beside the graph itself."""
OVERSAMPLING = 4
"""Neighbours that the graph is asked for, per neighbour wanted: their order comes from 32 bits, not 8."""

Matrix = NDArray[np.float32]
Keys = NDArray[np.int64]
Nearest = list[tuple[int, float]]
"""Keys and cosine similarities, most similar first."""


class VectorReader:
    """
    Vectors of one commit, mapped into memory.

    A row holds a unit vector and then its length; shape of a file: (vectors, dimension + 1). A query with 0 in the last
    place makes the inner product the cosine.

    :param folder: Of the index.
    :raises FileNotFoundError: If a newer commit has removed a file.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        files = manifest.vector_files
        width = (manifest.dimension or 0) + 1
        self._first_keys = [file.first_key for file in files]
        self._parts: list[Matrix] = [
            np.memmap(vector_folder(folder) / file.name, np.float32, "r", shape=(file.count, width)) for file in files
        ]
        self._graph = _open_graph(vector_folder(folder) / manifest.graph.name) if manifest.graph else None
        self._graph_end = _end(manifest.graph) if manifest.graph else 0
        self.total = _end(files[-1]) if files else 0

    def get(self, key: int) -> Matrix:
        """Return one vector, as it was put in."""
        row = self._row(key)
        return np.asarray(row[:-1] * row[-1])

    def _row(self, key: int) -> Matrix:
        place = bisect_right(self._first_keys, key) - 1
        return np.asarray(self._parts[place][key - self._first_keys[place]])

    def gather(self, keys: Sequence[int]) -> Matrix:
        """Return several rows; shape (keys, dimension + 1)."""
        return np.stack([self._row(key) for key in keys])

    def pieces(self, first_key: int, size: int) -> Iterator[Matrix]:
        """Yield the vectors from a key on, in order of their keys; shapes (<= size, dimension)."""
        for first, part in zip(self._first_keys, self._parts, strict=True):
            for start in range(max(0, first_key - first), len(part), size):
                yield np.ascontiguousarray(part[start : start + size, :-1])

    def search(self, vector: Matrix, limit: int) -> Nearest:
        """Find the nearest vectors. Rows that are no longer there are among them."""
        query = _as_query(vector)
        found = self._search_graph(query, limit)
        for first, part in zip(self._first_keys, self._parts, strict=True):
            begin = max(first, self._graph_end)
            rows = part[begin - first :]
            if len(rows):
                found += _nearest(rows, query, limit, keys=np.arange(begin, begin + len(rows), dtype=np.int64))
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def search_among(self, vector: Matrix, keys: Sequence[int], limit: int) -> Nearest:
        """Find the nearest of some vectors, exactly."""
        if not keys:
            return []
        return _nearest(self.gather(keys), _as_query(vector), limit, keys=np.asarray(keys, dtype=np.int64))

    def _search_graph(self, query: Matrix, limit: int) -> Nearest:
        if self._graph is None:
            return []
        wanted = min(limit * OVERSAMPLING, self._graph_end)
        effort = faiss.SearchParametersHNSW(efSearch=max(EF_SEARCH, wanted))
        _, found = self._graph.search(query[None, :-1], wanted, params=effort)
        keys = found[0][found[0] >= 0]
        return _nearest(self.gather(keys.tolist()), query, limit, keys=keys)


def _as_query(vector: Matrix) -> Matrix:
    """Return the unit vector with 0 behind it."""
    return np.append(vector / (np.linalg.norm(vector) or 1.0), 0.0).astype(np.float32)


def _nearest(rows: Matrix, query: Matrix, limit: int, *, keys: Keys) -> Nearest:
    """Compare the query with all rows; `keys` are the rows' names."""
    scores, places = faiss.knn(query[None], rows, min(limit, len(rows)), metric=faiss.METRIC_INNER_PRODUCT)
    return [(int(keys[place]), float(score)) for place, score in zip(places[0], scores[0], strict=True)]


def _open_graph(path: Path) -> Any:
    if not path.exists():
        raise FileNotFoundError(path)
    return faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)


def _end(file: VectorFile) -> int:
    return file.first_key + file.count


# -- writing ---------------------------------------------------------------------------------------------------------


def append_vectors(folder: Path, manifest: Manifest, vectors: Sequence[Matrix]) -> Manifest:
    """
    Write vectors into a new file, complete on disk when this returns.

    Files are joined as the digits of a counter carry, so that there are few and each vector is rewritten seldom.

    :returns: The manifest of the next commit.
    """
    files = list(manifest.vector_files)
    rows = _as_rows(np.stack(vectors))
    joined: list[VectorFile] = []
    count = len(rows)
    while files and files[-1].count <= count:
        joined.insert(0, files.pop())
        count += joined[0].count
    files.append(_write(folder, joined, rows, first_key=joined[0].first_key if joined else manifest.next_key))
    grown = manifest.model_copy(update={"vector_files": tuple(files), "next_key": manifest.next_key + len(vectors)})
    return grown.model_copy(update={"graph": _grow_graph(folder, grown)})


def _as_rows(vectors: Matrix) -> Matrix:
    """Return unit vectors with their lengths behind them."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.concatenate([vectors / np.where(lengths > 0, lengths, 1), lengths], axis=1, dtype=np.float32)


def _write(folder: Path, joined: Sequence[VectorFile], rows: Matrix, *, first_key: int) -> VectorFile:
    """Write the rows of some files, piece by piece, and new ones behind them into one file."""
    count = sum(file.count for file in joined) + len(rows)
    name = f"rows-{first_key}-{count}.f32"
    with replacing(vector_folder(folder) / name) as path, path.open("wb") as whole:
        for file in joined:
            with (vector_folder(folder) / file.name).open("rb") as part:
                shutil.copyfileobj(part, whole, COPY_BYTES)
        whole.write(rows.data)
        whole.flush()
    return VectorFile(name=name, first_key=first_key, count=count)


def _grow_graph(folder: Path, manifest: Manifest) -> VectorFile | None:
    """Take the newest vectors into the graph when they have become many."""
    old = manifest.graph
    end = _end(old) if old else 0
    if manifest.next_key < GRAPH_FROM or manifest.next_key - end < max(GRAPH_SHARE * end, 1):
        return old
    reader = VectorReader(folder, manifest.model_copy(update={"graph": None}))
    graph = faiss.read_index(str(vector_folder(folder) / old.name)) if old else _new_graph(reader)
    for rows in reader.pieces(end, GRAPH_PIECE):
        graph.add(rows)
    name = f"graph-{manifest.next_key}.faiss"
    with replacing(vector_folder(folder) / name) as path:
        faiss.write_index(graph, str(path))
    return VectorFile(name=name, first_key=0, count=manifest.next_key)


def _new_graph(reader: VectorReader) -> Any:
    """Make an empty graph whose 8 bits are spread over the range of the first vectors."""
    first = next(reader.pieces(0, GRAPH_FROM))
    graph = faiss.IndexHNSWSQ(first.shape[1], faiss.ScalarQuantizer.QT_8bit, LINKS, faiss.METRIC_INNER_PRODUCT)
    graph.hnsw.efConstruction = EF_CONSTRUCTION
    graph.train(first)
    return graph


def remove_unnamed(folder: Path, manifest: Manifest) -> None:
    """Remove the files that a commit does not name."""
    files = (*manifest.vector_files, *([manifest.graph] if manifest.graph else []))
    named = {file.name for file in files}
    for path in vector_folder(folder).iterdir():
        if path.name not in named:
            path.unlink(missing_ok=True)
