"""Publisher files: YAML whose errors are reported with their line."""

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from core.errors import ConfigError
from core.requests import expectation

_PLAIN_TEXT = frozenset({"tag:yaml.org,2002:null", "tag:yaml.org,2002:merge"})
_HINT = "docs/reference/publisher_file.md lists every key; 'looksy publishers check FILE' tries the file."
M = TypeVar("M", bound=BaseModel)
Location = tuple[int | str, ...]


class TextLoader(yaml.SafeLoader):
    """
    Reads every value as the text that stands there; the model makes of it what a key needs.

    YAML's own types are not what people mean: `country: NO` is not a truth value, `title: 1984` is not a number, and
    `12:30` is not 750.
    """


TextLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag in _PLAIN_TEXT]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_publisher_file(path: Path, model: type[M]) -> M:
    """
    Read a YAML mapping into a model.

    :raises ConfigError: For the first fault, with file and line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        node = yaml.compose(text, Loader=TextLoader)
        values = yaml.load(text, Loader=TextLoader)  # noqa: S506 (a safe loader that knows fewer types)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}", field="publisher", hint=_HINT) from error
    except yaml.YAMLError as error:
        line = _yaml_line(error)
        said = f"{path}:{line}: the file is not valid YAML: {_problem(error)}"
        raise ConfigError(said, field="publisher", hint=_HINT) from error
    if not isinstance(values, dict) or not isinstance(node, yaml.MappingNode):
        raise ConfigError(f"{path}:1: must hold keys, 'name: value'", field="publisher", hint=_HINT)
    _refuse_doubled_keys(node, path)
    try:
        return model.model_validate(_without_empty(values))
    except ValidationError as error:
        raise _first_fault(error, node, path, model) from error


def _without_empty(values: dict[Any, Any]) -> dict[str, Any]:
    """Take an empty key for one that is not there."""
    return {str(key): value for key, value in values.items() if value is not None and value != ""}


def _refuse_doubled_keys(node: yaml.MappingNode, path: Path) -> None:
    seen: set[str] = set()
    for key, _ in node.value:
        if key.value in seen:
            raise ConfigError(
                f"{path}:{key.start_mark.line + 1}: {key.value} stands twice", field=key.value, hint=_HINT
            )
        seen.add(key.value)


def _first_fault(error: ValidationError, node: yaml.MappingNode, path: Path, model: type[BaseModel]) -> ConfigError:
    faults = [(_line_of(node, fault["loc"]), fault) for fault in error.errors(include_url=False)]
    # A misspelt key is told first: it may be why another one is missing.
    line, fault = min(faults, key=lambda pair: (pair[1]["type"] != "extra_forbidden", pair[0]))
    field = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        close = difflib.get_close_matches(str(fault["loc"][-1]), model.model_fields, n=1)
        message = f"{field} is not a key of a publisher file"
        hint = f"Did you mean {close[0]}?" if close else _HINT
    elif fault["type"] == "missing":
        message, hint = f"{field} is missing", _HINT
    else:
        said = expectation(fault["msg"])
        message, hint = (f"{field} is {str(fault['input'])[:80]!r}: {said}" if field else said), _HINT
    return ConfigError(f"{path}:{line}: {message}", field=field or "publisher", hint=hint)


def _line_of(node: yaml.Node, location: Location) -> int:
    """Return the line, from 1, of the deepest part of a location that the file holds."""
    line = node.start_mark.line + 1
    for part in location:
        for key, child in _children(node):
            if key.value == str(part) if isinstance(key, yaml.Node) else key == part:
                line = (key if isinstance(key, yaml.Node) else child).start_mark.line + 1
                node = child
                break
        else:
            break
    return line


def _children(node: yaml.Node) -> Iterator[tuple[yaml.Node | int, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        yield from node.value
    elif isinstance(node, yaml.SequenceNode):
        yield from enumerate(node.value)


def _yaml_line(error: yaml.YAMLError) -> int:
    mark = getattr(error, "problem_mark", None)
    return mark.line + 1 if mark is not None else 1


def _problem(error: yaml.YAMLError) -> str:
    return str(getattr(error, "problem", None) or error).splitlines()[0]
