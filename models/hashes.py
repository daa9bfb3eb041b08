"""Names for model files by their content."""

import hashlib
from pathlib import Path

from core.errors import ModelError

_CHUNK_BYTES = 1 << 20


def file_hash(path: Path) -> str:
    """
    Return the SHA-256 of a file, in hexadecimal.

    :raises ModelError: If the file cannot be read.
    """
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK_BYTES):
                digest.update(chunk)
    except OSError as error:
        raise ModelError(
            f"{path} cannot be read: {error.strerror}",
            field="model",
            hint="Give a folder with the model's files.",
        ) from error
    return digest.hexdigest()
