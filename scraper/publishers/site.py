"""A publisher's addresses: which belong to it, where each is fetched from, and what it is called in the articles."""

import ipaddress
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import SplitResult, urlsplit

from core.errors import InputError
from core.urls import ascii_host, has_login
from scraper.publishers.publisher import Publisher, ascii_origin

_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Site:
    """
    Maps between the addresses that articles are known by and those that are fetched.

    :param publisher: Its home and domains are the names that articles are known by.
    :param home: Scheme, host and port that are put in place of the publisher's own; None: as its file says.
    """

    publisher: Publisher
    home: str | None = None

    @cached_property
    def served_at(self) -> SplitResult | None:
        """Where the site is fetched from, if not under its own name."""
        address = self.home or self.publisher.served_at
        return urlsplit(address) if address else None

    @cached_property
    def own(self) -> SplitResult:
        """Scheme and host of the publisher."""
        return urlsplit(self.publisher.home)

    @property
    def entrance(self) -> str:
        """Scheme, host and port that the crawl talks to first."""
        parts = self.served_at or self.own
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def is_local(self) -> bool:
        """The site is on this machine."""
        return is_loopback(urlsplit(self.entrance).hostname or "")

    @cached_property
    def _own_names(self) -> tuple[str, ...]:
        """The hosts of the publisher, without `www.`."""
        return (_bare(self.own.hostname or ""), *map(_bare, self.publisher.domains))

    @cached_property
    def _serving_origin(self) -> tuple[str, str, int] | None:
        return _origin(self.served_at) if self.served_at is not None else None

    def identity(self, url: str) -> str:
        """Return the address by which a page is known, whatever it was fetched from."""
        if self.served_at is None:
            return url
        parts = urlsplit(url)
        if _origin(parts) == self._serving_origin:
            return parts._replace(scheme=self.own.scheme, netloc=self.own.netloc).geturl()
        return url

    def fetch_address(self, url: str) -> str:
        """Return the address that a page is fetched from."""
        if self.served_at is None:
            return url
        parts = urlsplit(url)
        if self._is_own_host(parts.hostname or ""):
            return parts._replace(scheme=self.served_at.scheme, netloc=self.served_at.netloc).geturl()
        return url

    def refusal(self, url: str) -> str | None:
        """
        Say why an address must not be fetched; None if it may.

        Holds for first requests and after every redirect.
        """
        try:
            parts = urlsplit(url)
            origin = _origin(parts)
        except ValueError:
            return "bad_address"
        if parts.scheme not in _DEFAULT_PORTS:
            return "scheme"
        if self._serving_origin is not None:
            return None if origin[1:] == self._serving_origin[1:] else "offsite"
        if not self._is_own_host(parts.hostname or "") or origin[2] not in {80, 443, _origin(self.own)[2]}:
            return "offsite"
        return "bad_address" if has_login(url) else None

    @property
    def private_hosts(self) -> frozenset[str]:
        """Hosts that may be on this machine or in a private network, because someone said so in writing."""
        entrance = urlsplit(self.entrance).hostname or ""
        if self.publisher.allow_private_addresses:
            return frozenset({entrance, self.own.hostname or "", *self.publisher.domains})
        return frozenset({entrance}) if self.home is not None and is_private_literal(entrance) else frozenset()

    def _is_own_host(self, host: str) -> bool:
        bare = _bare(host)
        return any(
            bare == name or (bare.endswith(f".{name}") and not is_private_literal(name)) for name in self._own_names
        )


def check_home(home: str | None) -> str | None:
    """
    Check the address that is put in place of a publisher's own.

    :raises InputError: If it is not scheme, host and port.
    """
    if home is None:
        return None
    try:
        parts = urlsplit(home.strip())
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or parts.path.strip("/") or parts.query:
        raise InputError(
            f"home is {home!r}, not scheme, host and port", field="home", hint="Write http://127.0.0.1:8080."
        )
    return ascii_origin(f"{parts.scheme}://{parts.netloc}")


def is_loopback(host: str) -> bool:
    """Say whether a host, as written in an address, is this machine."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_private_literal(host: str) -> bool:
    """Say whether a host is written as an address that the internet does not route."""
    try:
        return host == "localhost" or not ipaddress.ip_address(host).is_global
    except ValueError:
        return False


def _origin(parts: SplitResult) -> tuple[str, str, int]:
    return parts.scheme, ascii_host(parts.hostname or "").lower(), parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)


def _bare(host: str) -> str:
    return ascii_host(host).lower().removeprefix("www.").rstrip(".")
