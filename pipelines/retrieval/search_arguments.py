"""What the retrievers ask of their store and their arguments."""

from typing import Any, Protocol, runtime_checkable

from core.errors import ConfigError, InputError
from indexing.stores.contract import EvidenceStore

MAX_TOP_K = 1000


@runtime_checkable
class NeedsStore(Protocol):
    """A component that searches a store, set in the constructor or before the first run."""

    document_store: EvidenceStore | None


def require_store(component: NeedsStore) -> EvidenceStore:
    """
    Return the component's store.

    :raises ConfigError: If none was set.
    """
    if component.document_store is None:
        raise ConfigError(
            f"{type(component).__name__} has no document_store",
            field="document_store",
            hint="Name one in the pipeline file, or run the pipeline through pipelines.engine.Engine.",
        )
    return component.document_store


def checked_top_k(top_k: int | None, default: int) -> int:
    """
    Return the number of passages to retrieve.

    :raises InputError: If it is out of range.
    """
    wanted = default if top_k is None else top_k
    if not 1 <= wanted <= MAX_TOP_K:
        raise InputError(
            f"top_k is {wanted}; 1 to {MAX_TOP_K} are accepted", field="top_k", hint="Ask for fewer passages."
        )
    return wanted


def merged_filters(own: dict[str, Any] | None, given: dict[str, Any] | None) -> dict[str, Any] | None:
    """Keep what passes both the component's filters and those of the query; either may be None."""
    if own and given:
        return {"operator": "AND", "conditions": [own, given]}
    return own or given
