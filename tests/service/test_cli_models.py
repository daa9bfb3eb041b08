import importlib.util
import json

import pytest
from typer.testing import CliRunner

from models import hub
from service.cli.main import app

runner = CliRunner()


def run(*arguments, code=0):
    result = runner.invoke(app, ["models", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


def test_list_names_shipped_models_recipes_and_the_hubs():
    rows = {row["name"]: row for row in json.loads(run("list", "--json").stdout)}
    assert rows["evidence-minilm-l6"]["kind"] == "shipped"
    assert rows["evidence-minilm-l6"]["recipe"] is True
    assert rows["deepset/roberta-base-squad2"]["kind"] == "hub"
    assert "evidence-minilm-l6" in run("list").stdout


def test_verify_is_right_for_what_ships():
    checks = json.loads(run("verify", "--json").stdout)
    assert {check["state"] for check in checks} == {"right"}
    assert len(checks) >= 4


def test_verify_fails_for_a_changed_file(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"changed")
    (folder / "SHA256SUMS").write_text("0" * 64 + "  model.onnx\n")
    result = run("verify", "--folder", tmp_path, "--json", code=1)
    assert json.loads(result.stdout)[0]["state"] == "changed"


def test_verify_of_an_empty_folder_is_no_success(tmp_path):
    run("verify", "--folder", tmp_path, code=1)


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("deepset/roberta-base-squad2", "LOOKSY_READER=transformers\nLOOKSY_READER_MODEL="),
        ("Qwen/Qwen2.5-1.5B-Instruct", "LOOKSY_GENERATOR=transformers\nLOOKSY_GENERATOR_MODEL="),
        ("MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli", "LOOKSY_JUDGE="),
    ],
)
def test_pull_prints_the_settings_to_use(tmp_path, monkeypatch, name, printed):
    monkeypatch.setattr(hub, "_fetch", lambda name, folder, revision: folder.mkdir(parents=True) or "abc")
    result = run("pull", name, "--data-dir", tmp_path)
    assert result.stdout == f"{printed}{tmp_path / 'models' / name.replace('/', '--')}\n"


def test_build_of_an_unknown_recipe_lists_the_known():
    result = runner.invoke(app, ["models", "build", "nonsense"])
    assert result.exit_code == 2
    assert "evidence-minilm-l6" in result.output


def test_resume_needs_a_checkpoint(tmp_path):
    result = runner.invoke(app, ["models", "build", "evidence", "--resume", "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "no checkpoint" in result.output


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_build_without_torch_names_the_extra(tmp_path):
    base = tmp_path / "model.safetensors"
    base.write_bytes(b"")
    result = runner.invoke(app, ["models", "build", "evidence", "--out", str(tmp_path), "--base", str(base)])
    assert result.exit_code == 2
    assert "looksy[train]" in result.output


def test_measure_prints_scores_and_writes_them_when_told(tmp_path, monkeypatch):
    from training.measure import run as measuring
    from training.record import Score

    given = []

    def measured(folder, data, *, limit, say):
        given.append((folder, data, limit))
        return [Score(what="order", value=0.8, low=0.7, high=0.9, n=20)]

    monkeypatch.setattr(measuring, "measure", measured)
    result = run("measure", tmp_path, "--data", tmp_path, "--limit", "5", "--json")
    assert json.loads(result.stdout) == [{"what": "order", "value": 0.8, "low": 0.7, "high": 0.9, "n": 20}]
    assert given == [(tmp_path, tmp_path, 5)]
    assert not (tmp_path / "scores.json").exists()
    assert "0.800" in run("measure", tmp_path, "--data", tmp_path, "--write").stdout
    assert (tmp_path / "scores.json").is_file()


def test_measure_names_the_data_that_is_missing(tmp_path):
    result = runner.invoke(app, ["models", "measure", "--data", str(tmp_path)])
    assert result.exit_code == 2
    assert "news_pairs" in result.output
