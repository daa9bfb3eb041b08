"""What the retrievers ask of their store and their arguments."""

from typing import Any

from core.errors import ConfigError, InputError
from indexing.stores.contract import EvidenceStore

MAX_TOP_K = 1000


def require_store(store: EvidenceStore | None, component: str) -> EvidenceStore:
    """
    Return the store that a component was built with.

    :raises ConfigError: If there is none.
    """
    if store is None:
        raise ConfigError(
            f"{component} has no document_store",
            field="document_store",
            hint="Give one to its constructor or in the pipeline file, or run it through pipelines.engine.Engine.",
        )
    return store


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
