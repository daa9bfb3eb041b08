"""Who asks, and how: kept beside each run."""

from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum

MAX_PERSON_CHARS = 100


class Via(StrEnum):
    """The way by which a query came."""

    PAGE = "page"
    REST = "rest"
    CHAT = "chat"
    BATCH = "batch"
    MCP = "mcp"
    CLI = "cli"
    RECHECK = "recheck"
    """The machine asked again, since the evidence of a check had changed."""


@dataclass(frozen=True)
class Caller:
    """Who asks."""

    person: str | None = None
    """Name of the key, or the name that a trusted proxy gives; None if unknown."""
    via: Via | None = None
    replay_of: str | None = None
    """The run that is asked again."""


_NOBODY = Caller()
CALLER: ContextVar[Caller] = ContextVar("caller", default=_NOBODY)
"""Who made the request that is being answered; work in threads runs in a copy of its request's context."""


def person_name(text: str) -> str | None:
    """Return a name as it is kept: on one line, at most `MAX_PERSON_CHARS`; None if nothing is left."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:MAX_PERSON_CHARS] or None
