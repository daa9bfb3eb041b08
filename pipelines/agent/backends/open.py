"""The search backend that the settings name."""

from core.settings import SearchKind
from pipelines.agent.backends.contract import Backend
from pipelines.agent.backends.http import BraveBackend, SearxngBackend
from pipelines.agent.backends.mcp import McpBackend
from pipelines.agent.backends.store import StoreBackend
from pipelines.resources import Resources


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
