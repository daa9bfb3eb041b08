"""
Answers as server-sent events: `stage` while it works, `token` as the answer is written, then `result` or `error`.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Request as HttpRequest
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from core.errors import BusyError, LooksyError
from core.progress import ProgressEvent
from core.types import Request, Result
from service.api.app_state import AppState
from service.api.errors import error_body, request_id

logger = logging.getLogger(__name__)
KEEP_ALIVE_S = 10.0
LONGEST_S = 3600.0
"""The stream of a whole text that is checked ends then; the check goes on when it is asked for again."""
READING_S = 30.0
"""A client has this long beyond the time of an answer to read its stream; then it is cut."""
MEDIA_TYPE = "text/event-stream"
EVENT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "One event; `data` is JSON: a progress event, a result, or an error body.",
    "properties": {"event": {"enum": ["stage", "token", "result", "error"]}, "data": {"type": "string"}},
}
KEEP_ALIVE = ": still working\n\n"
Happening = ProgressEvent | Result | LooksyError | None
"""What is told of an answer while it is made; None: nothing new for `KEEP_ALIVE_S`."""
_END = object()


class BoundedStream(StreamingResponse):
    """
    A stream of events that ends in time, whether its client reads or not. At most `AppState.max_streams` are open.

    :param events: What to send.
    :param limited: End it when an answer would have had to end; a whole text takes longer.
    :raises BusyError: If as many are open, or there is no room for one more answer.
    """

    def __init__(self, state: AppState, events: AsyncIterator[str], *, limited: bool = True) -> None:
        super().__init__(events, media_type=MEDIA_TYPE, headers={"X-Accel-Buffering": "no"})
        state.answers.check_room()
        if state.streams.open >= state.max_streams:
            raise BusyError(f"{state.streams.open} streams are open", hint="Close one, or try again in a moment.")
        state.streams.open += 1
        self.state = state
        self.limit_s = state.settings.request_timeout + READING_S if limited else LONGEST_S

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            async with asyncio.timeout(self.limit_s):
                await super().__call__(scope, receive, send)
        except TimeoutError:
            logger.warning("stream cut: its client did not read it in time")
        finally:
            self.state.streams.open -= 1


def stream_result(state: AppState, system: str, query: Request, request: HttpRequest) -> BoundedStream:
    """Answer a query as a stream of events."""

    async def events() -> AsyncIterator[str]:
        async for happening in follow(state, system, query):
            yield _write(happening, request)

    return BoundedStream(state, events())


async def follow(state: AppState, system: str, query: Request) -> AsyncIterator[Happening]:
    """Answer a query, and yield what happens until there is a result or an error."""
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
        except Exception:
            logger.exception("stream failed")
            await queue.put(LooksyError("Something went wrong in the service.", hint="Report it with the request id."))
        finally:
            await queue.put(_END)

    task = asyncio.create_task(work())
    try:
        async for item in _until_end(queue):
            yield item
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


def _write(item: Happening, request: HttpRequest) -> str:
    if isinstance(item, ProgressEvent):
        return _event("token" if item.unit == "token" else "stage", item.model_dump(mode="json"))
    if isinstance(item, Result):
        return _event("result", item.model_dump(mode="json", exclude={"run"}))
    if isinstance(item, LooksyError):
        return _event("error", error_body(item, request_id(request)).model_dump())
    return KEEP_ALIVE


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
