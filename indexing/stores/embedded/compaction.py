"""Taking out what is dead: rows that were deleted or replaced, and vectors that no row names."""

import json
from pathlib import Path

from indexing.stores.embedded import filter_query
from indexing.stores.embedded.layout import text_folder
from indexing.stores.embedded.view import View
from indexing.stores.embedded.writer import EmbeddedWriter

FEWEST_DEAD = 10_000
"""Less than this is not worth a pass over the index."""
ROWS_PER_COMMIT = 20_000


def is_bloated(view: View) -> bool:
    """Say whether more is dead than alive, among the rows or among the vectors."""
    with_vector = view.count(filter_query.with_vector())
    dead_vectors = view.vectors.total - with_vector
    dead_rows = deleted_rows(view.folder)
    return _outweighs(dead_rows, view.searcher.num_docs) or _outweighs(dead_vectors, with_vector)


def _outweighs(dead: int, alive: int) -> bool:
    return dead > FEWEST_DEAD and dead > alive


def deleted_rows(folder: Path) -> int:
    """Count the rows that tantivy has marked as deleted and still keeps."""
    meta = json.loads((text_folder(folder) / "meta.json").read_text())
    return sum((segment["deletes"] or {}).get("num_deleted_docs", 0) for segment in meta["segments"])


def copy_live(view: View, writer: EmbeddedWriter) -> None:
    """Put all rows of one index into another, with their vectors; the content stays the same."""
    writer.adopt(view.manifest)
    for number, (_, address) in enumerate(view.addresses(filter_query.passages()), start=1):
        row = view.row(address)
        writer.copy_row(row, view.vectors.get(row.key) if row.key is not None else None)
        if number % ROWS_PER_COMMIT == 0:
            writer.commit()
