"""The models that ship with Looksy: a folder each, with a card and the hashes of its files."""

from pathlib import Path
from typing import Literal

from core.errors import LooksyError, ModelError, NotFoundError
from core.paths import MODELS
from core.types import Model
from models.hashes import file_hash
from models.onnx_runtime import OnnxModel, load_tokenizer

SUMS = "SHA256SUMS"
GRAPH = "model.onnx"


class ModelFile(Model):
    """One file of a model."""

    name: str
    sha256: str
    size: int
    """In bytes; 0 if it is not there."""


class ShippedModel(Model):
    """A model folder."""

    name: str
    title: str
    """First heading of its card."""
    folder: Path
    files: tuple[ModelFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(file.size for file in self.files)


class Check(Model):
    """What was found of one file."""

    model: str
    file: str
    state: Literal["right", "changed", "missing", "unusable"]
    detail: str = ""


def shipped_models(folder: Path = MODELS) -> list[ShippedModel]:
    """
    List the models below a folder, by name.

    :raises ModelError: If there is none, or a folder's list of hashes is broken.
    """
    found = [_read(sums.parent) for sums in sorted(folder.glob(f"*/{SUMS}"))]
    if not found:
        raise ModelError(
            f"there is no model below {folder}", field="folder", hint=f"Give the folder above those that hold {SUMS}."
        )
    return found


def shipped_model(name: str, folder: Path = MODELS) -> ShippedModel:
    """
    Return one model.

    :raises NotFoundError: If there is none of this name.
    """
    models = {model.name: model for model in shipped_models(folder)}
    if name not in models:
        raise NotFoundError(f"no model is called {name!r}", field="name", hint=f"Name one of: {', '.join(models)}.")
    return models[name]


def verify(model: ShippedModel) -> list[Check]:
    """Compare each file with its hash, and load graph and tokenizer."""
    return [_check(model, file) for file in model.files]


def _check(model: ShippedModel, file: ModelFile) -> Check:
    path = model.folder / file.name
    if not path.is_file():
        return Check(model=model.name, file=file.name, state="missing", detail=str(path))
    found = file_hash(path)
    if found != file.sha256:
        return Check(model=model.name, file=file.name, state="changed", detail=f"SHA-256 {found}, not {file.sha256}")
    try:
        _load(path)
    except LooksyError as error:
        return Check(model=model.name, file=file.name, state="unusable", detail=error.message)
    return Check(model=model.name, file=file.name, state="right", detail=found)


def _load(path: Path) -> None:
    if path.name == GRAPH:
        OnnxModel(path, threads=1).load()
    elif path.name == "tokenizer.json":
        load_tokenizer(path)


def _read(folder: Path) -> ShippedModel:
    files = []
    for line in (folder / SUMS).read_text(encoding="utf-8", errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        if not name:
            raise ModelError(f"{folder / SUMS} has the line {line!r}, not a hash and a name", field="model")
        path = folder / name
        files.append(ModelFile(name=name, sha256=digest, size=path.stat().st_size if path.is_file() else 0))
    return ShippedModel(name=folder.name, title=_title(folder), folder=folder, files=tuple(files))


def _title(folder: Path) -> str:
    card = folder / "CARD.md"
    lines = card.read_text(encoding="utf-8").splitlines() if card.is_file() else []
    return next((line.removeprefix("# ") for line in lines if line.startswith("# ")), folder.name)
