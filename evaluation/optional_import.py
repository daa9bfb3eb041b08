"""Libraries of the extras [evaluation] and [rag]: loaded when first needed, with an error that names the extra."""

import importlib
from types import ModuleType

from core.errors import ConfigError


def require(module: str, *, extra: str, need: str) -> ModuleType:
    """
    Import a library that the default installation does not have.

    :param need: What it is needed for, to complete "... needs".
    :raises ConfigError: If it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfigError(
            f"{need} needs the library {module.partition('.')[0]}, which is not installed",
            field="extra",
            hint=f"Run: pip install 'looksy[{extra}]'",
        ) from error
