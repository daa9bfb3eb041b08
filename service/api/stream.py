"""
Answers as server-sent events: `stage` while it works, `token` as the answer is written, then `result` or `error`.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Request as HttpRequest
from fastapi.responses import StreamingResponse

from core.errors import LooksyError
from core.progress import ProgressEvent
from core.types import Request, Result
from service.api.app_state import AppState
from service.api.errors import error_body, request_id

KEEP_ALIVE_S = 10.0
MEDIA_TYPE = "text/event-stream"
EVENT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "One event; `data` is JSON: a progress event, a result, or an error body.",
    "properties": {"event": {"enum": ["stage", "token", "result", "error"]}, "data": {"type": "string"}},
}
_END = object()


def stream_result(state: AppState, system: str, query: Request, request: HttpRequest) -> StreamingResponse:
    """Answer a query as a stream of events."""
    return StreamingResponse(
        _events(state, system, query, request), media_type=MEDIA_TYPE, headers={"X-Accel-Buffering": "no"}
    )


async def _events(state: AppState, system: str, query: Request, request: HttpRequest) -> AsyncIterator[str]:
    loop, queue = asyncio.get_running_loop(), asyncio.Queue[Any]()

    def report(event: ProgressEvent) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, event)

    async def work() -> None:
        try:
            await queue.put(
                await state.answers.do(
                    lambda progress: state.asker.run(system, query, progress=progress), progress=report
                )
            )
        except LooksyError as error:
            await queue.put(error)
        finally:
            await queue.put(_END)

    task = asyncio.create_task(work())
    try:
        async for item in _until_end(queue):
            yield _write(item, request)
    finally:  # the client went: the work is stopped at its next stage
        task.cancel()


async def _until_end(queue: "asyncio.Queue[Any]") -> AsyncIterator[Any]:
    while True:
        try:
            item = await asyncio.wait_for(queue.get(), timeout=KEEP_ALIVE_S)
        except TimeoutError:
            item = None
        if item is _END:
            return
        yield item


def _write(item: object, request: HttpRequest) -> str:
    if isinstance(item, ProgressEvent):
        return _event("token" if item.unit == "token" else "stage", item.model_dump(mode="json"))
    if isinstance(item, Result):
        return _event("result", item.model_dump(mode="json", exclude={"run"}))
    if isinstance(item, LooksyError):
        return _event("error", error_body(item, request_id(request)).model_dump())
    return ": still working\n\n"


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
