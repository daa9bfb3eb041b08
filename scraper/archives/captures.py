"""A page as it was captured, and what its content is once its encoding is undone, within bounds."""

import base64
import hashlib
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

MAX_PAGE_BYTES = 10 * 1024 * 1024
"""As for a page that is fetched; larger ones are skipped."""
MAX_ENCODINGS = 3
_GZIP_OR_ZLIB = 47  # zlib: largest window, header is found out
_RAW_DEFLATE = -15
_GZIP = b"\x1f\x8b"
_ALGORITHMS = frozenset({"md5", "sha1", "sha224", "sha256", "sha384", "sha512"})


class UnreadableCaptureError(ValueError):
    """
    A capture that cannot be used; the others can.

    :param reason: Code for the report.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Capture:
    """One page, as it was served at one time."""

    url: str
    content: bytes
    """Without content encoding."""
    headers: Mapping[str, str]
    """Names in lower case."""
    captured_at: datetime
    """UTC."""


def has_digest(digest: str, forms: Iterable[bytes]) -> bool:
    """
    Say whether a content is the one that a digest was made of.

    :param digest: Algorithm and value, as in `sha1:...`; the value in base 32, base 64 or hexadecimal.
    :param forms: The content as tools make digests of it: as transferred, without chunks, decoded.
    :returns: True, too, where no digest is stated or its algorithm is not known.
    """
    name, _, value = digest.strip().partition(":")
    algorithm = name.lower().replace("-", "")
    if algorithm not in _ALGORITHMS:
        return True
    for form in forms:
        made = hashlib.new(algorithm, form, usedforsecurity=False).digest()
        texts = (base64.b32encode(made), base64.b64encode(made), base64.urlsafe_b64encode(made))
        if value.lower() == made.hex() or value.rstrip("=") in {text.decode().rstrip("=") for text in texts}:
            return True
    return False


def decode_content(content: bytes, encoding: str, *, max_bytes: int = MAX_PAGE_BYTES) -> bytes:
    """
    Undo the content encodings of a page.

    :param encoding: The Content-Encoding field. What is not encoded as it says is returned as it is.
    :raises UnreadableCaptureError: `too_large` if it holds more than `max_bytes`; `undecodable` if it is damaged, or
        its encoding is unknown.
    """
    names = [part.strip().lower() for part in encoding.split(",")]
    if len(names) > MAX_ENCODINGS:
        raise UnreadableCaptureError("undecodable")
    for name in reversed(names):
        content = _decode(content, name, max_bytes)
    if len(content) > max_bytes:
        raise UnreadableCaptureError("too_large")
    return content


def _decode(content: bytes, name: str, max_bytes: int) -> bytes:
    if name in {"", "identity", "none", "utf-8"} or not content:
        return content
    try:
        if name in {"gzip", "x-gzip"}:
            return _inflate(content, _GZIP_OR_ZLIB, max_bytes) if content.startswith(_GZIP) else content
        if name == "deflate":
            return _inflate_either(content, max_bytes)
        if name == "br":
            return _unpack_brotli(content, max_bytes)
        if name == "zstd":
            return _unpack_zstd(content, max_bytes)
    except UnreadableCaptureError:
        raise
    except Exception as error:  # each library has errors of its own
        raise UnreadableCaptureError("undecodable") from error
    raise UnreadableCaptureError("undecodable")


def _inflate_either(content: bytes, max_bytes: int) -> bytes:
    """Inflate with or without a zlib header: servers send both under one name."""
    try:
        return _inflate(content, _GZIP_OR_ZLIB, max_bytes)
    except zlib.error:
        return _inflate(content, _RAW_DEFLATE, max_bytes)


def _inflate(content: bytes, window: int, max_bytes: int) -> bytes:
    inflater = zlib.decompressobj(window)
    found = inflater.decompress(content, max_bytes + 1)
    while inflater.eof and inflater.unused_data.startswith(_GZIP) and len(found) <= max_bytes:  # further members
        rest = inflater.unused_data
        inflater = zlib.decompressobj(window)
        found += inflater.decompress(rest, max_bytes + 1 - len(found))
    if len(found) > max_bytes:
        raise UnreadableCaptureError("too_large")
    return found


def _unpack_brotli(content: bytes, max_bytes: int) -> bytes:
    import brotli  # type: ignore[import-untyped]

    unpacker = brotli.Decompressor()
    found: bytes = unpacker.process(content, output_buffer_limit=max_bytes + 1)
    if len(found) > max_bytes:
        raise UnreadableCaptureError("too_large")
    if not unpacker.is_finished():
        raise UnreadableCaptureError("undecodable")
    return found


def _unpack_zstd(content: bytes, max_bytes: int) -> bytes:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from backports import zstd

    found: bytes = zstd.ZstdDecompressor().decompress(content, max_length=max_bytes + 1)
    if len(found) > max_bytes:
        raise UnreadableCaptureError("too_large")
    return found
