"""What the command line prints on terminals of all kinds."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from core.progress import ProgressEvent, Stage
from core.types import Request
from service.cli.progress import ConsoleProgress
from tests.service.fakes import make_result

COMMAND = [sys.executable, "-c", "from service.cli.main import main; main()"]


@pytest.mark.parametrize("encoding", ["iso-8859-1", "ascii"])
def test_what_a_terminal_cannot_show_appears_as_escapes(encoding: str, tmp_path: Path) -> None:
    model = "Ωmega “é” 😀"
    arguments = ["settings", "--set", f"generator_model={model}"]
    done = [
        subprocess.run(
            [*COMMAND, *arguments, *more],
            capture_output=True,
            check=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONPATH": str(Path(__file__).parents[2])},
        ).stdout.decode(encoding)
        for more in ([], ["--json"])
    ]
    assert "\\u03a9mega" in done[0]
    assert json.loads(done[1])["generator_model"] == model


def test_a_log_that_cannot_be_written_shows_no_trace(tmp_path: Path) -> None:
    (tmp_path / "index" / "index.json").mkdir(parents=True)
    (tmp_path / "logs").write_text("no folder", encoding="utf-8")
    done = subprocess.run(
        [*COMMAND, "ask", "Who?", "--data-dir", str(tmp_path)],
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 1
    assert "cannot be opened" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", ["[/INST]", "[/quote] [link=https://evil.example]here[/link]"])
def test_words_of_a_model_are_no_markup_of_the_progress_bars(words: str) -> None:
    written = io.StringIO()
    progress = ConsoleProgress()
    progress.console = Console(file=written, force_terminal=True, width=200)
    with progress:
        progress(ProgressEvent(stage=Stage.ANSWER, done=1, unit=words, message=words))
    assert written.getvalue().count(words) >= 2


def test_the_record_of_somebody_else_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from pipelines.runs.replay import Difference, Replay
    from service.cli.replay import _show

    before = make_result(Request(text="Who\x1b[2J won?\r\nidentical"))
    difference = Difference(field="answer", before="\x1b]0;title\x07\nidentical", after="\u202eno")
    _show(
        Replay(
            run_id="run-1\x1b[1A",
            identical=False,
            same_index=True,
            same_settings=True,
            fresh=False,
            differences=(difference,),
            result=before,
        ),
        before,
    )
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert all(line.isprintable() for line in lines)
