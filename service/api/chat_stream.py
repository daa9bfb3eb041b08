"""
A chat's answer as OpenAI's chunks.

While the answer is made, stages come as comments, which keep the connection open and which clients skip. The text comes
when it has been checked, sentence by sentence: words that a check would drop are never sent.
"""

import json
import re
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import uuid4

from fastapi import Request as HttpRequest

from core.errors import LooksyError
from core.progress import ProgressEvent
from core.types import Request, Result
from service.api.app_state import AppState
from service.api.errors import error_body, request_id
from service.api.stream import KEEP_ALIVE, follow

_PIECES = re.compile(r"\n+|(?<=[.!?])\s+")
"""Where a text may be cut: after lines and sentences; what is cut out belongs to the piece before it."""


async def stream_chat(
    state: AppState, system: str, query: Request, request: HttpRequest, *, model: str
) -> AsyncIterator[str]:
    """Answer a query; yield server-sent events up to `[DONE]`, or an error, after which there is none."""
    from pipelines.rendering.render import to_markdown

    head = {"id": f"chatcmpl-{uuid4().hex}", "created": int(time.time()), "model": model}
    yield _chunk(head, {"role": "assistant", "content": ""})
    async for happening in follow(state, system, query):
        if isinstance(happening, LooksyError):
            yield _data({"error": error_body(happening, request_id(request)).model_dump()})
            return
        if isinstance(happening, Result):
            for piece in cut_text(to_markdown(happening)):
                yield _chunk(head, {"content": piece})
        else:
            yield f": {happening.stage.value}\n\n" if isinstance(happening, ProgressEvent) else KEEP_ALIVE
    yield _chunk(head, {}, finish="stop")
    yield "data: [DONE]\n\n"


def cut_text(text: str) -> Iterator[str]:
    """Cut a text into lines and sentences that, put together, are the text."""
    position = 0
    for match in _PIECES.finditer(text):
        yield text[position : match.end()]
        position = match.end()
    if position < len(text):
        yield text[position:]


def _chunk(head: dict[str, Any], delta: dict[str, Any], *, finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _data({**head, "object": "chat.completion.chunk", "choices": [choice]})


def _data(content: dict[str, Any]) -> str:
    return f"data: {json.dumps(content, ensure_ascii=False)}\n\n"
