"""Where fact-checks come from: a file, or an address that is fetched as a page of a stranger is."""

import zlib
from pathlib import Path

import httpx

from core.errors import InputError, NotFoundError, UnavailableError
from core.files import UNREADABLE
from core.settings import Settings
from indexing.factchecks.reading import MAX_BYTES
from scraper.probing.bounded_fetch import BoundedFetcher, PrivateAddressError

_GZIP = b"\x1f\x8b"
_GZIP_HEADER = 31  # zlib: largest window, gzip header
_OK = 200
_PIECE = 1024 * 1024
_FIELD = "source"


def read_source(source: str, settings: Settings) -> bytes:
    """
    Return the content of a file or address, unpacked if it is gzip.

    :param source: Path, or an address that begins with http:// or https://.
    :raises NotFoundError: If there is no such file.
    :raises InputError: If it is too large, or damaged.
    :raises UnavailableError: If the address is not answered, or would be from inside the owner's network.
    """
    is_address = source.lower().startswith(("http://", "https://"))
    content = _fetch(source, settings) if is_address else _read(Path(source))
    return _unpack(content, source) if content.startswith(_GZIP) else content


def _read(path: Path) -> bytes:
    if not path.is_file():
        raise NotFoundError(
            f"{path} is not there", field=_FIELD, hint="Name a file, or an address that begins with https://."
        )
    if path.stat().st_size > MAX_BYTES:
        raise _too_large(str(path))
    try:
        return path.read_bytes()
    except UNREADABLE as error:
        raise InputError(f"{path} cannot be read: {error}", field=_FIELD, hint="Check its permissions.") from error


def _fetch(url: str, settings: Settings) -> bytes:
    try:
        with BoundedFetcher(settings.crawl_contact) as fetcher:
            answer = fetcher.fetch(url, most_bytes=MAX_BYTES)
    except PrivateAddressError as error:
        raise UnavailableError(
            f"{url} is not asked: {error}", field=_FIELD, hint="Save the file and give its path."
        ) from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise UnavailableError(
            f"{url} does not answer: {error or type(error).__name__}", field=_FIELD, hint="Check address and network."
        ) from error
    if answer.status != _OK:
        raise UnavailableError(
            f"{url} was answered with HTTP status {answer.status}", field=_FIELD, hint="Check the address."
        )
    if not answer.is_whole:
        raise _too_large(url)
    return answer.content


def _unpack(content: bytes, source: str) -> bytes:
    """Unpack gzip, and no more than is accepted: a small file may hold a huge one."""
    unpacked = bytearray()
    inflater = zlib.decompressobj(_GZIP_HEADER)
    rest = content
    try:
        while rest and not inflater.eof:
            unpacked += inflater.decompress(rest, _PIECE)
            rest = inflater.unconsumed_tail
            if len(unpacked) > MAX_BYTES:
                raise _too_large(source)
    except zlib.error as error:
        raise InputError(f"{source} is damaged: {error}", field=_FIELD, hint="Fetch it again.") from error
    if not inflater.eof:
        raise InputError(f"{source} is cut off", field=_FIELD, hint="Fetch it again.")
    return bytes(unpacked)


def _too_large(source: str) -> InputError:
    return InputError(
        f"{source} has more than {MAX_BYTES // 1024**2} MB", field=_FIELD, hint="Cut it into several files."
    )
