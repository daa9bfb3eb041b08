"""Whether what is in an index can be read."""

from core.errors import StoreMissingError, StoreVersionError
from indexing.stores.contract import EvidenceStore


def is_readable(store: EvidenceStore) -> bool:
    """Say whether this version of Looksy can read an index; where there is none, there is nothing it could not."""
    try:
        store.snapshot_id()
    except StoreMissingError:
        return True
    except StoreVersionError:
        return False
    return True
