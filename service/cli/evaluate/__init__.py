"""`looksy evaluate`: measures, one subcommand a task."""

import typer

from service.cli.evaluate import commands, runs
from service.cli.evaluate.system_tasks import TaskGroup

HELP = """
Measure retrieval, reading, answers, verdicts, claims and extraction, on the bundled sample or on data of your own.

Every run is kept in DATA_DIR/runs/ID with its predictions; --out gets
report.json, .md, .html and .tex. A run that was stopped goes on when the
same command is given again. The formats of the data are in
docs/evaluation.md.
"""
EXAMPLES = """
Examples:

looksy evaluate retrieval --retriever hybrid --out report

looksy evaluate retrieval --data my-beir-folder --split dev

looksy evaluate rag --data questions.csv --corpus articles.jsonl

looksy evaluate verdict --data claims.jsonl

looksy evaluate claims --data evaluation/datasets/sample --split dev

looksy evaluate compare RUN RUN
"""

app = typer.Typer(
    cls=TaskGroup,
    help=HELP,
    epilog=EXAMPLES,
    no_args_is_help=True,
)

app.command()(commands.retrieval)
app.command()(commands.reader)
app.command()(commands.rag)
app.command()(commands.verdict)
app.command()(commands.claims)
app.command()(commands.extraction)
app.command()(runs.runs)
app.command()(runs.score)
app.command()(runs.compare)
