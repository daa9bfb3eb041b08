"""Fetches a few files of a site outside of a crawl: bounded, and never from inside the owner's network."""

import socket
from types import TracebackType
from typing import NamedTuple, Self

import httpx

from scraper.crawling.resolver import is_public
from scraper.crawling.user_agent import user_agent

TIMEOUT_S = 20.0


class PrivateAddressError(httpx.ConnectError):
    """A host is inside the owner's network."""


class Fetched(NamedTuple):
    """What a site answered, after redirects."""

    status: int
    content: bytes
    """Its beginning, where there was more than was wanted."""
    is_whole: bool


class Looker:
    """
    Fetches files.

    Before each request, and after each redirect, the host's addresses are looked up: those that the internet does not
    route are refused. (A crawl is stricter: it connects to the very addresses that it checked.)

    :param contact: Address in the user agent.
    :param private_hosts: Hosts that may have any address.
    """

    def __init__(self, contact: str, *, private_hosts: frozenset[str] = frozenset()) -> None:
        self.private_hosts = private_hosts
        self._client = httpx.Client(
            headers={"User-Agent": user_agent(contact)},
            timeout=TIMEOUT_S,
            follow_redirects=True,
            trust_env=False,
            event_hooks={"request": [self._check]},
        )

    def __enter__(self) -> Self:
        """Open."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        self._client.close()

    def fetch(self, url: str, *, most_bytes: int) -> Fetched:
        """
        Fetch a file.

        :param most_bytes: Read no more than this.
        :raises httpx.HTTPError: If there is no answer, or it would come from inside the owner's network.
        """
        content = bytearray()
        with self._client.stream("GET", url) as response:
            for piece in response.iter_bytes():
                content += piece
                if len(content) > most_bytes:
                    return Fetched(response.status_code, bytes(content[:most_bytes]), is_whole=False)
        return Fetched(response.status_code, bytes(content), is_whole=True)

    def _check(self, request: httpx.Request) -> None:
        host = request.url.host.lower()
        if host in self.private_hosts:
            return
        try:
            found = socket.getaddrinfo(host, request.url.port, type=socket.SOCK_STREAM)
        except OSError:
            return  # the connection will fail for the same reason, and say so
        if not all(is_public(str(address[0])) for *_, address in found):
            raise PrivateAddressError(f"{host} is in a private network", request=request)
