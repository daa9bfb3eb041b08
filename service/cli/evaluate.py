"""`looksy evaluate`: measures, one subcommand a task."""

import typer

app = typer.Typer(help="Measure retrieval, answers and verdicts.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Measure retrieval, answers and verdicts."""
