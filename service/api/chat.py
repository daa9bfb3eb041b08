"""
An OpenAI-compatible `/v1/chat/completions`: a chat client asks Looksy as if it were a model.

The last user message is the query; earlier messages are not used, for each answer rests on the articles alone. The
model's name is a system's: `looksy` (verify) or `looksy-<system>`.
Source: https://platform.openai.com/docs/api-reference/chat
"""

import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from core.errors import InputError, NotFoundError
from core.types import Request as Query
from core.types import Result
from pipelines.systems.registry import list_systems, request_for
from service.api.app_state import state_of
from service.api.chat_stream import stream_chat
from service.api.responses import ERRORS
from service.api.stream import MEDIA_TYPE, BoundedStream
from service.auth.access import Requirement
from service.auth.keys import Scope

PREFIX = "looksy"
DEFAULT_SYSTEM = "verify"
MAX_MESSAGES = 200
_STREAM = {"type": "string", "description": "With `stream`: `chat.completion.chunk` objects as events, then `[DONE]`."}


class ChatPart(BaseModel):
    """A piece of a message; only text can be checked."""

    model_config = ConfigDict(frozen=True)

    type: str
    text: str | None = None


class ChatMessage(BaseModel):
    """One message of a chat."""

    model_config = ConfigDict(frozen=True)

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[ChatPart] | None = None


class ChatBody(BaseModel):
    """A chat. Parameters of sampling are accepted and not used."""

    model_config = ConfigDict(frozen=True)

    model: str = Field(PREFIX, max_length=100, examples=[PREFIX])
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=MAX_MESSAGES)]
    stream: bool | None = False
    """None, as OpenAI's clients may send: false."""


def chat_router() -> APIRouter:
    """Make the routes."""
    router = APIRouter(prefix="/v1", tags=["chat"], responses=ERRORS)

    @router.get("/models", summary="Systems as models", dependencies=[Depends(Requirement(Scope.READ))])
    async def list_models() -> dict[str, Any]:
        names = [PREFIX] + [f"{PREFIX}-{info.name}" for info in list_systems()]
        return {
            "object": "list",
            "data": [{"id": name, "object": "model", "created": 0, "owned_by": PREFIX} for name in names],
        }

    @router.post(
        "/chat/completions",
        summary="Ask as a chat (OpenAI-compatible)",
        dependencies=[Depends(Requirement(Scope.RUN))],
        responses={200: {"content": {MEDIA_TYPE: {"schema": _STREAM}}}},
    )
    async def complete(request: Request, body: ChatBody) -> Any:
        from pipelines.rendering.render import to_markdown

        system = _system_of(body.model)
        query = _request(system, _question(body.messages))
        state = state_of(request)
        if body.stream:
            return BoundedStream(state, stream_chat(state, system, query, request, model=body.model))
        result = await state.answers.do(
            lambda progress: state.asker.run(system, query, progress=progress), request=request
        )
        return _answer(result, to_markdown(result), body)

    return router


def _system_of(model: str) -> str:
    known = {PREFIX: DEFAULT_SYSTEM} | {f"{PREFIX}-{info.name}": info.name for info in list_systems()}
    if model not in known:
        raise NotFoundError(f"there is no model {model[:60]!r}", field="model", hint=f"Use one of: {', '.join(known)}.")
    return known[model]


def _question(messages: list[ChatMessage]) -> str:
    content = next((message.content for message in reversed(messages) if message.role == "user"), None)
    if content is None:
        raise InputError("messages holds no user message with text", field="messages", hint="Ask something.")
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content if part.text)


def _request(system: str, text: str) -> Query:
    """
    Make the request that a chat's question is.

    :raises InputError: If it cannot be asked; names the field that the client sent.
    """
    try:
        return request_for(system, {"text": text})
    except InputError as error:
        raise InputError(f"in the last user message, {error.message}", field="messages", hint=error.hint) from error


def _answer(result: Result, text: str, body: ChatBody) -> Response:
    head = {"id": f"chatcmpl-{result.run_id}", "created": int(time.time()), "model": body.model}
    words = len(text.split())
    asked = len(result.request.text.split())
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", "logprobs": None}
    usage = {"prompt_tokens": asked, "completion_tokens": words, "total_tokens": asked + words}
    return JSONResponse({**head, "object": "chat.completion", "choices": [choice], "usage": usage})
