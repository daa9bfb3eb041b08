"""Where the server is and how to log in. Secrets are read when connecting and are never written anywhere."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from haystack.utils import Secret
from pydantic import SecretStr

from core.errors import ConfigError
from core.keys import header_key

API_KEY_VARIABLE = "LOOKSY_STORE_API_KEY"
PASSWORD_VARIABLE = "LOOKSY_STORE_PASSWORD"  # noqa: S105 - the variable's name
RETRIED_STATUSES = (429, 502, 503, 504)
_SEARCH_RETRIES = 3


def api_key_from_environment() -> Secret:
    """Read the key from the environment when it is needed."""
    return Secret.from_env_var(API_KEY_VARIABLE, strict=False)


def password_from_environment() -> Secret:
    """Read the password from the environment when it is needed."""
    return Secret.from_env_var(PASSWORD_VARIABLE, strict=False)


@dataclass(frozen=True, slots=True)
class Connection:
    """
    How to reach a server.

    :param url: `http(s)://host:port`, without user and password.
    :param timeout: Seconds to wait for one reply.
    :param ca_file: Certificate authority to verify the server with; None: the system's.
    :raises ConfigError: If the address cannot be used.
    """

    url: str
    timeout: float = 10.0
    ca_file: Path | None = None
    user: str | None = None
    password: Secret = field(default_factory=password_from_environment, repr=False)
    api_key: Secret = field(default_factory=api_key_from_environment, repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            shown = self.url.rsplit("@", 1)[-1]
            raise ConfigError(
                f"store_url is {shown!r}", field="store_url", hint="Write http://host:9200 or https://host:9200."
            )
        if parts.username or parts.password:
            raise ConfigError(
                "store_url holds a user or password, which would be written to logs and records",
                field="store_url",
                hint=f"Set LOOKSY_STORE_USER and {PASSWORD_VARIABLE}, or {API_KEY_VARIABLE}.",
            )

    def client_options(self) -> dict[str, Any]:
        """
        Return the arguments of the client, secrets among them: for the client only.

        :raises ConfigError: If the API key is one that no header can hold.
        """
        options: dict[str, Any] = {
            "hosts": [self.url],
            "request_timeout": self.timeout,
            "max_retries": _SEARCH_RETRIES,
            "retry_on_timeout": True,
            "retry_on_status": RETRIED_STATUSES,
        }
        if self.ca_file is not None:
            options["ca_certs"] = str(self.ca_file)
        key = header_key(SecretStr(self.api_key.resolve_value() or ""), field="store_api_key")
        password = self.password.resolve_value()
        if key:
            options["api_key"] = key
        elif self.user and password:
            options["basic_auth"] = (self.user, password)
        return options
