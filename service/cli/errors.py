"""The error border: what goes wrong below becomes one message on standard error and an exit code."""

import os
import shlex
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from core.errors import LooksyError

INTERRUPTED = 130
RESUMABLE = frozenset({"crawl", "index", "demo", "watch"})
"""Commands that go on where they stopped when they are run again."""


def describe(error: LooksyError) -> str:
    """Write an error for a person: what is wrong, where, and what to do."""
    lines = [f"Error: {error.message}"]
    if error.field:
        lines.append(f"  field: {error.field}")
    if error.hint:
        lines.append(f"  hint:  {error.hint}")
    return "\n".join(lines)


def _stopped(command: str | None) -> str:
    if command not in RESUMABLE:
        return "Stopped."
    return f"Stopped. Nothing is lost; to go on, run again: looksy {shlex.join(sys.argv[1:])}"


class ErrorBorder(TyperGroup):
    """The group of all commands; errors end here."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - Typer's own context type is private
        """
        Run the command that was chosen.

        :raises typer.Exit: With the exit code of the error, after its message was printed.
        """
        try:
            return super().invoke(ctx)
        except LooksyError as error:
            typer.echo(describe(error), err=True)
            raise typer.Exit(error.exit_code) from error
        except KeyboardInterrupt as error:
            typer.echo(f"\n{_stopped(ctx.invoked_subcommand)}", err=True)
            raise typer.Exit(INTERRUPTED) from error
        except BrokenPipeError as error:  # `looksy … | head`: the reader has what it wanted
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - flushed at exit, lives until then
            raise typer.Exit(0) from error
        except OSError as error:
            where = f": {error.filename}" if error.filename else ""
            typer.echo(f"Error: {error.strerror or error}{where}", err=True)
            raise typer.Exit(1) from error
