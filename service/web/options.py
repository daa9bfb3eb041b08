"""The options of the systems as form fields, made from their JSON schemas: a new system needs no template."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from pipelines.contracts.system import SystemInfo
from service.schemas import inlined

PREFIX = "option"
_NUMBERS = {"integer": int, "number": float}


@dataclass(frozen=True)
class Field:
    """One option. It is a choice where `choices` holds words, else a number."""

    name: str
    """Of the form field: `option.<system>.<option>`."""
    label: str
    choices: tuple[str, ...]
    default: str
    """In words; empty: as the settings say."""
    minimum: float | None = None
    maximum: float | None = None
    step: str = "1"
    """any: numbers between whole ones, too."""


@dataclass(frozen=True)
class SystemView:
    """One system as the form offers it."""

    name: str
    title: str
    summary: str
    max_chars: int
    fields: tuple[Field, ...]


def view_systems(systems: list[SystemInfo], *, first: str) -> list[SystemView]:
    """
    Make the views.

    :param first: Name of the system that leads.
    """
    ordered = sorted(systems, key=lambda info: (info.name != first, info.title))
    return [SystemView(info.name, info.title, info.summary, info.max_chars, tuple(_fields(info))) for info in ordered]


def read_options(system: SystemInfo, form: Mapping[str, list[str]]) -> dict[str, Any]:
    """
    Return the options of one system that a form holds, numbers as numbers.

    :raises InputError: If a number is none.
    """
    options: dict[str, Any] = {}
    for name, schema in inlined(dict(system.options)).get("properties", {}).items():
        values = form.get(f"{PREFIX}.{system.name}.{name}")
        if values and values[0]:
            options[name] = _read(name, values[0], schema)
    return options


def _read(name: str, text: str, schema: dict[str, Any]) -> Any:
    number = _NUMBERS.get(_part(schema).get("type", ""))
    if number is None:
        return text
    try:
        return number(text)
    except ValueError as error:
        raise InputError(f"{name} is {text[:40]!r}, not a number", field=f"options.{name}") from error


def _fields(info: SystemInfo) -> list[Field]:
    fields = []
    for name, schema in inlined(dict(info.options)).get("properties", {}).items():
        part = _part(schema)
        choices = tuple(str(choice) for choice in part.get("enum", ()))
        if choices or part.get("type") in _NUMBERS:
            default = schema.get("default")
            fields.append(
                Field(
                    name=f"{PREFIX}.{info.name}.{name}",
                    label=name.replace("_", " ").capitalize(),
                    choices=choices,
                    default="" if default is None else str(default),
                    minimum=part.get("minimum"),
                    maximum=part.get("maximum"),
                    step="any" if part.get("type") == "number" else "1",
                )
            )
    return fields


def _part(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a schema that is not null."""
    parts = [part for part in schema.get("anyOf", ()) if part.get("type") != "null"]
    return parts[0] if parts else schema
