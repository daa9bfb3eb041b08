"""The text of a robots.txt."""

import re

from protego import Protego

PRODUCT = "Looksy"
"""The name that robots.txt may address."""
MAX_BYTES = 512 * 1024
"""RFC 9309, section 2.5: at least 500 KiB must be read; what lies beyond is ignored."""
_VERSIONED = re.compile(rf"^([ \t]*user-agent[ \t]*:[ \t]*{PRODUCT})(?![\w-]).*$", re.IGNORECASE | re.MULTILINE)
"""Our name with a version or more behind it, as it stands in logs."""
_BEGINNINGS = "|".join(PRODUCT[:length] for length in range(1, len(PRODUCT)))
_ANOTHER = re.compile(
    rf"^([ \t]*user[- ]?agent[ \t]*[: \t][ \t]*)(?=(?:{_BEGINNINGS})(?:[ \t]|#|$))", re.IGNORECASE | re.MULTILINE
)
"""A name that ours begins with is somebody else's (RFC 9309, section 2.2.1); the parser takes it for ours."""


def parse_robots(content: bytes) -> Protego:
    """Parse what a host served, whatever its line ends and byte-order mark."""
    text = content[:MAX_BYTES].decode("utf-8-sig", errors="replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Protego.parse(_ANOTHER.sub(r"\1not-", _VERSIONED.sub(r"\1", text)))
