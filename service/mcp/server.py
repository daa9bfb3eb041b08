"""The tools served with the official SDK of the Model Context Protocol (https://modelcontextprotocol.io)."""

import asyncio
import contextvars
import logging
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from core import __version__
from core.errors import BusyError, CancelledError, LooksyError
from core.progress import ProgressEvent
from service.mcp.stdio import BoundedLines, Exchange
from service.mcp.tools import Reply, Tool

logger = logging.getLogger(__name__)
AT_ONCE = 2
"""Calls that are worked on at one time: each can take all cores."""
WAITING = 16
"""Calls that may wait beside those."""
INSTRUCTIONS = "Quotes are verbatim. Where the verdict is unverified, do not present the claim as settled."
Context = ServerRequestContext[Any, Any]


class ToolServer:
    """
    Serve tools.

    :param tools: Name to tool.
    """

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self.tools = tools
        self._threads = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="tool")
        self._jobs: set[Future[Reply]] = set()
        self.server: Server[Any] = Server(
            "looksy",
            version=__version__,
            title="Looksy",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def serve(self) -> None:
        """Serve on standard input and output until the input ends and what was asked is answered."""
        lines: Any = BoundedLines(sys.stdin.buffer)  # the SDK iterates over it, no more
        try:
            async with stdio_server(stdin=lines) as (read, write):
                exchange = Exchange(read, write)
                await self.server.run(exchange, exchange.replies, self.server.create_initialization_options())
        finally:
            self.close()

    def close(self) -> None:
        """Refuse further calls; one on its way stops at its next step, and is waited for."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def _list(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        hints = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=one.name,
                    title=one.title,
                    description=one.description,
                    input_schema=one.schema,
                    annotations=hints,
                )
                for one in self.tools.values()
            ]
        )

    async def _call(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self.tools.get(params.name)
        if tool is None:
            names = ", ".join(self.tools)
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name[:60]!r}; use one of: {names}.")
        try:
            return _result(await self._work(context, tool, params.arguments or {}))
        except LooksyError as error:  # for the model to read and mend
            text = " ".join(part for part in (error.message + ".", error.hint) if part)
            return _result(Reply(text, {}, is_error=True))
        except Exception as error:
            logger.exception("tool failed", extra={"tool": tool.name})
            raise MCPError(types.INTERNAL_ERROR, "Something went wrong in Looksy.") from error

    async def _work(self, context: Context, tool: Tool, arguments: dict[str, Any]) -> Reply:
        """
        Run a tool in a thread; stop it when the client cancels the request.

        :raises BusyError: If as many calls are waiting as may.
        """
        if len(self._jobs) >= AT_ONCE + WAITING:
            raise BusyError(f"{len(self._jobs)} calls are being answered or waiting", hint="Try again in a moment.")
        stop, loop = threading.Event(), asyncio.get_running_loop()
        told = 0

        def report(event: ProgressEvent) -> None:
            nonlocal told
            if stop.is_set():
                raise CancelledError("the client cancelled the request")
            told += 1  # the protocol wants a number that grows; `done` begins again with each stage
            asyncio.run_coroutine_threadsafe(_tell(context, event, told), loop)

        def work() -> Reply:
            if stop.is_set():
                raise CancelledError("the client cancelled the request")
            return tool.run(arguments, report)

        job = self._threads.submit(contextvars.copy_context().run, work)
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        try:
            return await asyncio.wrap_future(job)
        finally:
            stop.set()


async def _tell(context: Context, event: ProgressEvent, told: int) -> None:
    """Send a progress notification, if the client asked for them."""
    counted = f"{event.done} of {event.total} {event.unit}" if event.total else ""
    message = ", ".join(part for part in (event.message or event.stage.value, counted) if part)
    is_counted = event.unit == "claims" and event.total
    await context.session.report_progress(
        float(event.done if is_counted else told), float(event.total) if is_counted and event.total else None, message
    )


def _result(reply: Reply) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(text=reply.text)],
        structured_content=reply.structured or None,
        is_error=reply.is_error,
    )


def run_stdio(tools: Mapping[str, Tool]) -> None:
    """Serve on standard input and output until the input ends, or a signal comes in whatever task runs then."""
    try:
        asyncio.run(ToolServer(tools).serve())
    except BaseExceptionGroup as group:
        stopped: BaseException | None = group.subgroup(KeyboardInterrupt)
        if stopped is None:
            raise
        while isinstance(stopped, BaseExceptionGroup):
            stopped = stopped.exceptions[0]
        raise stopped from group
