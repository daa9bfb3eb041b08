"""The command, as it is where the extra is not installed."""

import json
import sys

import pytest
from typer.testing import CliRunner

from service.cli.main import app
from tests.training.chat.counter.claims import write_claims
from training import files
from training.chat import workplace
from training.recipe import find_recipe, recipe_names

runner = CliRunner()


def test_the_recipe_ships_and_names_what_decides_the_adapter() -> None:
    assert "counter-lora" in recipe_names()
    recipe = find_recipe("counter")
    assert recipe.kind == "lora"
    assert json.loads(recipe.model_dump_json())["preference"]["candidates"] >= 2
    assert recipe.limits


def test_without_the_libraries_the_extra_is_named(tmp_path, monkeypatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("training.chat.b", "training.chat.counter"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    data = write_claims(tmp_path / "claims.jsonl")
    result = runner.invoke(
        app, ["models", "build", "counter-lora", "--data", str(data), "--out", str(tmp_path / "out")]
    )
    assert result.exit_code == 2
    assert "looksy models build needs torch, which is not installed" in result.stderr
    assert "pip install 'looksy[tune]'" in result.stderr


def test_a_begun_build_is_known_and_can_be_forgotten(tmp_path) -> None:
    result = runner.invoke(app, ["models", "build", "counter-lora", "--out", str(tmp_path), "--resume"])
    assert result.exit_code == 2
    assert "holds no checkpoint to go on from" in result.stderr
    (tmp_path / workplace.ORIGIN).write_text("{}")
    (tmp_path / workplace.SUPERVISED / "checkpoint-3").mkdir(parents=True)
    (tmp_path / workplace.MODEL).mkdir()
    assert files.is_begun(tmp_path)
    files.discard(tmp_path)
    assert not files.is_begun(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [workplace.MODEL]


@pytest.mark.parametrize("name", ["counter-lora", "evidence-minilm-l6"])
def test_forgetting_where_nothing_was_begun_does_nothing(tmp_path, name) -> None:
    files.discard(tmp_path / name)
    assert not files.is_begun(tmp_path / name)
