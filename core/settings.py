"""
Deployment settings: every name, default and help in one place.

Order: defaults, profile file (`configs/profiles/*.yaml`), `LOOKSY_*` environment variables, command-line flags; the
last one wins. Secrets come from the environment only.
"""

import difflib
import functools
import os
import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from core.errors import ConfigError
from core.paths import CONFIGS
from core.requests import input_error

ENV_PREFIX = "LOOKSY_"
DEFAULT_PROFILE = "embedded"
RETRIEVERS_WITH_VECTORS = frozenset({"embedding", "hybrid"})
"""Values of the setting `retriever` that need an index with vectors."""
_LOGINS = {
    "store_url": "Set LOOKSY_STORE_USER and LOOKSY_STORE_PASSWORD, or LOOKSY_STORE_API_KEY.",
    "generator_url": "Leave them out, and set LOOKSY_GENERATOR_API_KEY.",
    "generator_fallback_url": "Leave them out, and set LOOKSY_GENERATOR_FALLBACK_API_KEY.",
    "search_url": "Leave them out, and set LOOKSY_SEARCH_API_KEY.",
    "telemetry_url": "Leave them out, and set OTEL_EXPORTER_OTLP_HEADERS.",
}
"""Setting that is an address, to what to do instead of writing a login into it."""


class GeneratorKind(StrEnum):
    """Who writes the answer."""

    EXTRACTIVE = "extractive"
    OPENAI = "openai"
    LLAMA_CPP = "llama.cpp"
    TRANSFORMERS = "transformers"


class ReaderKind(StrEnum):
    """Who finds answer spans."""

    ONNX = "onnx"
    TRANSFORMERS = "transformers"


class SearchKind(StrEnum):
    """Where the search agent searches."""

    STORE = "store"
    SEARXNG = "searxng"
    BRAVE = "brave"
    MCP = "mcp"


