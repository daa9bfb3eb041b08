"""The error border: what goes wrong below becomes one message on standard error and an exit code."""

import logging
import os
import shlex
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import typer
from typer.core import TyperGroup

from core.errors import CancelledError, LooksyError
from core.settings import ENV_PREFIX
from service.cli.common import DATA_DIR
from service.operations.logs import log_file, log_to_file

logger = logging.getLogger(__name__)

INTERRUPTED = 130
TERMINATED = 143
SERVICES = frozenset({"serve", "watch", "mcp", "sample-site"})
"""Commands that work until they are stopped: SIGTERM is their proper end."""
RESUMABLE = frozenset({"crawl", "index", "demo", "watch"})
"""Commands that go on where they stopped when they are run again."""


class Terminated(KeyboardInterrupt):
    """SIGTERM came."""


def terminate(number: int, frame: FrameType | None) -> None:
    """Handle SIGTERM: stop as cleanly as by Ctrl-C."""
    raise Terminated


def describe(error: LooksyError) -> str:
    """Write an error for a person: what is wrong, where, and what to do."""
    lines = [error.message if isinstance(error, CancelledError) else f"Error: {error.message}"]
    if error.field:
        lines.append(f"  field: {error.field}")
    if error.hint:
        lines.append(f"  hint:  {error.hint}")
    return "\n".join(lines)


def _stopped(command: str | None) -> str:
    if command not in RESUMABLE:
        return "Stopped."
    return f"Stopped. Nothing is lost; to go on, run again: looksy {shlex.join(sys.argv[1:])}"


def _exit_code(error: KeyboardInterrupt | CancelledError, command: str | None) -> int:
    """Return the exit code of a command that was stopped, by Ctrl-C unless SIGTERM is at the bottom of it."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, Terminated):
        cause = cause.__context__
    if cause is None:
        return INTERRUPTED
    return 0 if command in SERVICES else TERMINATED


class ErrorBorder(TyperGroup):
    """The group of all commands; errors end here."""

    def invoke(self, ctx: Any) -> Any:
        """
        Run the command that was chosen.

        :raises typer.Exit: With the exit code of the error, after its message was printed.
        """
        try:
            return super().invoke(ctx)
        except CancelledError as error:
            typer.echo(describe(error), err=True)
            raise typer.Exit(_exit_code(error, ctx.invoked_subcommand)) from error
        except LooksyError as error:
            typer.echo(describe(error), err=True)
            raise typer.Exit(error.exit_code) from error
        except KeyboardInterrupt as error:
            typer.echo(f"\n{_stopped(ctx.invoked_subcommand)}", err=True)
            raise typer.Exit(_exit_code(error, ctx.invoked_subcommand)) from error
        except BrokenPipeError as error:  # `looksy … | head`: the reader has what it wanted
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - flushed at exit, lives until then
            raise typer.Exit(0) from error
        except OSError as error:
            where = f": {error.filename}" if error.filename else ""
            typer.echo(f"Error: {error.strerror or error}{where}", err=True)
            raise typer.Exit(1) from error
        except Exception as error:
            if isinstance(error, typer.Exit | typer.Abort) or hasattr(error, "show"):  # the latter are usage errors
                raise
            path = log_file() or log_to_file(DATA_DIR.get() or Path(os.environ.get(f"{ENV_PREFIX}DATA_DIR", "var")))
            logger.exception("command failed", extra={"command": ctx.invoked_subcommand})
            typer.echo("Error: something went wrong that Looksy did not foresee", err=True)
            typer.echo(f"  hint:  {path} tells more; please report it.", err=True)
            raise typer.Exit(1) from error
