import sys
from types import ModuleType, SimpleNamespace

import pytest

from core.errors import ConfigError, NotFoundError, UnavailableError
from core.settings import Settings
from models.hub import changed_files, hub_models, pull, pulled_folder


class RepositoryNotFoundError(Exception):
    pass


class RevisionNotFoundError(Exception):
    pass


class Hub:
    """Stands for huggingface_hub: knows one model."""

    def __init__(self, failure=None):
        self.failure = failure
        self.asked = []

    def install(self, monkeypatch):
        module, errors = ModuleType("huggingface_hub"), ModuleType("huggingface_hub.errors")
        module.HfApi = lambda: SimpleNamespace(model_info=self.model_info)
        module.snapshot_download = self.snapshot_download
        errors.RepositoryNotFoundError = RepositoryNotFoundError
        errors.RevisionNotFoundError = RevisionNotFoundError
        monkeypatch.setitem(sys.modules, "huggingface_hub", module)
        monkeypatch.setitem(sys.modules, "huggingface_hub.errors", errors)
        return self

    def model_info(self, name, *, revision):
        if self.failure is not None:
            raise self.failure
        return SimpleNamespace(sha=f"commit-of-{revision}")

    def snapshot_download(self, name, *, revision, local_dir, allow_patterns):
        self.asked.append((name, revision, tuple(allow_patterns)))
        (local_dir / ".cache").mkdir(parents=True, exist_ok=True)
        (local_dir / ".cache" / "lock").write_text("")
        (local_dir / "config.json").write_text("{}")
        (local_dir / "model.safetensors").write_bytes(b"weights")


def test_pull_records_commit_and_hashes(tmp_path, monkeypatch):
    hub = Hub().install(monkeypatch)
    pulled = pull("owner/model", tmp_path, revision="v1")
    folder = pulled_folder("owner/model", tmp_path)
    assert folder == tmp_path / "models" / "owner--model"
    assert pulled.revision == "commit-of-v1"
    assert set(pulled.files) == {"config.json", "model.safetensors"}
    assert hub.asked[0][1] == "commit-of-v1"
    assert not any(pattern.endswith((".bin", ".pt", ".pkl")) for pattern in hub.asked[0][2])
    assert changed_files(folder) == []


def test_changed_files_are_named(tmp_path, monkeypatch):
    Hub().install(monkeypatch)
    pull("owner/model", tmp_path)
    folder = pulled_folder("owner/model", tmp_path)
    (folder / "model.safetensors").write_bytes(b"other")
    (folder / "config.json").unlink()
    assert changed_files(folder) == ["config.json", "model.safetensors"]


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (RepositoryNotFoundError("404"), NotFoundError),
        (RevisionNotFoundError("404"), NotFoundError),
        (ValueError("bad name"), NotFoundError),
        (ConnectionError("no route"), UnavailableError),
    ],
)
def test_failures_of_the_hub_are_ours(tmp_path, monkeypatch, failure, error):
    Hub(failure).install(monkeypatch)
    with pytest.raises(error, match="owner/model"):
        pull("owner/model", tmp_path)


def test_without_the_library_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ConfigError) as error:
        pull("owner/model", tmp_path)
    assert "looksy[models]" in error.value.hint


def test_nothing_pulled_is_not_found(tmp_path):
    with pytest.raises(NotFoundError):
        changed_files(tmp_path)


def test_documented_models_name_real_settings():
    assert "deepset/roberta-base-squad2" in hub_models()
    for model in hub_models().values():
        assert model.setting in Settings.model_fields
        assert model.licence
