"""Routes made from the list of systems: a new system needs no code here."""

from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response, StreamingResponse

from core.types import Result
from pipelines.contracts.system import SystemInfo
from pipelines.systems.registry import list_systems, request_for
from service.api.app_state import state_of
from service.api.bodies import QueryBody, SystemBody, body_for
from service.api.negotiation import JSON, MARKDOWN, preferred
from service.api.responses import ERRORS
from service.api.stream import EVENT_SCHEMA, MEDIA_TYPE, stream_result
from service.auth.access import Requirement
from service.auth.keys import Scope
from service.schemas import inlined

_RESULT_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "model": Result,
        "description": "The result. `status: failed` says why there is no verdict.",
        "content": {MARKDOWN: {"schema": {"type": "string"}}},
    },
    **ERRORS,
}


def systems_router() -> APIRouter:
    """Make `GET /v1/systems`, and `POST /v1/<system>` for each of them."""
    router = APIRouter(prefix="/v1", tags=["ask"])
    systems = list_systems()

    @router.get(
        "/systems",
        summary="What can be asked for",
        dependencies=[Depends(Requirement(Scope.READ))],
        responses=ERRORS,
    )
    async def get_systems() -> list[SystemBody]:
        return [
            SystemBody(
                name=info.name,
                title=info.title,
                summary=info.summary,
                path=f"/v1/{info.name}",
                options=inlined(dict(info.options)),
            )
            for info in systems
        ]

    for info in systems:
        _add_system(router, info)
    return router


def _add_system(router: APIRouter, info: SystemInfo) -> None:
    body_type = body_for(info.name, dict(info.options), max_chars=info.max_chars)

    async def ask(request: Request, body: QueryBody) -> Response:
        query = request_for(info.name, body.model_dump(exclude_none=True))
        state = state_of(request)
        result = await state.answers.do(
            lambda progress: state.asker.run(info.name, query, progress=progress), request=request
        )
        return result_response(result, accept=request.headers.get("accept", ""))

    async def ask_stream(request: Request, body: QueryBody) -> Response:
        query = request_for(info.name, body.model_dump(exclude_none=True))
        return stream_result(state_of(request), info.name, query, request)

    ask.__annotations__["body"] = ask_stream.__annotations__["body"] = body_type
    router.add_api_route(
        f"/{info.name}/stream",
        ask_stream,
        methods=["POST"],
        name=f"{info.name}_stream",
        operation_id=f"{info.name}_stream",
        summary=f"{info.title}, as a stream",
        description="Server-sent events: `stage`, `token`, then `result` or `error`.",
        dependencies=[Depends(Requirement(Scope.RUN))],
        response_class=StreamingResponse,
        responses={200: {"content": {MEDIA_TYPE: {"schema": EVENT_SCHEMA}}}, **ERRORS},
    )
    router.add_api_route(
        f"/{info.name}",
        ask,
        methods=["POST"],
        name=info.name,
        operation_id=info.name,
        dependencies=[Depends(Requirement(Scope.RUN))],
        summary=info.title,
        description=info.summary,
        responses=_RESULT_RESPONSES,
    )


def result_response(result: Result, *, accept: str) -> Response:
    """Serialise a result as the client asks: JSON, or Markdown."""
    if preferred(accept, (JSON, MARKDOWN)) == MARKDOWN:
        from pipelines.rendering.render import to_markdown

        return PlainTextResponse(to_markdown(result), media_type=MARKDOWN)
    return Response(result.model_dump_json(exclude={"run"}), media_type=JSON)
