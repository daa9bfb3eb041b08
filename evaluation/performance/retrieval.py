"""
Speed of keyword search: `python -m evaluation.performance.retrieval --sizes 10000 100000`.

Each engine runs in a process of its own, on the same corpus and questions. Ratios are held against what Looksy
promises; the exit code is 1 if one is missed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from evaluation.performance.engine_measurement import Measurement, SearchFigures, Task, measure_index, measure_search
from evaluation.performance.engines import ENGINES

MEMORY_LIMIT_PASSAGES = 20_000
"""Haystack's in-memory store takes seconds a query beyond this."""
TANTIVY_QUERY_RATIO = 1.3
TANTIVY_INDEX_RATIO = 1.5
MEMORY_SPEEDUP = 100.0
LEAST_OVERLAP = 0.97
RR_TOLERANCE = 0.01


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and hold the ratios."""
    options = _parse(arguments)
    if options.task:
        print(_work(Task.model_validate_json(options.task), phase=options.phase).model_dump_json())
        return 0
    missed = 0
    for size in options.sizes:
        measured = {name: _measure(name, size, options) for name in options.engines if _can_run(name, size)}
        _print_table(size, measured)
        missed += _print_ratios(measured)
    return 1 if missed else 0


def _work(task: Task, *, phase: str) -> Measurement | SearchFigures:
    """Do one phase in this process: `index` (and search, if the engine is in memory) or `search`."""
    if phase == "search":
        return measure_search(task)
    engine, index = measure_index(task)
    if not engine.on_disk:
        return Measurement(engine=task.engine, index=index, search=measure_search(task, engine))
    search = SearchFigures.model_validate_json(_in_own_process(task, phase="search"))
    engine.destroy()
    return Measurement(engine=task.engine, index=index, search=search)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="evaluation.performance.retrieval", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000], help="passages")
    parser.add_argument("--engines", nargs="+", choices=list(ENGINES), default=list(ENGINES))
    parser.add_argument("--articles", type=Path, help="JSON lines whose sentences are used; default: the sample")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--task", help=argparse.SUPPRESS)
    parser.add_argument("--phase", choices=("index", "search"), help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _can_run(name: str, size: int) -> bool:
    """Say whether an engine can be measured here; if not, why."""
    reason = None
    if name == "elasticsearch" and not os.environ.get("ELASTICSEARCH_URL"):
        reason = "ELASTICSEARCH_URL names no server"
    elif name == "bm25s" and find_spec("bm25s") is None:
        reason = "bm25s is not installed: pip install 'looksy[evaluation]'"
    elif name == "haystack-memory" and size > MEMORY_LIMIT_PASSAGES:
        reason = f"it takes seconds a query beyond {MEMORY_LIMIT_PASSAGES:,} passages"
    if reason:
        print(f"NOT RUN  {name}: {reason}", flush=True)
    return reason is None


def _measure(name: str, size: int, options: argparse.Namespace) -> Measurement:
    with tempfile.TemporaryDirectory(prefix="looksy-benchmark-") as folder:
        task = Task(
            engine=name, passages=size, folder=Path(folder), articles=options.articles, questions=options.questions
        )
        return Measurement.model_validate_json(_in_own_process(task, phase="index"))


def _in_own_process(task: Task, *, phase: str) -> str:
    """Return the last line that the process printed."""
    command = [sys.executable, "-m", "evaluation.performance.retrieval"]
    command += ["--phase", phase, "--task", task.model_dump_json()]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()[-1]


def _print_table(size: int, measured: dict[str, Measurement]) -> None:
    print(f"\n{size:,} passages; milliseconds a query, first ten, texts read")
    print(
        f"{'engine':16} {'index/s':>8} {'CPU µs':>8} {'disk MB':>8} {'RSS idx':>8} {'RSS srv':>8} "
        f"{'p50':>8} {'p95':>8} {'p99':>8} {'date p50':>9} {'date p95':>9} {'q/s':>8} {'q/s x2':>8} {'MRR':>6}"
    )
    for name, m in measured.items():
        index, search = m.index, m.search
        cpu_us = 1e6 * index.cpu_seconds / index.passages
        print(
            f"{name:16} {m.passages_per_second:8.0f} {cpu_us:8.0f} {index.disk_mb:8.0f} {index.peak_mb:8.0f} "
            f"{search.resident_mb:8.0f} {search.plain.p50:8.2f} {search.plain.p95:8.2f} {search.plain.p99:8.2f} "
            f"{search.dated.p50:9.2f} {search.dated.p95:9.2f} "
            f"{search.queries_per_second:8.0f} {search.queries_per_second_threaded:8.0f} {search.rr:6.3f}",
            flush=True,
        )


def _print_ratios(measured: dict[str, Measurement]) -> int:
    """Print what Looksy promises beside what was measured, and return how many promises were missed."""
    looksy = measured.get("looksy")
    if looksy is None:
        return 0
    results: list[tuple[str, float, bool]] = []
    if raw := measured.get("tantivy"):
        query = looksy.search.plain.p50 / raw.search.plain.p50
        index = looksy.index.cpu_seconds / raw.index.cpu_seconds
        results.append((f"query time / raw tantivy's, <= {TANTIVY_QUERY_RATIO}", query, query <= TANTIVY_QUERY_RATIO))
        results.append(
            (f"processor time to index / raw tantivy's, <= {TANTIVY_INDEX_RATIO}", index, index <= TANTIVY_INDEX_RATIO)
        )
    if memory := measured.get("haystack-memory"):
        speedup = memory.search.plain.p50 / looksy.search.plain.p50
        results.append(
            (f"times faster than Haystack in memory, >= {MEMORY_SPEEDUP}", speedup, speedup >= MEMORY_SPEEDUP)
        )
    if elastic := measured.get("elasticsearch"):
        same = overlap(looksy.search.top, elastic.search.top)
        change = abs(looksy.search.rr - elastic.search.rr) / max(elastic.search.rr, 1e-9)
        results.append((f"top-10 overlap with Elasticsearch, >= {LEAST_OVERLAP}", same, same >= LEAST_OVERLAP))
        results.append((f"MRR difference to Elasticsearch, <= {RR_TOLERANCE}", change, change <= RR_TOLERANCE))
    for text, value, held in results:
        print(f"{'held  ' if held else 'MISSED'} {value:10.3f}  {text}", flush=True)
    return sum(not held for _, _, held in results)


def overlap(first: list[list[str]], second: list[list[str]]) -> float:
    """Return the mean share of ids that two rankings have in common; questions without any result do not count."""
    shares = [len(set(a) & set(b)) / max(len(a), len(b)) for a, b in zip(first, second, strict=True) if a or b]
    return sum(shares) / len(shares) if shares else 1.0


if __name__ == "__main__":
    sys.exit(main())
