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

from core.errors import CancelledError, InputError, LooksyError
from core.requests import expectation
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


def _given_value(param: Any, arguments: list[str]) -> str | None:
    """Return the value of an option as it was typed; None: it is not an option, or has none."""
    for name, following in zip(arguments, [*arguments[1:], None], strict=True):
        option, sign, value = name.partition("=")
        if option in getattr(param, "opts", ()):
            return value if sign else following
    return None


def _usage_error(error: Any, arguments: list[str]) -> LooksyError:
    """
    Make our error of one of the command line's: field, value and way out are named.

    :param arguments: What was typed, from the name of the command on.
    """
    param: Any = getattr(error, "param", None)
    value = _given_value(param, arguments)
    said = expectation(str(error.format_message() if value is None else error.message)).rstrip(".")
    message = said if value is None else f"{param.opts[0]} is {value!r}: {said}"
    path = error.ctx.command_path if error.ctx else "looksy"
    return InputError(message, field=param and param.name, hint=f"'{path} --help' shows what it takes.")


class ErrorBorder(TyperGroup):
    """The group of all commands; errors end here."""

    def invoke(self, ctx: Any) -> Any:
        """
        Run the command that was chosen.

        :raises typer.Exit: With the exit code of the error, after its message was printed.
        """
        arguments = [*getattr(ctx, "_protected_args", ()), *ctx.args]
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
            if isinstance(error, typer.Exit | typer.Abort) or type(error).__name__ == "NoArgsIsHelpError":
                raise
            if hasattr(error, "show"):  # a usage error
                typer.echo(describe(_usage_error(error, arguments)), err=True)
                raise typer.Exit(InputError.exit_code) from error
            path = log_file() or log_to_file(DATA_DIR.get() or Path(os.environ.get(f"{ENV_PREFIX}DATA_DIR", "var")))
            logger.exception("command failed", extra={"command": ctx.invoked_subcommand})
            typer.echo("Error: something went wrong that Looksy did not foresee", err=True)
            typer.echo(f"  hint:  {path} tells more; please report it.", err=True)
            raise typer.Exit(1) from error
