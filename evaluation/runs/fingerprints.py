"""Names for what a run was made from: its data and the code."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from core.paths import CONFIGS, MODELS, ROOT
from core.settings import Settings
from models.calibration import FILE as CALIBRATION
from models.hub import RECORD, pulled_folder
from models.registry import SUMS

_EVALUATION = ("data", "measures", "runs", "tasks")
_CODE = ("core", "indexing", "models", "pipelines", *(f"evaluation/{room}" for room in _EVALUATION))
_MODEL_FILES = (SUMS, RECORD, CALIBRATION)
_CHUNK = 1 << 20


def hash_files(paths: Iterable[Path]) -> str:
    """Return the SHA-256 over the contents of files, in the order given."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as handle:
            while chunk := handle.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()


def hash_code() -> str:
    """Return the SHA-256 over the code and configuration that predictions come from."""
    files = [path for folder in _CODE for path in _modules(folder)]
    files += sorted((CONFIGS / "pipelines").rglob("*.yaml")) + sorted((CONFIGS / "prompts").rglob("*.yaml"))
    return hash_files(files)


def hash_index_code() -> str:
    """Return the SHA-256 over the code that indexes are made by."""
    return hash_files([*_modules("core"), *_modules("indexing")])


def hash_models(settings: Settings) -> str:
    """Return the SHA-256 over what says which models predict: hashes and calibrations of the shipped and the set."""
    chosen = [settings.reader_model, settings.judge, settings.embedder_model]
    chosen += [settings.generator_model, settings.generator_fallback_model]
    folders = sorted(MODELS.iterdir())
    folders += [place for name in chosen if name for place in (Path(name), pulled_folder(name, settings.data_dir))]
    return hash_files(path for folder in folders for name in _MODEL_FILES if (path := folder / name).is_file())


def _modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def fingerprint(**parts: object) -> str:
    """Return a short name of JSON values; the same values give the same name."""
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
