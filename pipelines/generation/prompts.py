"""
Prompts: YAML files in `configs/prompts/` with name, version, purpose and variables, named in every run by their hash.

A file that uses a variable it does not declare, or declares one it does not use, does not load. Values are inserted as
they are and never read as templates; `injection.sanitise.as_data` prepares what comes from articles and users.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from jinja2 import StrictUndefined, TemplateError, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import Field, ValidationError

from core.errors import ConfigError, NotFoundError
from core.paths import CONFIGS
from core.requests import input_error
from core.types import Model
from pipelines.contracts.generator import Message

_ENVIRONMENT = ImmutableSandboxedEnvironment(
    undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=False
)  # a prompt is not HTML


class Example(Model):
    """A worked case that is shown before the real one."""

    variables: dict[str, str]
    reply: str


class Prompt(Model):
    """One prompt as its file has it."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    version: str = Field(pattern=r"^\d+\.\d+$")
    purpose: str = Field(min_length=1)
    variables: tuple[str, ...]
    system: str | None = None
    user: str = Field(min_length=1)
    examples: tuple[Example, ...] = ()
    max_tokens: int | None = Field(default=None, ge=1)
    """Longest useful reply; None: as the settings say."""
    reply_schema: dict[str, Any] | None = None
    """JSON schema of the reply; None: the reply is text."""

    @property
    def hash(self) -> str:
        """Name the content: SHA-256 over all fields as canonical JSON."""
        canonical = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()

    def messages(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """
        Fill in the variables.

        :param values: One value for each of `variables`, and no other.
        :returns: System message if there is one, then the examples as turns of a conversation, then the real case.
        :raises ConfigError: If a value is missing or has no place.
        """
        messages: list[Message] = []
        if self.system:
            messages.append({"role": "system", "content": self._fill(self.system, values)})
        for example in self.examples:
            messages.append({"role": "user", "content": self._fill(self.user, example.variables)})
            messages.append({"role": "assistant", "content": example.reply})
        messages.append({"role": "user", "content": self._fill(self.user, values)})
        return tuple(messages)

    def _fill(self, template: str, values: Mapping[str, str]) -> str:
        _require_same(set(self.variables), set(values), where=f"prompt {self.name}")
        return _ENVIRONMENT.from_string(template).render(values).strip()


def load_prompt(name_or_path: str) -> Prompt:
    """
    Load a prompt: a name in `configs/prompts/`, or the path of a YAML file.

    :raises NotFoundError: If nothing has that name.
    :raises ConfigError: If the file is not a prompt, or its variables are not those of its templates.
    """
    if name_or_path.endswith((".yaml", ".yml")):
        path = Path(name_or_path)
    else:
        path = CONFIGS / "prompts" / f"{name_or_path}.yaml"
    if not path.is_file():
        raise NotFoundError(
            f"prompt {name_or_path!r} is not there", field="prompt", hint=f"Use {', '.join(list_prompts())}, or a path."
        )
    return _load(path, path.stat().st_mtime_ns)


def list_prompts() -> list[str]:
    """Return the names of the prompts that ship with Looksy."""
    return sorted(path.stem for path in (CONFIGS / "prompts").glob("*.yaml"))


@lru_cache(maxsize=64)
def _load(path: Path, _modified: int) -> Prompt:
    try:
        fields = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid YAML: {error}", field="prompt", hint="Mend the file.") from error
    if not isinstance(fields, dict):
        raise ConfigError(f"{path} must hold the fields of a prompt", field="prompt", hint="See docs/answering.md.")
    try:
        prompt = Prompt.model_validate(fields)
    except ValidationError as error:
        raise input_error(error, kind=ConfigError, hint=f"Mend {path}.") from error
    _check(prompt, path)
    return prompt


def _check(prompt: Prompt, path: Path) -> None:
    used: set[str] = set()
    for template in (prompt.system or "", prompt.user):
        try:
            used |= meta.find_undeclared_variables(_ENVIRONMENT.parse(template))
        except TemplateError as error:
            raise ConfigError(f"{path} is not a template: {error}", field="user", hint="Mend the file.") from error
    _require_same(used, set(prompt.variables), where=str(path))
    for example in prompt.examples:
        prompt._fill(prompt.user, example.variables)


def _require_same(wanted: set[str], given: set[str], *, where: str) -> None:
    if missing := wanted - given:
        raise ConfigError(
            f"{where}: no value for {', '.join(sorted(missing))}",
            field="variables",
            hint=f"Give {', '.join(sorted(wanted)) or 'none'}.",
        )
    if unknown := given - wanted:
        raise ConfigError(
            f"{where}: {', '.join(sorted(unknown))} has no place in it",
            field="variables",
            hint=f"Give {', '.join(sorted(wanted)) or 'none'}.",
        )
