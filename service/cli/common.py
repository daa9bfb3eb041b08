"""What all commands share: the options that make settings, and checks of what was typed."""

from collections.abc import Iterable
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated

import typer

from core.errors import InputError
from core.settings import ENV_PREFIX, Settings, load_settings, secret_names

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Where articles, index, runs and state are kept.", show_default="var"),
]
Profile = Annotated[
    str | None,
    typer.Option("--profile", help="A name in configs/profiles/ or a YAML file.", show_default="embedded"),
]
Store = Annotated[
    str | None,
    typer.Option("--store", help="Elasticsearch, http(s)://host:port.", show_default="the embedded store"),
]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray", metavar="ADDRESS", help="Ray cluster to work on: host:port, auto, or local for this machine's cores."
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Any other setting; 'looksy settings' lists them. Repeatable."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else on standard output.")]

DATA_DIR: ContextVar[Path | None] = ContextVar("data_dir", default=None)
"""Data folder of the command that runs; None: its settings are not made yet."""


def make_settings(
    *,
    data_dir: Path | None = None,
    profile: str | None = None,
    store: str | None = None,
    assignments: list[str] | None = None,
    **flags: object,
) -> Settings:
    """
    Merge profile, environment and what was typed.

    :param assignments: `NAME=VALUE` of `--set`.
    :param flags: Further settings by name; None was not given.
    :raises InputError: For the first setting that cannot be used.
    """
    given: dict[str, object] = {"data_dir": data_dir, "profile": profile, "store_url": store, **flags}
    assigned = parse_pairs(assignments, flag="--set")
    for name in secret_names() & assigned.keys():
        raise InputError(
            f"{name} is a secret, and other users can see command lines",
            field=name,
            hint=f"Set the environment variable {ENV_PREFIX}{name.upper()} instead.",
        )
    settings = load_settings(assigned | _given(given))
    if settings.data_dir.exists() and not settings.data_dir.is_dir():
        raise InputError(
            f"--data-dir is {str(settings.data_dir)!r}, which is a file",
            field="data_dir",
            hint="Name a folder; it is made if it is not there.",
        )
    DATA_DIR.set(settings.data_dir)
    return settings


def write_options(
    *,
    data_dir: Path | None = None,
    profile: str | None = None,
    store: str | None = None,
    assignments: Iterable[str] | None = None,
) -> list[str]:
    """Return the options that give these settings to another command, as parts of a command line."""
    named = {"--data-dir": data_dir, "--profile": profile, "--store": store}
    given = [(option, str(value)) for option, value in named.items() if value is not None]
    return [part for pair in [*given, *(("--set", one) for one in assignments or [])] for part in pair]


def parse_pairs(pairs: list[str] | None, *, flag: str) -> dict[str, str]:
    """
    Read `NAME=VALUE` options.

    :raises InputError: If one has no equals sign or no name.
    """
    values: dict[str, str] = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise InputError(
                f"{flag} is {pair!r}, not NAME=VALUE", field=flag.lstrip("-"), hint=f"Write {flag} top_k=10."
            )
        values[name.strip()] = value
    return values


def _given(values: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}