class VectorPolicy(StrEnum):
    """When a new index gets vectors."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Settings(BaseSettings):
    """How this installation of Looksy runs."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX, frozen=True, extra="forbid", env_ignore_empty=True, allow_inf_nan=False
    )

    profile: str = Field(DEFAULT_PROFILE, description="Profile: a name in configs/profiles/ or a YAML file.")
    data_dir: Path = Field(Path("var"), description="Where crawled articles, the index, runs and state are kept.")

    store_url: str | None = Field(None, description="Elasticsearch, http(s)://host:port; none: the embedded store.")
    store_index: str = Field(
        "looksy", description="Alias of the Elasticsearch index.", pattern=r"^[a-z0-9][a-z0-9._-]*$"
    )
    store_api_key: SecretStr | None = Field(None, description="Elasticsearch API key.")
    store_user: str | None = Field(None, description="Elasticsearch user, for basic authentication.")
    store_password: SecretStr | None = Field(None, description="Elasticsearch password.")
    store_ca_file: Path | None = Field(None, description="CA certificate to verify Elasticsearch with.")
    store_timeout: float = Field(10.0, gt=0, description="Seconds to wait for Elasticsearch.")

    retriever: str = Field("bm25", description="bm25, tfidf, embedding or hybrid.")
    top_k: int = Field(20, ge=1, le=100, description="Passages to read for a query.")
    reader: ReaderKind = Field(ReaderKind.ONNX, description="onnx (shipped) or transformers (extra [models]).")
    reader_model: str | None = Field(None, description="Model folder or hub name; none: the shipped one.")
    judge: str = Field("shipped", description="Who judges: shipped, small, chat (the generator), a folder or hub name.")
    embedder_model: str | None = Field(None, description="Embedder folder or hub name; none: the shipped one.")
    vectors: VectorPolicy = Field(
        VectorPolicy.AUTO, description="Vectors of a new index: auto (up to 20,000 passages), always or never."
    )
    threads: int = Field(0, ge=0, le=256, description="Threads for models; 0: one per core.")

    generator: GeneratorKind = Field(
        GeneratorKind.EXTRACTIVE, description="extractive, openai, llama.cpp or transformers."
    )
    generator_url: str | None = Field(None, description="Base URL of an OpenAI-compatible server, ending in /v1.")
    generator_model: str | None = Field(None, description="Name of the model on that server; a GGUF file; a folder.")
    generator_api_key: SecretStr | None = Field(None, description="Key for that server.")
    generator_timeout: float = Field(
        40.0,
        gt=0,
        description="Seconds to wait for a reply; less than request_timeout, or no fallback answers in time.",
    )
    generator_retries: int = Field(2, ge=0, le=10, description="Further tries after a 429, a 5xx or a lost connection.")
    generator_context_tokens: int = Field(4096, ge=256, description="Context length of the model, in tokens.")
    generator_max_tokens: int = Field(256, ge=16, description="Longest reply, in tokens.")
    generator_in_flight: int = Field(8, ge=1, description="Requests to the server at one time.")
    generator_fallback: GeneratorKind | None = Field(
        GeneratorKind.EXTRACTIVE, description="Who answers when the generator is down; none: the answer fails."
    )
    generator_fallback_url: str | None = Field(
        None, description="Base URL of a second server, where generator_fallback is openai."
    )
    generator_fallback_model: str | None = Field(None, description="Name of the model on the second server.")
    generator_fallback_api_key: SecretStr | None = Field(None, description="Key for the second server.")
    generator_seed: int = Field(0, ge=0, description="Seed sent with every request, so that an answer can be repeated.")
    generator_temperature: float = Field(0.0, ge=0, le=2, description="Sampling temperature; 0: the likeliest words.")
    self_verification: bool = Field(False, description="Ask the generator whether its answer is correct.")
    mode: str = Field("references", description="references, contexts, keywords or raw.")

    search_backend: SearchKind = Field(
        SearchKind.STORE, description="Where the system agent searches: store, searxng, brave or mcp."
    )
    search_url: str | None = Field(None, description="Base URL of the SearXNG instance; for brave: none, its own.")
    search_api_key: SecretStr | None = Field(None, description="Key for Brave, or for a SearXNG that asks for one.")
    search_command: str | None = Field(None, description="Command that starts an MCP server with a search tool.")
    search_tool: str = Field("search", description="Name of the tool of that MCP server; it takes a query.")
    search_timeout: float = Field(10.0, gt=0, description="Seconds to wait for one search.")
    source_grades: Path | None = Field(
        None, description="YAML file with your grades of sources, 0 to 1, for the system agent; none: no grades."
    )

    crawl_contact: str = Field(
        "https://github.com/looksy/looksy", description="Address in the crawler's user agent, for site owners."
    )
    crawl_workers: int = Field(1, ge=1, le=64, description="Processes that extract articles.")

    host: str = Field("127.0.0.1", description="Address that the service binds.")
    port: int = Field(8000, ge=0, le=65535, description="Port that the service binds; 0: a free one.")
    request_timeout: float = Field(60.0, gt=0, description="Seconds one request may take.")
    queue_size: int = Field(64, ge=1, description="Requests that may wait before the service answers 503.")
    telemetry_url: str | None = Field(
        None,
        description="OpenTelemetry collector for traces, http(s)://host:4318; none: no traces.",
    )
    log_queries: bool = Field(False, description="Write what users ask to the log.")
    require_keys: bool | None = Field(
        None, description="Ask for API keys; none: as soon as host is not this machine alone."
    )
    rate_per_minute: int = Field(120, ge=1, description="Requests a minute that one API key may send.")
    user_header: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9-]{1,64}$",
        description="Header in which a trusted proxy names the user; the proxy must remove it from what clients send.",
    )
    keep_runs: int = Field(
        100_000,
        ge=0,
        description="Runs kept in the archive; the oldest without check or tag go first. 0: none.",
    )
    reviewers: int = Field(1, ge=1, le=5, description="People who must agree before a check is decided.")
    recheck: bool = Field(True, description="Look at checks again after each index job.")
    recheck_searches: int = Field(
        500, ge=0, description="Checks for which one look searches new evidence; those searched longest ago come first."
    )
    recheck_asks: int = Field(
        20, ge=0, description="Checks that one look asks again for changed articles, and as many for new evidence."
    )
    webhook_url: SecretStr | None = Field(
        None, description="Address, http(s)://…, that is told when the evidence of a check has changed."
    )
    webhook_secret: SecretStr | None = Field(None, description="Secret that signs what is sent to webhook_url.")
    feedback: bool = Field(True, description="Let readers say whether an answer helped; it is kept in data_dir only.")

    @field_validator("generator_fallback", mode="before")
    @classmethod
    def _no_fallback(cls, value: object) -> object:
        """Read the word none, since the command line and the environment cannot say it otherwise."""
        return None if value == "none" else value

    @model_validator(mode="after")
    def _address_is_used(self) -> Self:
        """Take the address of a model server, where no generator is named, for a wish to use it."""
        if self.generator_url and "generator" not in self.model_fields_set:
            object.__setattr__(self, "generator", GeneratorKind.OPENAI)  # frozen
            self.model_fields_set.add("generator")
        return self

    @field_validator("data_dir", "store_ca_file", "source_grades")
    @classmethod
    def _at_home(cls, value: Path | None) -> Path | None:
        """Read ~ as the home folder: no shell does so in `--data-dir=~/looksy`, and there is none in a profile."""
        return value and Path(os.path.expanduser(value))

    @field_validator(*_LOGINS)
    @classmethod
    def _without_login(cls, value: str | None, info: ValidationInfo) -> str | None:
        """
        Refuse a login in an address: addresses are written to records and shown to readers.

        :raises ConfigError: At once, since pydantic's own error would repeat the value.
        """
        if value is not None and _holds_login(value):
            raise ConfigError(
                f"{info.field_name} holds a user or password, which would be written to logs and records",
                field=info.field_name,
                hint=_LOGINS[str(info.field_name)],
            )
        return value

    @field_validator("webhook_url")
    @classmethod
    def _is_address(cls, value: SecretStr | None) -> SecretStr | None:
        """
        Refuse what is not an address.

        :raises ConfigError: At once, since pydantic's own error would repeat the value, which may hold a token.
        """
        text = value.get_secret_value().strip() if value is not None else None
        if text is not None and (_holds_login(text) or re.fullmatch(r"(?i)https?://[^\s/?#]\S*", text) is None):
            raise ConfigError(
                "webhook_url is not an address, or holds a user name",
                field="webhook_url",
                hint="Set LOOKSY_WEBHOOK_URL to an address such as https://desk.example/hooks/looksy.",
            )
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read nothing by itself: `load_settings` hands over all values, already in order."""
        return (init_settings,)

    def public(self) -> dict[str, Any]:
        """Return the settings for a run record: JSON values, secrets left out."""
        return {
            name: value
            for name, value in self.model_dump(mode="json").items()
            if name not in secret_names() and value is not None
        }

    def to_dict(self) -> dict[str, Any]:
        """Return what differs from the defaults, as Haystack writes it into a pipeline file; secrets are left out."""
        values = self.model_dump(mode="json", exclude_defaults=True, exclude=set(secret_names()))
        return {"type": "core.settings.Settings", "init_parameters": values}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Settings":
        """
        Read what `to_dict` wrote; secrets come from the environment.

        :raises ConfigError: For a misspelt name, a bad value, or a secret among the values.
        """
        given = _checked_names(data.get("init_parameters") or {}, where="the pipeline file")
        secrets = {name: value for name, value in _from_environment(os.environ).items() if name in secret_names()}
        return _settings(given | secrets)


@functools.cache
def secret_names() -> frozenset[str]:
    """Return the names of the settings that come from the environment only and are never written anywhere."""
    return frozenset(name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation))


def load_settings(flags: Mapping[str, Any] | None = None, *, environment: Mapping[str, str] | None = None) -> Settings:
    """
    Merge profile file, environment and flags.

    :param flags: Values from the command line; None values were not given.
    :param environment: None: the process's own.
    :raises ConfigError: For an unknown profile, a misspelt key or variable, a bad value, or a secret in a file.
    """
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    for name in given:
        _require_known(name, where="command line")
    variables = _from_environment(os.environ if environment is None else environment)
    profile = str(given.get("profile") or variables.get("profile") or DEFAULT_PROFILE)
    return _settings({"profile": profile} | _from_profile(profile) | variables | given)


def _settings(values: Mapping[str, Any]) -> Settings:
    try:
        return Settings(**values)
    except ValidationError as error:
        raise input_error(
            error, kind=ConfigError, hint="'looksy settings' lists every setting with its default."
        ) from error


def _holds_login(url: str) -> bool:
    """Say whether an address has a user or password; behind a slash in a password the port is not a number."""
    host = re.split(r"[/?#]", re.sub(r"^\s*([a-zA-Z][\w+.-]*:)?//", "", url), maxsplit=1)[0]
    _, colon, port = host.rpartition(":")
    return "@" in host or ("@" in url and bool(colon) and not port.isdecimal())


def _from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for variable, value in environment.items():
        if not variable.startswith(ENV_PREFIX):
            continue
        name = variable.removeprefix(ENV_PREFIX).lower()
        _require_known(name, where=f"environment variable {variable}")
        if value:
            values[name] = value
    return values


def _from_profile(profile: str) -> dict[str, Any]:
    is_file = profile.endswith((".yaml", ".yml"))
    path = Path(os.path.expanduser(profile)) if is_file else CONFIGS / "profiles" / f"{profile}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(known_path.stem for known_path in (CONFIGS / "profiles").glob("*.yaml")))
        raise ConfigError(
            f"profile {profile!r} is not there", field="profile", hint=f"Use {known}, or the path of a YAML file."
        )
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid YAML: {error}", field="profile", hint="Mend the file.") from error
    if not isinstance(values, dict):
        raise ConfigError(f"{path} must hold settings, 'name: value'", field="profile", hint="Mend the file.")
    return _checked_names(values, where=str(path))


def _checked_names(values: Mapping[str, Any], *, where: str) -> dict[str, Any]:
    """Return the values of a file, all of whose names are those of settings that are not secrets."""
    for name in values:
        _require_known(str(name), where=where)
        if name in secret_names():
            raise ConfigError(
                f"{name} is a secret and stands in {where}",
                field=str(name),
                hint=f"Set {ENV_PREFIX}{str(name).upper()} instead.",
            )
    return dict(values)


def _require_known(name: str, *, where: str) -> None:
    if name in Settings.model_fields:
        return
    close = difflib.get_close_matches(name, Settings.model_fields, n=1)
    hint = f"Did you mean {close[0]}?" if close else "'looksy settings' lists every setting."
    raise ConfigError(f"{name} is not a setting ({where})", field=name, hint=hint)
