"""What the handlers of one app share."""

from dataclasses import dataclass
from typing import cast

from fastapi import Request

from core.settings import Settings
from service.api.work import Workshop
from service.asking import Asker


@dataclass(frozen=True)
class AppState:
    """Settings, and what does the work."""

    settings: Settings
    asker: Asker
    workshop: Workshop


def state_of(request: Request) -> AppState:
    """Return the state of the app that handles this request."""
    return cast(AppState, request.app.state.looksy)
