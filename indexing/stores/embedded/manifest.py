"""What one commit of the embedded store consists of."""

from core.types import Model

SNAPSHOT_BITS = 128


class VectorFile(Model):
    """Vectors of one file, in the order of their keys."""

    name: str
    first_key: int
    count: int


class Manifest(Model):
    """Stands in every tantivy commit as a document of its own: both halves become visible in one step."""

    content: int = 0
    """Sum of the digests of all rows modulo 2**128: the same rows in any order give the same sum."""
    next_key: int = 0
    """Key of the next vector."""
    dimension: int | None = None
    """Of the vectors; None: there are none yet."""
    embedder: str | None = None
    vector_files: tuple[VectorFile, ...] = ()
    graph: VectorFile | None = None
    """Approximate index over all vectors with keys below `first_key + count`; None: all are compared."""

    def snapshot_id(self) -> str:
        """Name the content."""
        return f"{self.content:032x}" if self.embedder is None else f"{self.content:032x}-{self.embedder[:24]}"


def add_digest(content: int, digest: int) -> int:
    """Return the content sum with one more row."""
    return (content + digest) % (1 << SNAPSHOT_BITS)


def remove_digest(content: int, digest: int) -> int:
    """Return the content sum without that row."""
    return (content - digest) % (1 << SNAPSHOT_BITS)
