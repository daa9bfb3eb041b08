import hashlib
import json
import sys
from types import ModuleType, SimpleNamespace

import pytest

from core.errors import ConfigError, NotFoundError, UnavailableError
from core.settings import load_settings
from models.hub import RECORD, changed_files, hub_models, pull, pulled_folder


class RepositoryNotFoundError(Exception):
    pass


class RevisionNotFoundError(Exception):
    pass


class Hub:
    """Stands for huggingface_hub: knows one model. Where it `is_down` midway, it gives back what is there."""

    def __init__(self, failure=None):
        self.failure = failure
        self.asked = []
        self.files = {"config.json": b"{}", "model.safetensors": b"weights"}
        self.is_down = False

    def install(self, monkeypatch):
        module, errors = ModuleType("huggingface_hub"), ModuleType("huggingface_hub.errors")
        module.HfApi = lambda: SimpleNamespace(model_info=self.model_info)
        module.snapshot_download = self.snapshot_download
        errors.RepositoryNotFoundError = RepositoryNotFoundError
        errors.RevisionNotFoundError = RevisionNotFoundError
        monkeypatch.setitem(sys.modules, "huggingface_hub", module)
        monkeypatch.setitem(sys.modules, "huggingface_hub.errors", errors)
        return self

    def model_info(self, name, *, revision, files_metadata):
        if self.failure is not None:
            raise self.failure
        listed = [self.listed(file, content) for file, content in {**self.files, "model.bin": b"pickled"}.items()]
        return SimpleNamespace(sha=f"commit-of-{revision}", siblings=listed)

    def listed(self, file, content):
        large = file.endswith(".safetensors")
        lfs = SimpleNamespace(sha256=hashlib.sha256(content).hexdigest()) if large else None
        return SimpleNamespace(rfilename=file, size=len(content), lfs=lfs)

    def snapshot_download(self, name, *, revision, local_dir, allow_patterns, ignore_patterns):
        self.asked.append((name, revision, tuple(allow_patterns)))
        assert ignore_patterns == [RECORD]
        (local_dir / ".cache").mkdir(parents=True, exist_ok=True)
        (local_dir / ".cache" / "tree.json").write_text("{}")
        if self.is_down:
            return
        for file, content in self.files.items():
            (local_dir / file).write_bytes(content)


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


def test_files_that_a_later_revision_lacks_are_removed(tmp_path, monkeypatch):
    hub = Hub().install(monkeypatch)
    pull("owner/model", tmp_path, revision="v1")
    folder = pulled_folder("owner/model", tmp_path)
    (folder / "notes.rst").write_text("my own")
    hub.files = {"config.json": b"{}", "model-00001-of-00001.safetensors": b"other weights"}
    pulled = pull("owner/model", tmp_path, revision="v2")
    assert set(pulled.files) == {"config.json", "model-00001-of-00001.safetensors"}
    assert not (folder / "model.safetensors").exists()  # transformers would read it before the parts
    assert (folder / "notes.rst").is_file()


def test_nothing_outside_the_folder_is_removed(tmp_path, monkeypatch):
    Hub().install(monkeypatch)
    folder = pulled_folder("owner/model", tmp_path)
    folder.mkdir(parents=True)
    (tmp_path / "mine.json").write_text("{}")
    record = {"name": "owner/model", "revision": "commit-of-v0", "files": {"../../mine.json": "0" * 64}}
    (folder / RECORD).write_text(json.dumps(record))
    pull("owner/model", tmp_path)
    assert (tmp_path / "mine.json").is_file()


def test_what_an_earlier_pull_left_does_not_pass_for_another_revision(tmp_path, monkeypatch):
    hub = Hub().install(monkeypatch)
    pull("owner/model", tmp_path, revision="v1")
    hub.files = {"config.json": b"{}", "model.safetensors": b"WEIGHTS"}
    hub.is_down = True
    with pytest.raises(UnavailableError, match=r"commit-of-v2.*model\.safetensors"):
        pull("owner/model", tmp_path, revision="v2")
    folder = pulled_folder("owner/model", tmp_path)
    assert json.loads((folder / RECORD).read_text())["revision"] == "commit-of-v1"
    hub.is_down = False
    assert pull("owner/model", tmp_path, revision="v2").revision == "commit-of-v2"


def test_a_pull_that_brought_a_part_is_no_success(tmp_path, monkeypatch):
    hub = Hub().install(monkeypatch)
    hub.is_down = True
    folder = pulled_folder("owner/model", tmp_path)
    folder.mkdir(parents=True)
    (folder / "config.json").write_bytes(b"{}")
    with pytest.raises(UnavailableError, match=r"other content: model\.safetensors"):
        pull("owner/model", tmp_path)
    assert not (folder / RECORD).exists()


def test_a_data_folder_below_a_cache_is_recorded_too(tmp_path, monkeypatch):
    Hub().install(monkeypatch)
    assert set(pull("owner/model", tmp_path / ".cache").files) == {"config.json", "model.safetensors"}


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
        settings = load_settings({**model.needs, model.setting: "folder"}, environment={})
        assert getattr(settings, model.setting) == "folder"
        assert model.licence
