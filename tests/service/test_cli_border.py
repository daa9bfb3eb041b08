"""The command line's border: errors, exit codes, options. No part below it is needed."""

import contextlib
import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.errors import CancelledError, LooksyError, ModelError, StoreLockedError
from core.settings import GeneratorKind, Settings, VectorPolicy
from service.cli import ask, demo, status
from service.cli.errors import terminate
from service.cli.main import app
from service.cli.output import print_table
from service.state.database import FILE_NAME

runner = CliRunner()

COMMANDS = (
    "demo", "crawl", "index", "ask", "search", "serve", "status", "publishers", "extract", "sample-site", "settings",
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_a_data_dir_and_explains_itself(command: str) -> None:
    done = runner.invoke(app, [command, "--help"], env={"COLUMNS": "200"})
    assert done.exit_code == 0
    assert "--data-dir" in done.stdout


def test_help_is_quick_and_loads_no_heavy_part() -> None:
    code = (
        "import sys\nfrom service.cli.main import app\n"
        "print([name for name in ('haystack', 'scrapy', 'onnxruntime', 'fastapi', 'tantivy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("command", ["settings", "systems --json"])
def test_a_reader_that_has_gone_is_no_failure(command: str, tmp_path: Path) -> None:
    code = "import sys; from service.cli.main import main; sys.argv[0] = 'looksy'; main()"
    reading, writing = os.pipe()
    os.close(reading)
    arguments = [sys.executable, "-c", code, *command.split(), "--data-dir", str(tmp_path)]
    done = subprocess.run(arguments, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("error", [ModelError, StoreLockedError])
def test_an_error_is_one_message_with_its_exit_code(error: type[LooksyError], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> Settings:
        raise error("it is broken", field="thing", hint="Mend it.")

    monkeypatch.setattr(status.common, "make_settings", fail)
    done = runner.invoke(app, ["status"])
    assert done.exit_code == error.exit_code
    assert done.stdout == ""
    assert done.stderr == "Error: it is broken\n  field: thing\n  hint:  Mend it.\n"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["ask", ""], "text"),
        (["ask", "x" * 2001], "2000"),
        (["ask", "a\x00b"], "U+0000"),
        (["ask", "Who?", "--as-of", "someday"], "as_of"),
        (["ask", "Who?", "--from", "2020-13-01"], "published_from"),
        (["ask", "Who?", "--kind", "poem"], "kind"),
        (["ask", "Who?", "--top-k", "0"], "top_k"),
        (["ask", "Who?", "--top-k", "many"], "--top-k"),
        (["ask", "Who?", "--option", "mode"], "option"),
        (["ask", "Who?", "--set", "topk=3"], "Did you mean top_k?"),
        (["ask", "Who?", "--profile", "nowhere"], "nowhere"),
        (["ask", "Who?", "--batch", "x.jsonl"], "batch"),
        (["ask", "--batch", "not-there.jsonl"], "not-there.jsonl"),
        (["serve", "--port", "70000"], "port"),
        (["extract", "not-there.html"], "--url"),
        (["extract", "not-there.html", "--url", "example"], "not an address"),
        (["extract", "not-there.html", "--url", "https://a.example/b"], "not-there.html"),
        (["poem"], "poem"),
    ],
)
def test_bad_input_exits_2_and_says_what_is_wrong(arguments: list[str], named: str, tmp_path: Path) -> None:
    where = ["--data-dir", str(tmp_path / "var")] if arguments[0] != "poem" else []
    done = runner.invoke(app, [*arguments, *where])
    assert done.exit_code == 2, done.output
    assert named in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "var").exists()


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    done = runner.invoke(app, ["ask", "-", "--data-dir", str(tmp_path / "var")], input=b"Who \xff won?")
    assert done.exit_code == 2, done.output
    assert "U+DCFF at position 4" in done.stderr


def test_a_data_dir_that_is_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    done = runner.invoke(app, ["settings", "--data-dir", str(file)])
    assert done.exit_code == 2
    assert "which is a file" in done.stderr


