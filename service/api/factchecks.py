"""`POST /v1/factchecks/match`: published fact-checks that a text is about."""

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from core.requests import check_text
from core.types import FactCheckMatch, Model
from service.api.app_state import AppState, state_of
from service.api.bodies import Body
from service.api.responses import ERRORS
from service.auth.access import Requirement
from service.auth.keys import Scope

MAX_CHARS = 4000
MAX_TOP_K = 100


class MatchBody(Body):
    """A text to find fact-checks for."""

    text: str = Field(max_length=MAX_CHARS, description="A claim, a post or a headline.")
    top_k: int = Field(5, ge=1, le=MAX_TOP_K, description="Fact-checks to return.")


class MatchesBody(Model):
    """The fact-checks that a text may be about, best first; none where nothing was imported."""

    matches: tuple[FactCheckMatch, ...]


def factchecks_router() -> APIRouter:
    """Make the route."""
    router = APIRouter(
        prefix="/v1/factchecks", tags=["fact-checks"], dependencies=[Depends(Requirement(Scope.READ))], responses=ERRORS
    )

    @router.post("/match", summary="Published fact-checks that a text is about")
    async def match_factchecks(request: Request, body: MatchBody) -> MatchesBody:
        text = check_text(body.text, max_chars=MAX_CHARS)
        state = state_of(request)
        return await state.reads.do(lambda _: _match(state, text, body.top_k))

    return router


def _match(state: AppState, text: str, top_k: int) -> MatchesBody:
    if not state.earlier.store.is_there:
        return MatchesBody(matches=())
    return MatchesBody(matches=state.earlier.matcher.match(text, top_k=top_k))
