"""Structured logs: one JSON object a line, on standard error, with the names of request and run."""

import contextvars
import json
import logging
import sys
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

REQUEST_ID: contextvars.ContextVar[str | None] = contextvars.ContextVar("request_id", default=None)
"""Name of the request that is being answered."""
QUERY: contextvars.ContextVar[str | None] = contextvars.ContextVar("query", default=None)
"""What is asked, where it is to be kept out of the log."""
_OURS = frozenset({"time", "level", "logger", "request_id", "run_id", "job_id"})
"""What never holds a query; one that reads "2026" or "error" must not make them illegible."""
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """Writes a record as JSON; what was given as `extra` stands beside the message, but for what libraries add."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one record."""
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (request_id := REQUEST_ID.get()) is not None:
            entry["request_id"] = request_id
        extra = {name: value for name, value in vars(record).items() if name not in _STANDARD}
        entry |= {name: value for name, value in extra.items() if not name.startswith("_")}  # as `_ray_timestamp_ns`
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        if query := QUERY.get():
            entry = {name: value if name in _OURS else _without(value, query) for name, value in entry.items()}
        return json.dumps(entry, ensure_ascii=False, default=str)


def _without(value: object, query: str) -> object:
    return value.replace(query, "[query]").replace(repr(query)[1:-1], "[query]") if isinstance(value, str) else value


def set_up_logs(level: int = logging.INFO) -> None:
    """Send all logs to standard error as JSON; libraries only from warnings on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in ("looksy", "service", "pipelines", "scraper", "indexing", "models"):
        logging.getLogger(name).setLevel(level)


LOG_FILE = Path("logs") / "looksy.log"
_LOG_BYTES = 5_000_000


class _LogFile(RotatingFileHandler):
    """A file that is made, with its folder, when there is something to write."""

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        return super()._open()


def log_to_file(data_dir: Path) -> Path:
    """
    Send warnings and errors to `<data_dir>/logs/looksy.log`: people at a terminal get one message, not a trace.

    :returns: The file, which need not be there yet.
    """
    path = data_dir / LOG_FILE
    root = logging.getLogger()
    for old in [handler for handler in root.handlers if isinstance(handler, _LogFile)]:
        root.removeHandler(old)
        old.close()
    handler = _LogFile(path, maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8", delay=True)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(JsonFormatter())
    root.addHandler(handler)
    return path


def log_file() -> Path | None:
    """Return the file that logs go to; None: there is none."""
    return next((Path(one.baseFilename) for one in logging.getLogger().handlers if isinstance(one, _LogFile)), None)
