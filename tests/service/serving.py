"""A served app."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI

from service.operations.server import bind


@contextmanager
def serving(app: FastAPI, **options: Any) -> Iterator[int]:
    """
    Serve an app; its port.

    :param options: Of uvicorn.
    """
    listener = bind("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, **options))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server has not started"
        time.sleep(0.01)
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join(timeout=60)
