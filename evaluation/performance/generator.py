"""
What the pipeline adds to its generator: queries a second through everything, against the same requests sent directly.

::

    python -m evaluation.performance.generator --url http://127.0.0.1:8001/v1 --model lmsys/vicuna-7b-v1.5
    python -m evaluation.performance.generator          # a scripted model that takes as long as a 7B model

Works with any OpenAI-compatible server. The pipeline needs processor time of its own, which is printed: where all cores
are busy with it, the generator waits. The exit code is 1 if the pipeline costs more than a tenth at the last number of
clients.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

from core.paths import SAMPLE
from core.settings import Settings, load_settings
from core.types import Model, ModelCall, Request
from evaluation.performance.scripted_model import MODEL, ScriptedModel
from indexing.job import run_index
from indexing.stores.open import open_store
from pipelines.engine import Engine

MOST_ADDED = 0.1
Item = TypeVar("Item")


class Load(Model):
    """One number of clients."""

    clients: int
    queries: int
    alone_per_second: float
    """Requests of the pipeline, sent to the generator again without it."""
    pipeline_per_second: float
    cpu_ms: float
    """Processor time of a query in this process, all threads; a scripted model's own is in it."""

    @property
    def added(self) -> float:
        """Return the share of the generator's queries a second that the pipeline costs; negative: noise."""
        return 1.0 - self.pipeline_per_second / self.alone_per_second


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    options = _parse(arguments)
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        url = options.url
        if url is None:
            scripted = ScriptedModel(prefill=options.prefill, decode=options.decode, slots=options.slots)
            url = stack.enter_context(scripted).url
        flags = {"data_dir": Path(scratch), "generator": "openai", "generator_url": url, "mode": options.mode}
        limits = {"generator_model": options.model, "generator_in_flight": 256, "generator_fallback": "none"}
        engine = make_engine(load_settings(flags | limits, environment={}))
        stack.callback(engine.close)
        print(f"{'clients':>8}{'alone q/s':>12}{'pipeline q/s':>14}{'added':>8}{'CPU ms/query':>14}")
        loads = [measure(engine, read_queries(options.queries), clients=clients) for clients in options.clients]
    return int(loads[-1].added > MOST_ADDED)


def make_engine(settings: Settings) -> Engine:
    """Index the sample and open everything."""
    store = open_store(settings, must_exist=False)
    run_index(store, data_dir=settings.data_dir, articles=SAMPLE / "articles.jsonl.gz")
    store.close()
    engine = Engine(settings)
    engine.warm_up()
    return engine


def read_queries(limit: int) -> list[Request]:
    """Return queries of the sample."""
    with (SAMPLE / "queries.jsonl").open(encoding="utf-8") as lines:
        return [Request(text=json.loads(line)["text"]) for line in lines][:limit]


def measure(engine: Engine, queries: Sequence[Request], *, clients: int) -> Load:
    """Ask all queries from so many threads, then send the requests that came of it once more, directly."""
    calls: list[ModelCall] = []

    def ask(request: Request) -> None:
        result = engine.run("verify", request)
        calls.extend(result.run.calls if result.run else ())

    cpu = time.process_time()
    through = _timed(ask, queries, clients)
    cpu = time.process_time() - cpu
    generator = engine.resources.generator()
    assert generator is not None, "the settings name one"  # noqa: S101 - for the type checker
    most = engine.settings.generator_max_tokens
    alone = _timed(lambda call: generator.complete(call.messages, max_tokens=most, seed=0), calls, clients)
    load = Load(
        clients=clients,
        queries=len(queries),
        alone_per_second=len(calls) / alone,
        pipeline_per_second=len(calls) / through,
        cpu_ms=1000 * cpu / len(queries),
    )
    print(
        f"{clients:>8}{load.alone_per_second:>12.2f}{load.pipeline_per_second:>14.2f}"
        f"{load.added:>8.1%}{load.cpu_ms:>14.0f}",
        flush=True,
    )
    return load


def _timed(work: Callable[[Item], object], items: Sequence[Item], clients: int) -> float:
    started = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(work, items))
    return time.perf_counter() - started


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="base URL of a server; left out: a scripted model is started")
    parser.add_argument("--model", default=MODEL)
    parser.add_argument("--mode", default="references")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--prefill", type=float, default=8_000.0, help="prompt tokens a second of the scripted model")
    parser.add_argument("--decode", type=float, default=80.0, help="reply tokens a second, for each request")
    parser.add_argument("--slots", type=int, default=2, help="requests at one time")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
