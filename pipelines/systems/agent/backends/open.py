"""The search backend that the settings name."""

from collections.abc import Callable

from core.settings import SearchKind, Settings
from indexing.stores.contract import EvidenceStore
from pipelines.systems.agent.backends.contract import Backend
from pipelines.systems.agent.backends.http import BraveBackend, SearxngBackend
from pipelines.systems.agent.backends.mcp import McpBackend
from pipelines.systems.agent.backends.store import StoreBackend


def open_backend(settings: Settings, open_store: Callable[[], EvidenceStore]) -> Backend:
    """
    Make the backend; nothing is asked yet.

    :param open_store: Opens our index; called only where that is searched.
    :raises ConfigError: If a setting that it needs is missing.
    """
    if settings.search_backend is SearchKind.SEARXNG:
        return SearxngBackend(settings)
    if settings.search_backend is SearchKind.BRAVE:
        return BraveBackend(settings)
    if settings.search_backend is SearchKind.MCP:
        return McpBackend(settings)
    return StoreBackend(open_store(), settings)
