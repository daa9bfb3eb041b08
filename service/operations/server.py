"""Runs the service until it is stopped."""

import errno
import socket
from collections.abc import Callable

import uvicorn

from core.errors import UnavailableError
from core.settings import Settings
from service.app import create_app
from service.operations.connections import SlowRequestTimeout
from service.operations.logs import set_up_logs

SHUTDOWN_S = 10
_OF_THE_PORT = frozenset({errno.EADDRINUSE, errno.EACCES})


def run_server(settings: Settings, *, announce: Callable[[str], None]) -> None:
    """
    Serve until a signal comes; requests that are being answered get `SHUTDOWN_S` seconds to finish.

    :param announce: Told the address once it is bound.
    :raises UnavailableError: If the address cannot be bound.
    :raises StoreError: If the service's database cannot be used.
    """
    set_up_logs()
    listener = bind(settings.host, settings.port)
    app = create_app(settings)
    with app.state.looksy.database.open():
        pass  # made or brought up to date: a fault is told before the address is
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    announce(f"http://{shown}:{port}")
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        http=SlowRequestTimeout,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
    uvicorn.Server(config).run(sockets=[listener])


def bind(host: str, port: int) -> socket.socket:
    """
    Take the address before anything is opened, so that a port in use is one clear error.

    :param port: 0 takes a free one.
    :raises UnavailableError: If it cannot be had.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except (OSError, UnicodeError) as error:  # the latter for a name that is none
        is_port = isinstance(error, OSError) and error.errno in _OF_THE_PORT
        raise UnavailableError(
            f"{host}:{port} cannot be bound: {getattr(error, 'strerror', None) or error}",
            field="port" if is_port else "host",
            hint="Choose another --port." if is_port else "Give --host an address of this machine, or 0.0.0.0 for all.",
        ) from error
    return listener
