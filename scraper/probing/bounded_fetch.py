"""Fetches a few files of a site outside of a crawl: bounded, and never from inside the owner's network."""

import socket
import zlib
from collections.abc import Iterator
from contextlib import closing
from types import TracebackType
from typing import NamedTuple, Self

import httpx

from core.urls import ascii_host
from scraper.crawling.resolver import is_public
from scraper.crawling.scrapy_settings import MAX_REDIRECTS
from scraper.crawling.user_agent import user_agent

TIMEOUT_S = 20.0
_PIECE = 64 * 1024
_GZIP = frozenset({"gzip", "x-gzip"})
_GZIP_HEADER = 31  # zlib: largest window, gzip header


class PrivateAddressError(httpx.ConnectError):
    """A host is inside the owner's network."""


class Fetched(NamedTuple):
    """What a site answered, after redirects."""

    status: int
    content: bytes
    """Its beginning, where there was more than was wanted."""
    is_whole: bool


class BoundedFetcher:
    """
    Fetches files.

    Before each request, and after each redirect, the host's addresses are looked up: those that the internet does not
    route are refused. (A crawl is stricter: it connects to the very addresses that it checked.) No more of a file is
    received or unpacked than is wanted, and nothing of a redirect.

    :param contact: Address in the user agent.
    :param private_hosts: Hosts that may have any address.
    """

    def __init__(self, contact: str, *, private_hosts: frozenset[str] = frozenset()) -> None:
        self.private_hosts = private_hosts
        self._client = httpx.Client(
            headers={"User-Agent": user_agent(contact), "Accept-Encoding": "gzip"},
            timeout=TIMEOUT_S,
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
        request = self._client.build_request("GET", url)
        for _ in range(MAX_REDIRECTS + 1):  # httpx would read and unpack all of a redirect's content
            with closing(self._client.send(request, stream=True)) as response:
                if response.next_request is None:
                    return _read(response, most_bytes)
                request = response.next_request
        raise httpx.TooManyRedirects(f"it redirects more than {MAX_REDIRECTS} times", request=request)

    def _check(self, request: httpx.Request) -> None:
        host = ascii_host(request.url.host).lower()
        if host in self.private_hosts:
            return
        try:
            found = socket.getaddrinfo(host, request.url.port, type=socket.SOCK_STREAM)
        except OSError:
            return  # the connection will fail for the same reason, and say so
        if not all(is_public(str(address[0])) for *_, address in found):
            raise PrivateAddressError(f"{host} is in a private network", request=request)


def _read(response: httpx.Response, most_bytes: int) -> Fetched:
    content = bytearray()
    for piece in _pieces(response):
        content += piece
        if max(len(content), response.num_bytes_downloaded) > most_bytes:
            return Fetched(response.status_code, bytes(content[:most_bytes]), is_whole=False)
    return Fetched(response.status_code, bytes(content), is_whole=True)


def _pieces(response: httpx.Response) -> Iterator[bytes]:
    """Yield the content, unpacked, in pieces that are never large; some may be empty."""
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding in {"", "identity"}:
        yield from response.iter_raw()
        return
    if encoding not in _GZIP:
        problem = f"the answer is packed with {encoding}, which was not offered"
        raise httpx.DecodingError(problem, request=response.request)
    inflater = zlib.decompressobj(_GZIP_HEADER)
    for data in response.iter_raw():
        rest = data
        while rest:
            try:
                yield inflater.decompress(rest, _PIECE)
            except zlib.error as error:
                raise httpx.DecodingError(f"the answer is damaged: {error}", request=response.request) from error
            rest = inflater.unconsumed_tail
        if inflater.eof:
            return
