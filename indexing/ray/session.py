"""A Ray cluster, and a way to spread work over it that outlives a lost worker."""

import json
import logging
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from core.errors import ConfigError, LooksyError, UnavailableError
from core.settings import ENV_PREFIX, Settings, secret_names

LOCAL = "local"
"""Address that starts a cluster of this machine's cores, for as long as the work lasts."""
LOCAL_OBJECT_BYTES = 512 << 20
CONNECT_SECONDS = 10.0

Work = Callable[[bytes], bytes]
"""One part to its result. Must do no harm when it is done twice."""


class Cluster:
    """A cluster that this process is connected to; made by `connect`."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray

    @property
    def cores(self) -> int:
        """How many processor cores the cluster has now, at least one."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def spread(self, parts: Sequence[bytes], work: Work) -> Iterator[bytes]:
        """
        Do parts of work, each on one core of any worker.

        The part of a worker that died is done again by another.

        :param parts: All are in memory at one time.
        :returns: The result of each part, in the order of the parts.
        :raises LooksyError: What the work has raised, or `UnavailableError` if a part cannot be done.
        """
        if not parts:
            return
        import ray.data

        _be_quiet_and_orderly(ray.data.DataContext.get_current())

        def one(row: dict[str, Any]) -> dict[str, Any]:
            return _guarded(work, row["part"])

        data = ray.data.from_items([{"part": part} for part in parts], override_num_blocks=len(parts))
        try:
            for row in data.map(one, num_cpus=1).iter_rows():
                if row["error"]:
                    raise revived(json.loads(row["error"]))
                yield row["result"]
        except self._ray.exceptions.RayTaskError:
            raise
        except self._ray.exceptions.RayError as error:
            raise UnavailableError(
                f"the Ray cluster has lost work: {type(error).__name__}: {str(error)[:300]}",
                field="ray",
                hint="See that its nodes run, and run the command again: it goes on after what is finished.",
            ) from error


@contextmanager
def connect(address: str) -> Iterator[Cluster]:
    """
    Connect to a cluster, and leave it when the block ends.

    :param address: `host:port` of its head, `ray://host:port`, `auto`, or `local` (see `LOCAL`).
    :raises ConfigError: If Ray is not installed.
    :raises UnavailableError: If there is no cluster at the address.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing leaves the machine unasked
    try:
        import ray
        import ray.data
    except ModuleNotFoundError as error:
        raise ConfigError(
            "--ray needs Ray, which is not installed", field="ray", hint="Run pip install 'looksy[ray]'."
        ) from error
    _require_listening(address)
    own: dict[str, Any] = {}
    if address == LOCAL:
        own = {"include_dashboard": False, "object_store_memory": LOCAL_OBJECT_BYTES}
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **own)
    except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
        raise _no_cluster(address, error) from error
    try:
        yield Cluster(ray)
    finally:
        ray.shutdown()


def _require_listening(address: str) -> None:
    """Refuse `host:port` at once if nothing listens there; Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
        except OSError as error:
            raise _no_cluster(address, error) from error


def _no_cluster(address: str, error: Exception) -> UnavailableError:
    return UnavailableError(
        f"there is no Ray cluster at {address!r}: {str(error)[:300]}",
        field="ray",
        hint="Start one with 'ray start --head' and give its host:port, or use --ray local.",
    )


def portable(settings: Settings) -> dict[str, Any]:
    """Return the settings as a worker gets them: without secrets, one thread for each core, paths from the root."""
    values = settings.model_dump(mode="json", exclude=set(secret_names()))
    ca_file = settings.store_ca_file
    return values | {
        "threads": 1,
        "data_dir": str(settings.data_dir.absolute()),
        "store_ca_file": str(ca_file.absolute()) if ca_file else None,
    }


def worker_settings(values: Mapping[str, Any]) -> Settings:
    """Return the settings on a worker; the secrets are those of its own environment."""
    secrets = {name: os.environ.get(f"{ENV_PREFIX}{name.upper()}") or None for name in secret_names()}
    return Settings(**{**values, **secrets})


def revived(body: Mapping[str, Any]) -> LooksyError:
    """Return the error that a worker has raised; one that needs more than a message comes back as its base."""
    kind = next((kind for kind in _kinds(LooksyError) if kind.code == body["code"]), LooksyError)
    bases = [base for base in kind.__mro__ if issubclass(base, LooksyError)]
    plain = next(base for base in bases if not any("__init__" in vars(c) for c in bases[bases.index(base) : -1]))
    return plain(body["message"], field=body["field"], hint=body["hint"])


def _kinds(base: type[LooksyError]) -> Iterator[type[LooksyError]]:
    yield base
    for kind in base.__subclasses__():
        yield from _kinds(kind)


def _guarded(work: Work, part: bytes) -> dict[str, Any]:
    """Do one part; an error that is meant for a person travels as data."""
    try:
        return {"result": work(part), "error": ""}
    except LooksyError as error:
        body = {"code": error.code, "message": error.message, "field": error.field, "hint": error.hint}
        return {"result": b"", "error": json.dumps(body)}


def _be_quiet_and_orderly(context: Any) -> None:
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    context.execution_options.preserve_order = True
