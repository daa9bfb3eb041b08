"""The words of an answer while a model writes them, for whoever waits for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pipelines.generators.contract import OnToken, ignore_token

_current: ContextVar[OnToken] = ContextVar("on_token", default=ignore_token)


@contextmanager
def token_stream(on_token: OnToken | None) -> Iterator[None]:
    """
    Send what a model writes inside this context, in this thread, to a callable.

    The words are a draft: nothing has been checked yet. Raising `CancelledError` stops the request to the model.
    """
    token = _current.set(on_token or ignore_token)
    try:
        yield
    finally:
        _current.reset(token)


def current_token_stream() -> OnToken:
    """Return where words go now."""
    return _current.get()
