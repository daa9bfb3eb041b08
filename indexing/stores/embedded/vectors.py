"""The vector half: rows of 32-bit floats in files that are written once, found by key."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from indexing.stores.embedded.layout import replacing, vector_folder
from indexing.stores.embedded.manifest import Manifest, VectorFile

Matrix = NDArray[np.float32]


class VectorReader:
    """
    Vectors of one commit, mapped into memory on first use.

    :param folder: Of the index.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self._folder = vector_folder(folder)
        self._manifest = manifest

    @cached_property
    def _parts(self) -> list[tuple[int, Matrix]]:
        """First key and rows of each file; shape of rows: (vectors, dimension)."""
        dimension = self._manifest.dimension or 0
        return [
            (file.first_key, np.memmap(self._folder / file.name, np.float32, "r", shape=(file.count, dimension)))
            for file in self._manifest.vector_files
        ]

    def get(self, key: int) -> Matrix:
        """Return one vector, as it was put in."""
        first_keys = [first for first, _ in self._parts]
        first, rows = self._parts[bisect_right(first_keys, key) - 1]
        return np.asarray(rows[key - first])

    def search(self, vector: Matrix, limit: int) -> list[tuple[int, float]]:
        """
        Find the nearest vectors by cosine.

        :returns: Keys and similarities, most similar first. Rows that are no longer there are among them.
        """
        if not self._parts:
            return []
        keys = np.concatenate([np.arange(first, first + len(rows)) for first, rows in self._parts])
        scores = np.concatenate([_cosine(rows, vector) for _, rows in self._parts])
        best = np.argpartition(-scores, limit - 1)[:limit] if limit < len(scores) else np.arange(len(scores))
        order = best[np.lexsort((keys[best], -scores[best]))]
        return [(int(keys[place]), float(scores[place])) for place in order]


def _cosine(rows: Matrix, vector: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(vector)
    return np.asarray(np.divide(rows @ vector, lengths, out=np.zeros_like(lengths), where=lengths > 0))


def write_vectors(folder: Path, vectors: Sequence[Matrix], *, first_key: int) -> VectorFile:
    """Write vectors into a new file, complete on disk when this returns."""
    name = f"rows-{first_key}-{len(vectors)}.f32"
    with replacing(vector_folder(folder) / name) as path:
        np.stack(vectors).astype(np.float32).tofile(path)
    return VectorFile(name=name, first_key=first_key, count=len(vectors))


def remove_unnamed(folder: Path, manifest: Manifest) -> None:
    """Remove the files that a commit does not name."""
    files = (*manifest.vector_files, *([manifest.graph] if manifest.graph else []))
    named = {file.name for file in files}
    for path in vector_folder(folder).iterdir():
        if path.name not in named:
            path.unlink(missing_ok=True)
