"""`looksy evaluate`: measures, one subcommand a task."""

import typer

from service.cli.evaluate import commands, runs
from service.cli.evaluate.system_tasks import TaskGroup

app = typer.Typer(
    cls=TaskGroup,
    help="Measure retrieval, reading, answers, verdicts and extraction.",
    no_args_is_help=True,
)

app.command()(commands.retrieval)
app.command()(commands.reader)
app.command()(commands.rag)
app.command()(commands.verdict)
app.command()(commands.extraction)
app.command()(runs.runs)
app.command()(runs.score)
app.command()(runs.compare)
