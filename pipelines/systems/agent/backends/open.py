"""The search backend that the settings name."""

from core.settings import SearchKind
from pipelines.resources import Resources
from pipelines.systems.agent.backends.contract import Backend
from pipelines.systems.agent.backends.http import BraveBackend, SearxngBackend
from pipelines.systems.agent.backends.mcp import McpBackend
from pipelines.systems.agent.backends.store import StoreBackend


def open_backend(resources: Resources) -> Backend:
    """
    Make the backend; nothing is asked yet.

    :raises ConfigError: If a setting that it needs is missing.
    """
    settings = resources.settings
    if settings.search_backend is SearchKind.SEARXNG:
        return SearxngBackend(settings)
    if settings.search_backend is SearchKind.BRAVE:
        return BraveBackend(settings)
    if settings.search_backend is SearchKind.MCP:
        return McpBackend(settings)
    return StoreBackend(resources.store(), settings)
