"""What `/readyz` asks: index, models, generator."""

import httpx

from core.errors import UnavailableError
from core.keys import header_key
from core.settings import GeneratorKind, Settings
from indexing.stores.open import open_store
from service.api.app_state import AppState
from service.api.health import Check

PROBE_TIMEOUT_S = 2.0


def readiness_checks(state: AppState) -> dict[str, Check]:
    """Return the check of each part that this installation needs."""
    settings = state.settings
    checks: dict[str, Check] = {"index": lambda: _check_index(settings), "models": state.asker.warm_up}
    if settings.generator is GeneratorKind.OPENAI:
        checks["generator"] = lambda: check_generator(settings)
    return checks


def _check_index(settings: Settings) -> None:
    open_store(settings).close()


def check_generator(settings: Settings) -> None:
    """
    Ask the generator for its models.

    :raises ConfigError: If its key is one that no header can hold.
    :raises UnavailableError: If it does not answer as it should.
    """
    url = f"{(settings.generator_url or '').rstrip('/')}/models"
    key = header_key(settings.generator_api_key, field="generator_api_key")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        httpx.get(url, headers=headers, timeout=PROBE_TIMEOUT_S).raise_for_status()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise UnavailableError(
            f"The generator does not answer as it should: {type(error).__name__}",
            field="generator_url",
            hint="Start it, or set generator_url to where it is.",
        ) from error
