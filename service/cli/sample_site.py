"""`looksy sample-site`: the bundled news site, over HTTP."""

from typing import Annotated

import typer

from service.cli import common


def sample_site(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port on loopback; 0: a free one.")] = 8080,
    data_dir: common.DataDir = None,
) -> None:
    """Serve the bundled sample news site on loopback until stopped."""
    common.make_settings(data_dir=data_dir)

    from core.paths import SAMPLE
    from scraper.samplesite.server import SampleServer
    from scraper.samplesite.stories import read_stories

    server = SampleServer(read_stories(SAMPLE / "articles.jsonl.gz"), port=port).start()
    print(f"Sample site: {server.address}  (Ctrl-C stops it)", flush=True)
    print(f"Crawl it:    looksy crawl sample --home {server.address}", flush=True)
    try:
        server.wait()
    finally:
        server.stop()
