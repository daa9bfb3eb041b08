"""A model in a file: the child that is started, asked, and ended; with a stand-in for llama.cpp's server."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import ConfigError, GeneratorError
from core.settings import GeneratorKind, load_settings
from pipelines.generation.llama_server import LlamaServerGenerator
from pipelines.generation.open_generator import open_generator
from tests.fake_llama_server import install

MESSAGES = ({"role": "user", "content": "Is it?"},)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF")
    return file


def starts(args: Path) -> list[list[str]]:
    return [json.loads(line) for line in args.read_text(encoding="utf-8").splitlines()]


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def ended(process: int) -> bool:
    ends = time.monotonic() + 10
    while is_running(process) and time.monotonic() < ends:
        time.sleep(0.05)
    return not is_running(process)


def made(model: Path, **more: object) -> LlamaServerGenerator:
    given = {"context_tokens": 2048, "timeout_s": 10.0} | more
    return LlamaServerGenerator(model=str(model), data_dir=model.parent / "data", **given)  # type: ignore[arg-type]


def test_settings_start_a_server_that_replies_counts_and_ends(model, tmp_path, monkeypatch) -> None:
    args = install(tmp_path, monkeypatch, '{"replies": ["It is."], "loads_s": 0.3}')
    flags = {"generator": "llama.cpp", "generator_model": str(model), "data_dir": tmp_path / "data"}
    generator = open_generator(load_settings(flags, environment={}), GeneratorKind.LLAMA_CPP)
    assert generator is not None
    reply = generator.complete(MESSAGES, max_tokens=8, seed=0)
    assert (reply.text, reply.generator) == ("It is.", "llama.cpp:small")
    assert generator.identity.startswith("llama.cpp:small@")
    assert (generator.counts_exactly, generator.count_tokens("two words")) == (True, 2)
    (start,) = starts(args)
    for pair in (["--model", str(model)], ["--host", "127.0.0.1"], ["-c", "4096"], ["-np", "1"], ["-b", "256"]):
        place = start.index(pair[0])
        assert start[place : place + 2] == pair
    assert int(start[start.index("-t") + 1]) == max(1, (os.cpu_count() or 1) - 1)
    generator.close()
    generator.close()
    assert ended(int(start[0]))


def test_smaller_context_of_the_server_counts(model, tmp_path, monkeypatch) -> None:
    install(tmp_path, monkeypatch, '{"n_ctx": 512}')
    generator = made(model)
    generator.warm_up()
    assert generator.context_tokens == 512
    generator.close()


def test_crash_is_a_failed_generator_and_the_next_request_starts_another(model, tmp_path, monkeypatch) -> None:
    args = install(tmp_path, monkeypatch, '{"crash_at": 1}')
    generator = made(model)
    with pytest.raises(GeneratorError, match="crashed") as caught:
        generator.complete(MESSAGES, max_tokens=8, seed=0)
    assert (caught.value.reason, "llama-server.log" in (caught.value.hint or "")) == ("connection", True)
    monkeypatch.setenv("FAKE_LLAMA", "{}")
    assert generator.complete(MESSAGES, max_tokens=8, seed=0).text == "Yes."
    assert len(starts(args)) == 2
    generator.close()


def test_server_that_cannot_load_the_file_says_where_its_log_is(model, tmp_path, monkeypatch) -> None:
    install(tmp_path, monkeypatch, '{"dead": true}')
    with pytest.raises(GeneratorError, match="ended while it started"):
        made(model).complete(MESSAGES, max_tokens=8, seed=0)
    assert "invalid magic" in (tmp_path / "data" / "llama-server.log").read_text(encoding="utf-8")


@pytest.mark.parametrize(("path", "field"), [("nowhere.gguf", "generator_model"), (None, "generator_model")])
def test_missing_file_is_named(tmp_path, path: str | None, field: str) -> None:
    with pytest.raises(ConfigError) as caught:
        LlamaServerGenerator(model=path, data_dir=tmp_path, context_tokens=512, timeout_s=1.0).warm_up()
    assert caught.value.field == field


def test_missing_program_is_named(model, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(ConfigError, match="llama-server is not on PATH"):
        made(model).warm_up()


def test_server_ends_with_a_looksy_that_is_killed(model, tmp_path, monkeypatch) -> None:
    args = install(tmp_path, monkeypatch)
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from pipelines.generation.llama_server import LlamaServerGenerator\n"
        "made = LlamaServerGenerator(\n"
        "    model=sys.argv[1], data_dir=Path(sys.argv[2]), context_tokens=512, timeout_s=5)\n"
        "made.warm_up()\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    command = [sys.executable, "-c", program, str(model), str(tmp_path / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        parent.kill()
    assert ended(int(starts(args)[0][0]))


def test_address_without_a_kind_is_that_of_a_server() -> None:
    flags = {"generator_url": "http://127.0.0.1:9/v1", "generator_model": "m"}
    assert load_settings(flags, environment={}).generator is GeneratorKind.OPENAI
    assert load_settings(flags | {"generator": "extractive"}, environment={}).generator is GeneratorKind.EXTRACTIVE
