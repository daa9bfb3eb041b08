"""What the service's database keeps packed or derived, as Python and as functions of its SQL."""

import hashlib
import re
import sqlite3
import sys
import unicodedata
import zlib

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_ZSTD = b"\x28\xb5\x2f\xfd"
"""What Zstandard data begins with (RFC 8878, 3.1.1); runs that older versions kept are zlib's."""
_NO_WORD = re.compile(r"[\W_]+")
_KEY_CHARS = 32


def pack(text: str) -> bytes:
    """Compress a text for the database."""
    return zstd.compress(text.encode(), level=1)


def unpack(packed: bytes) -> str:
    """
    Read what `pack`, or an older version, wrote.

    :raises ValueError: If it is neither.
    """
    try:
        return (zstd.decompress(packed) if packed.startswith(_ZSTD) else zlib.decompress(packed)).decode()
    except (zlib.error, zstd.ZstdError) as error:
        raise ValueError("this is not a packed text") from error


def claim_key(text: str) -> str:
    """
    Return what repeats of one claim share: a hash of its words, in any case, form and punctuation.

    :returns: 32 hexadecimal digits. A text without a word is its own claim.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    words = _NO_WORD.sub(" ", folded).strip() or folded.strip()
    return hashlib.sha256(words.encode("utf-8", "backslashreplace")).hexdigest()[:_KEY_CHARS]


def add_functions(connection: sqlite3.Connection) -> None:
    """Teach a connection `claim_key(text)` and `unpacked(blob)`; JSON that cannot be read is an empty object."""
    connection.create_function("claim_key", 1, claim_key, deterministic=True)
    connection.create_function("unpacked", 1, _unpacked, deterministic=True)


def _unpacked(packed: bytes) -> str:
    try:
        return unpack(packed)
    except (ValueError, TypeError):
        return "{}"
