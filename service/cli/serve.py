"""`looksy serve`: REST and the web page."""

from typing import Annotated

import typer

from service.cli import common


def serve(
    host: Annotated[
        str | None, typer.Option("--host", help="Address to bind.", show_default="127.0.0.1: this machine only")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", help="Port to bind; 0: a free one.", show_default="8000")
    ] = None,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Serve REST and the web page until stopped."""
    settings = common.make_settings(
        data_dir=data_dir, profile=profile, store=store, assignments=assignments, host=host, port=port
    )
    from service.operations.server import run_server

    run_server(settings, announce=lambda address: print(f"Looksy serves at {address}  (Ctrl-C stops it)", flush=True))
