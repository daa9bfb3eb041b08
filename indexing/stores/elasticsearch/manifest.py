"""The one document that says what is committed."""

from dataclasses import dataclass

from elasticsearch import ConflictError, Elasticsearch, NotFoundError

from core.errors import StoreLockedError, StoreVersionError
from core.types import Model
from indexing.stores.elasticsearch.mapping import FORMAT
from indexing.stores.hints import UNREADABLE_HINT

MANIFEST_ID = "looksy-manifest"
BITS = 128
"""Of the content sum."""


class Manifest(Model):
    """What one commit consists of."""

    format: int = FORMAT
    generation: int = 0
    """Of the last commit; rows of later ones do not count."""
    content: str = "0"
    """Sum of the digests of all rows modulo 2**128, in hexadecimal: the same rows in any order give the same sum."""
    dimension: int | None = None
    """Of the vectors; None: there are none yet."""
    embedder: str | None = None

    def snapshot_id(self) -> str:
        """Name the content."""
        content = f"{int(self.content, 16):032x}"
        return content if self.embedder is None else f"{content}-{self.embedder[:24]}"

    def with_change(self, difference: int) -> "Manifest":
        """Return the manifest with another content sum."""
        total = (int(self.content, 16) + difference) % (1 << BITS)
        return self.model_copy(update={"content": f"{total:x}"})


@dataclass(frozen=True, slots=True)
class Stored:
    """A manifest, and the version of its document, which a writer must have seen to replace it."""

    manifest: Manifest
    seq_no: int | None = None
    primary_term: int | None = None


def read_manifest(client: Elasticsearch, index: str) -> Stored:
    """
    Return the last committed manifest; of an index without commits, an empty one.

    :raises StoreVersionError: If the index was laid out by another version.
    :raises NotFoundError: If there is no such index.
    """
    try:
        found = client.get(index=index, id=MANIFEST_ID)
    except NotFoundError as error:
        if (error.body or {}).get("found") is False:
            return Stored(Manifest())
        raise
    body = found["_source"]["manifest"]
    if body.get("format") != FORMAT:
        raise StoreVersionError(
            f"the index has format {body.get('format')}; this version of Looksy reads {FORMAT}",
            field="store_index",
            hint=UNREADABLE_HINT,
        )
    return Stored(Manifest.model_validate(body), found["_seq_no"], found["_primary_term"])


def write_manifest(client: Elasticsearch, index: str, manifest: Manifest, *, replaces: Stored) -> Stored:
    """
    Commit.

    :param replaces: What the writer started from.
    :raises StoreLockedError: If another writer has committed since.
    """
    guard = (
        {"op_type": "create"}
        if replaces.seq_no is None
        else {"if_seq_no": replaces.seq_no, "if_primary_term": replaces.primary_term}
    )
    try:
        reply = client.index(
            index=index, id=MANIFEST_ID, document={"manifest": manifest.model_dump(mode="json")}, **guard
        )
    except ConflictError as error:
        # A commit whose reply was lost is retried by the client and then meets itself.
        stored = read_manifest(client, index)
        if stored.manifest == manifest:
            return stored
        raise StoreLockedError(
            f"another process committed to {index} meanwhile",
            field="store_index",
            hint="Let it finish, then run 'looksy index' again.",
        ) from error
    return Stored(manifest, reply["_seq_no"], reply["_primary_term"])
