"""The benchmark files."""

from pathlib import Path

import yaml
from pydantic import ValidationError

from core.errors import ConfigError, NotFoundError
from core.paths import CONFIGS
from core.requests import input_error
from evaluation.benchmarks.models import Suite

FOLDER = CONFIGS / "benchmarks"


def list_suites(folder: Path = FOLDER) -> list[str]:
    """Return the names of the benchmarks."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def load_suite(name: str, folder: Path = FOLDER) -> Suite:
    """
    Read a benchmark by name, or from a YAML file.

    :raises NotFoundError: If there is none.
    :raises ConfigError: If the file has an unknown or missing key.
    """
    path = Path(name) if name.endswith((".yaml", ".yml")) else folder / f"{name}.yaml"
    if not path.is_file():
        known = ", ".join((*list_suites(folder), "conflicts", "floors"))
        raise NotFoundError(
            f"there is no benchmark {name!r}", field="name", hint=f"Use one of: {known}, conflicts, floors."
        )
    try:
        return Suite.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is not valid YAML: {error}", field="name", hint="Mend the file.") from error
    except ValidationError as error:
        raise input_error(error, kind=ConfigError, hint=f"Mend {path}.") from error