def test_settings_as_json_hide_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOKSY_GENERATOR_API_KEY", "sk-very-secret")
    done = runner.invoke(app, ["settings", "--json", "--set", "top_k=7"])
    values = json.loads(done.stdout)
    assert values["top_k"] == 7
    assert values["generator_api_key"] == "set"
    assert "sk-very-secret" not in done.stdout


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ((), (None, GeneratorKind.EXTRACTIVE, "shipped")),
        (("store_url=http://127.0.0.1:8", "generator=openai"), ("http://127.0.0.1:8", GeneratorKind.OPENAI, "chat")),
    ],
)
def test_the_demo_leaves_the_own_index_and_the_network_alone_unless_told_otherwise(
    typed: tuple[str, ...], expected: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[Settings] = []
    for step in ("_crawl_sample", "_index", "_ask"):
        monkeypatch.setattr(demo, step, used.append)
    environment = {"STORE_URL": "http://127.0.0.1:9", "GENERATOR": "openai", "JUDGE": "chat"}
    arguments = [part for assignment in typed for part in ("--set", assignment)]
    done = runner.invoke(
        app,
        ["demo", "--data-dir", str(tmp_path), *arguments],
        env={f"LOOKSY_{name}": value for name, value in environment.items()},
    )
    assert done.exit_code == 0, done.output
    assert [(one.store_url, one.generator, one.judge) for one in used] == [expected] * 3
    apart = "store_url=, generator=extractive, judge=shipped"
    assert (f"Set for the demo alone: {apart};" in done.stdout) == (not typed)
    assert ("--set store_url= --set generator=extractive" in done.stdout) == (not typed)


@pytest.mark.parametrize(
    ("retriever", "typed", "expected"),
    [
        ("hybrid", (), ("bm25", VectorPolicy.NEVER)),
        ("embedding", ("vectors=never",), ("bm25", VectorPolicy.NEVER)),
        ("tfidf", (), ("tfidf", VectorPolicy.NEVER)),
        ("hybrid", ("vectors=always",), ("hybrid", VectorPolicy.ALWAYS)),
        ("bm25", ("retriever=hybrid",), ("hybrid", VectorPolicy.AUTO)),
    ],
)
def test_the_demo_asks_for_vectors_only_where_it_makes_them(
    retriever: str,
    typed: tuple[str, ...],
    expected: tuple[str, VectorPolicy],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used: list[Settings] = []
    for step in ("_crawl_sample", "_index", "_ask"):
        monkeypatch.setattr(demo, step, used.append)
    arguments = [part for assignment in typed for part in ("--set", assignment)]
    done = runner.invoke(app, ["demo", "--data-dir", str(tmp_path), *arguments], env={"LOOKSY_RETRIEVER": retriever})
    assert done.exit_code == 0, done.output
    assert [(one.retriever, one.vectors) for one in used] == [expected] * 3
    assert ("Set for the demo alone: retriever=bm25;" in done.stdout) == (expected[0] == "bm25")


@pytest.mark.parametrize(
    ("arguments", "folder", "said"),
    [
        ([], "var/demo", True),
        (["--set", "data_dir=my own"], "my own", False),
        (["--data-dir", "my own"], "my own", False),
    ],
)
def test_the_demo_works_where_it_is_told_and_says_where_it_does_not(
    arguments: list[str], folder: str, said: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[Settings] = []
    for step in ("_crawl_sample", "_index", "_ask"):
        monkeypatch.setattr(demo, step, used.append)
    monkeypatch.chdir(tmp_path)
    done = runner.invoke(app, ["demo", *arguments, "--set", "top_k=7"], env={"LOOKSY_DATA_DIR": "own"})
    assert done.exit_code == 0, done.output
    assert {one.data_dir for one in used} == {Path(folder)}
    assert (f"Set for the demo alone: data_dir={folder};" in done.stdout) == said
    assert f"looksy status --data-dir {shlex.quote(folder)} --set top_k=7  " in done.stdout


def test_the_demos_help_names_its_folder() -> None:
    assert "var/demo" in runner.invoke(app, ["demo", "--help"], env={"COLUMNS": "200"}).stdout


def test_an_interrupt_exits_130_and_says_how_to_resume(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(**_: object) -> Settings:
        raise KeyboardInterrupt

    monkeypatch.setattr(ask.common, "make_settings", interrupt)
    crawl = runner.invoke(app, ["crawl", "sample"])
    assert crawl.exit_code == 130
    assert "run again: looksy" in crawl.stderr
    asked = runner.invoke(app, ["ask", "Who?"])
    assert asked.exit_code == 130
    assert "Stopped." in asked.stderr


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["serve"], 0),
        (["watch", "sample"], 0),
        (["mcp"], 0),
        (["crawl", "sample"], 143),
        (["index"], 143),
        (["ask", "Who?"], 143),
    ],
)
@pytest.mark.parametrize("is_noted", [False, True], ids=["at once", "by the work"])
def test_sigterm_is_the_proper_end_of_a_service_and_leaves_other_work_unfinished(
    command: list[str], code: int, is_noted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(**_: object) -> Settings:
        try:
            signal.raise_signal(signal.SIGTERM)
        except KeyboardInterrupt as error:
            if is_noted:
                raise CancelledError("the work was stopped") from error
            raise
        raise AssertionError

    monkeypatch.setattr(ask.common, "make_settings", stop)
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        done = runner.invoke(app, command)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert done.exit_code == code, done.output
    assert "stopped" in done.stderr.lower()
    assert "Error" not in done.stderr


def test_an_error_that_nobody_foresaw_is_one_message_and_the_log_has_the_rest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("s3cret words")

    monkeypatch.setenv("LOOKSY_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("core.requests.parse_request", fail)
    monkeypatch.setattr("pipelines.systems.registry.request_for", fail)
    done = runner.invoke(app, ["ask", "Who?"])
    assert done.exit_code == 1
    assert done.stdout == ""
    assert "s3cret" not in done.stderr
    assert "Traceback" not in done.stderr
    log = tmp_path / "logs" / "looksy.log"
    assert str(log) in done.stderr
    assert "s3cret words" in json.loads(log.read_text(encoding="utf-8").splitlines()[-1])["trace"]


def test_a_running_command_stops_on_a_signal(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from service.cli.main import main; main()", "sample-site", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Sample site: http://127.0.0.1:")
        process.terminate()
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Stopped." in errors
    assert "Traceback" not in errors


def test_a_table_that_goes_into_a_file_folds_nothing(capsys):
    print_table(("name", "count"), [("long " * 60, 12345)])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[1].split()[-1] == "12,345"


def test_an_unforeseen_error_is_logged_in_the_data_folder_that_was_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("odd")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("service.cli.errors.log_file", lambda: None)
    monkeypatch.setattr("indexing.stores.open.open_store", fail)
    done = runner.invoke(app, ["status", "--data-dir", "mine"])
    assert done.exit_code == 1
    assert str(Path("mine") / "logs" / "looksy.log") in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def _make_newer(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 999")


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda file: file.write_bytes(b"no database at all" * 100), "cannot be used"),
        (_make_newer, "this Looksy knows"),
    ],
    ids=["unusable", "newer"],
)
def test_serve_tells_of_its_database_before_it_announces_an_address(
    spoil: Callable[[Path], None], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.operations.server.set_up_logs", lambda: None)
    monkeypatch.setattr("service.operations.server.uvicorn.Server.run", lambda *_, **__: None)
    spoil(tmp_path / FILE_NAME)
    done = runner.invoke(app, ["serve", "--port", "0", "--data-dir", str(tmp_path)])
    assert (done.exit_code, done.stdout) == (2, "")
    assert named in done.stderr
    assert "hint:" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["search", "x", "--top-k", "0"], "Error: --top-k is '0': it should be at least 1\n  field: top_k\n  hint:"),
        (["search", "x", "--top-k=many"], "Error: --top-k is 'many': "),
        (["search", "x", "--top-k", "less than or equal to"], "Error: --top-k is 'less than or equal to': "),
        (["search", "x", "--nonsense"], "Error: No such option: --nonsense"),
        (["crawl"], "Error: Missing argument 'publisher'\n  field: publisher\n  hint:"),
        (["nonsense"], "Error: No such command 'nonsense'\n  hint:"),
    ],
)
def test_what_the_command_line_refuses_is_told_as_all_else(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith(said)
    assert "--help' shows what it takes." in done.stderr
