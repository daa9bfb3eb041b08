"""Changes of evidence: what to look at again, with both answers side by side, and as a feed."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from service.api.app_state import state_of
from service.api.responses import ERRORS
from service.auth.access import FEED_PARAMETER, Requirement
from service.auth.keys import Scope
from service.desk.atom import MEDIA_TYPE, atom_feed
from service.desk.changes import Change
from service.desk.side_by_side import SideBySide, side_by_side

MOST_ID = 2**53
ChangeId = Annotated[int, Path(ge=1, le=MOST_ID)]
FEED_LENGTH = 50
FeedKey = Annotated[
    str | None, Query(alias=FEED_PARAMETER, max_length=200, description="A key of scope feed, instead of a header.")
]


class ChangeParameters(BaseModel):
    """Which changes are wanted."""

    limit: int = Field(50, ge=1, le=200)
    before: int | None = Field(None, ge=1, le=MOST_ID, description="The `change_id` of the last on the page before.")
    check_id: Annotated[str | None, Field(max_length=64, description="Only of this check.")] = None
    open_only: bool = Field(False, description="Only those on which nobody has decided yet.")


def changes_router() -> APIRouter:
    """Make the routes."""
    router = APIRouter(prefix="/v1", tags=["desk"], responses=ERRORS)
    reader = [Depends(Requirement(Scope.READ))]

    @router.get("/changes", dependencies=reader, summary="Evidence that has changed, the latest first")
    async def list_changes(request: Request, wanted: Annotated[ChangeParameters, Query()]) -> list[Change]:
        state = state_of(request)
        return await state.reads.do(lambda _: state.changes.find(**wanted.model_dump()))

    @router.get(
        "/changes.atom",
        summary="Evidence that has changed, as an Atom feed",
        response_class=Response,
        dependencies=[Depends(Requirement(Scope.FEED))],
        responses={200: {"content": {MEDIA_TYPE: {"schema": {"type": "string"}, "example": "<feed/>"}}}},
    )
    async def feed(request: Request, key: FeedKey = None) -> Response:
        state = state_of(request)
        found = await state.reads.do(lambda _: state.changes.find(limit=FEED_LENGTH))
        return Response(atom_feed(found, base=str(request.base_url)), media_type=MEDIA_TYPE)

    @router.get(
        "/changes/{change_id}",
        dependencies=reader,
        summary="A change: both answers, and what changed in the articles",
    )
    async def get_change(request: Request, change_id: ChangeId) -> SideBySide:
        state = state_of(request)
        return await state.reads.do(
            lambda _: side_by_side(state.changes.get(change_id), state.database, state.store.get)
        )

    return router
