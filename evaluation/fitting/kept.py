"""Files of JSON lines that grow as a reading goes on."""

import os
from pathlib import Path


def kept_lines(path: Path) -> list[str]:
    """Return the lines that are there; half a line at the end, which a kill has left, is cut off the file."""
    if not path.is_file():
        return []
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        os.truncate(path, len(whole))
    return whole.decode().split("\n")[:-1]
