"""Runs that older versions of the command line kept as files, `<data_dir>/runs/<run_id>.json`: taken into the store."""

import logging
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pydantic import ValidationError

from core.types import Result
from service.answers.caller import Caller, Via
from service.answers.runs import write_run
from service.state.database import Database

logger = logging.getLogger(__name__)
FOLDER = "runs"
MAX_BYTES = 64 * 1024 * 1024
_TOGETHER = 200
"""Files in one transaction."""


def import_run_files(database: Database, data_dir: Path) -> int:
    """
    Take the files into the store and remove them. A file that is not a run stays where it is.

    :returns: How many runs came.
    :raises StoreError: If the store cannot be written; files that are not yet in it stay.
    """
    paths = iter(sorted((data_dir / FOLDER).glob("*.json")))
    taken = 0
    while batch := list(islice(paths, _TOGETHER)):
        read = list(_read(batch))
        with database.open() as connection:
            for _, result in read:
                known = connection.execute("SELECT 1 FROM runs WHERE run_id = ?", (result.run_id,)).fetchone()
                if known is None:
                    write_run(connection, result, Caller(via=Via.CLI))
        with database.open() as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")  # on the disk before the files go
        for path, _ in read:
            path.unlink(missing_ok=True)
        taken += len(read)
    if taken:
        logger.info("runs of older versions taken into the archive", extra={"runs": taken})
    return taken


def _read(paths: list[Path]) -> Iterator[tuple[Path, Result]]:
    for path in paths:
        try:
            if path.stat().st_size <= MAX_BYTES:
                yield path, Result.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            logger.warning("file is not a run", extra={"file": path.name, "reason": type(error).__name__})
