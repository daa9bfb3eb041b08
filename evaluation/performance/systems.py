"""
Time of every system on the bundled sample, by stage, and transcripts of them.

`python -m evaluation.performance.systems --data-dir var/demo` prints medians over some requests (after one to warm up):
wall time, processor time, and the wall time of each stage. Processor time over cores is what a quiet machine takes.
`--judge NAME`, repeated, measures with each judge in one run. `--transcripts FILE` writes one answer of each system as
Markdown instead.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from core.errors import StoreMissingError
from core.paths import SAMPLE
from core.settings import load_settings
from core.types import MAX_QUERY_CHARS, Model, Request, Result, Status
from indexing.job import run_index
from indexing.stores.contract import EvidenceStore
from indexing.stores.open import open_store
from pipelines.contracts.verifier import SHIPPED
from pipelines.engine import Engine
from pipelines.rendering.render import to_markdown
from pipelines.systems.registry import get_system, list_systems

TARGETS_S = {"lateral": 3.0, "agent": 2.0, "perspectives": 2.0, "counter": 1.0}
"""Median wall time wanted in the default profile on the sample, on two cores of a quiet machine."""
REQUESTS = 12
CONTROVERSIES = (
    "Should Britain leave the European Union without a deal?",
    "Should the President of the United States build a border wall?",
    "Should Hong Kong withdraw the extradition bill?",
    "Should schools close because of the coronavirus?",
    "Is the police response to the protests right?",
    "Should Brazil do more against fires in the Amazon?",
)
SHOWN = {
    "verify": "Detectives had spoken to Bruce McArthur more than once before they tied him to the killings.",
    "counter": "Hurricane Dorian made landfall in the Bahamas as a Category 3 storm.",
    "agent": "Investigators found the Lion Air 737 had been fit to fly when it left Jakarta.",
    "perspectives": CONTROVERSIES[1],
    "lateral": "https://en.wikinews.org/wiki/UK_Prime_Minister_Johnson_suspends_parliament_for_five_weeks_as_Brexit_deadline_approaches",
}
"""What the transcripts ask; a system that is not here is asked what verify is."""


class SystemTime(Model):
    """One system's times."""

    system: str
    judge: str
    requests: int
    failed: int
    median_s: float
    """Wall time, as it was."""
    median_cpu_s: float
    """Of this process, all threads."""
    target_s: float | None
    stages_ms: dict[str, float]
    """Median wall time of each stage."""


def requests_for(system: str) -> list[Request]:
    """Return what to ask: the sample's statements; articles' addresses where whole texts are read; controversies."""
    if get_system(system).info.max_chars > MAX_QUERY_CHARS:
        store_urls = [json.loads(line)["url"] for line in _lines("articles.jsonl.gz")]
        return [Request(text=url) for url in store_urls[:: len(store_urls) // REQUESTS][:REQUESTS]]
    if system == "perspectives":
        return [Request(text=text) for text in CONTROVERSIES]
    queries = [json.loads(line) for line in _lines("queries.jsonl")]
    return [Request(text=row["text"]) for row in queries if row["kind"] == "statement"][:REQUESTS]


def measure(engine: Engine, system: str, requests: Sequence[Request]) -> SystemTime:
    """
    Ask one request after the other.

    :param requests: The first one also warms up, and is asked twice.
    """
    engine.run(system, requests[0])
    walls, processors, failed = [], [], 0
    stages: dict[str, list[float]] = defaultdict(list)
    for request in requests:
        started, spent = time.perf_counter(), time.process_time()
        result = engine.run(system, request)
        walls.append(time.perf_counter() - started)
        processors.append(time.process_time() - spent)
        failed += result.status is Status.FAILED
        for stage, milliseconds in result.timings.items():
            stages[stage].append(milliseconds)
    return SystemTime(
        system=system,
        judge=engine.settings.judge,
        requests=len(requests),
        failed=failed,
        median_s=statistics.median(walls),
        median_cpu_s=statistics.median(processors),
        target_s=TARGETS_S.get(system),
        stages_ms={stage: statistics.median(values) for stage, values in stages.items()},
    )


def transcript(results: Sequence[Result]) -> str:
    """Write answers under each other, with the command that gives each."""
    parts = [
        "# Transcripts of the systems\n",
        "Made from the bundled sample, in the default profile without a chat model, by",
        "`python -m evaluation.performance.systems --transcripts FILE`.\n",
    ]
    for result in results:
        command = f'looksy ask --system {result.system} "{result.request.text}"'
        body = to_markdown(result).replace("\n## ", "\n#### ").replace("\n# ", "\n### ")
        body = f"##{body}" if body.startswith("# ") else body
        parts.append(f"## {result.system}\n\n```\n{command}\n```\n\n{body}")
    return "\n".join(parts)


def _lines(name: str) -> list[str]:
    import gzip  # noqa: PLC0415 - for one of two files

    path = SAMPLE / name
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        return file.read().splitlines()


def open_sample(data_dir: Path, *, judge: str = SHIPPED) -> Engine:
    """Open an engine on a folder; without an index there, the sample is indexed first."""
    settings = load_settings({"data_dir": data_dir, "judge": judge}, environment={})
    store = open_store(settings, must_exist=False)
    if _is_empty(store):
        run_index(store, data_dir=data_dir, articles=SAMPLE / "articles.jsonl.gz")
    store.close()
    return Engine(settings)


def _is_empty(store: EvidenceStore) -> bool:
    try:
        return not store.counts(by_month=False).articles
    except StoreMissingError:
        return True


def _print(times: SystemTime) -> None:
    stages = ", ".join(f"{stage} {value:.0f}" for stage, value in times.stages_ms.items() if stage != "total")
    target = "" if times.target_s is None else f" (target {times.target_s:g} s)"
    print(
        f"{times.system:<13} judge {times.judge}: "
        f"median {times.median_s:.2f} s{target}, processor {times.median_cpu_s:.2f} s, "
        f"{times.requests} requests, {times.failed} failed; ms: {stages}"
    )


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=Path, help="with an index of the sample; none: one is made for the time")
    parser.add_argument("--system", action="append", help="only this one; repeatable")
    parser.add_argument("--judge", action="append", help="as in the setting; repeatable; none: shipped")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--transcripts", type=Path, help="write one answer of each system here; measure nothing")
    given = parser.parse_args()
    names = given.system or [info.name for info in list_systems()]
    with tempfile.TemporaryDirectory() as scratch:
        data_dir, judges = given.data_dir or Path(scratch), given.judge or [SHIPPED]
        if given.transcripts:
            with closing(open_sample(data_dir, judge=judges[0])) as engine:
                results = [engine.run(name, Request(text=SHOWN.get(name, SHOWN["verify"]))) for name in names]
            given.transcripts.write_text(transcript(results), encoding="utf-8")
            return
        figures = []
        for judge in judges:
            with closing(open_sample(data_dir, judge=judge)) as engine:
                for name in names:
                    figures.append(measure(engine, name, requests_for(name)))
                    _print(figures[-1])
        if given.json:
            given.json.write_text(json.dumps([one.model_dump() for one in figures], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
