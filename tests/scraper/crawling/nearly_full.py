"""A file on a disk that is nearly full."""

import errno
from io import FileIO
from typing import Any


class NearlyFull:
    """Writes a few bytes at a time, as the system may, and none once there is no room."""

    def __init__(self, file: FileIO, *, room: int) -> None:
        self.file = file
        self.room = room

    def write(self, content: memoryview) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = min(len(content), 4, self.room)
        self.room -= taken
        return self.file.write(content[:taken])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)
