"""The options that the commands of `looksy evaluate` share."""

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[Path | None, typer.Option("--data", help="The data; see docs/evaluation.md for the formats.")]
Out = Annotated[
    Path | None, typer.Option("--out", help="Also write the report here.", show_default="only beside the run")
]
Split = Annotated[str | None, typer.Option("--split", help="Part of the data: dev, test, ...")]
Corpus = Annotated[Path | None, typer.Option("--corpus", help="Articles to search, JSON lines.")]
Workers = Annotated[int, typer.Option("--workers", min=1, max=256, help="Items to ask for at one time.")]
Repeats = Annotated[
    int, typer.Option("--repeats", min=1, max=100, help="Ask for each item this many times, for models that sample.")
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Begin anew even if an unfinished run is there.")]
