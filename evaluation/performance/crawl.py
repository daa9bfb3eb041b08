"""
What a Looksy crawl costs beside a raw client and plain Scrapy, on the same pages in the same run.

`python -m evaluation.performance.crawl [--pages 2000] [--workers 1,2]` prints a table (`--json FILE`: also a file).
`--soak 20000` crawls so many small pages instead, and says whether the crawling process stays as small as it was.
"""

import argparse
import http.client
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from core.paths import ROOT
from core.types import Model
from evaluation.performance.crawl_site import page_paths, serve_pages
from evaluation.performance.crawl_soak import MOST_GROWTH_MB, SoakFigures, run_soak
from scraper.crawling.crawl import crawl
from scraper.publishers import Publisher
from scraper.state.report import CrawlReport

CONCURRENCY = 8
PAGE_BYTES = 120_000
MOST_CPU_RATIO = 1.5
"""Target: CPU of the crawling process per page, relative to plain Scrapy's."""
LEAST_RECHECK_RATIO = 0.8
"""Target: pages a second where nothing changed, relative to plain Scrapy's."""


class CrawlMeasure(Model):
    """One way of getting the pages."""

    name: str
    pages: int
    seconds: float
    pages_per_s: float
    cpu_ms_per_page: float
    """Of the process that downloads; extraction and server left out."""
    rate_ratio: float = 1.0
    """Relative to plain Scrapy."""
    cpu_ratio: float = 1.0
    """Relative to plain Scrapy."""


def run_crawl_benchmark(
    *, pages: int = 2000, page_bytes: int = PAGE_BYTES, workers: tuple[int, ...] = (1, 2)
) -> list[CrawlMeasure]:
    """
    Measure a raw client, plain Scrapy, Looksy's crawl with each number of workers, and its re-check.

    :param workers: Numbers of extraction processes.
    """
    with serve_pages(pages, page_bytes=page_bytes) as home:
        plain = _plain_scrapy(home, pages)
        measures = [_raw_client(home, pages), plain]
        for number in workers:
            with tempfile.TemporaryDirectory() as folder:
                measures.append(_looksy(home, Path(folder), name=f"looksy, {number} workers", workers=number))
                if number == workers[-1]:
                    measures.append(_looksy(home, Path(folder), name="looksy, re-check", workers=number))
    return [
        measure.model_copy(
            update={
                "rate_ratio": round(measure.pages_per_s / plain.pages_per_s, 3),
                "cpu_ratio": round(measure.cpu_ms_per_page / plain.cpu_ms_per_page, 3),
            }
        )
        for measure in measures
    ]


def _measure(name: str, *, pages: int, seconds: float, cpu_s: float) -> CrawlMeasure:
    return CrawlMeasure(
        name=name,
        pages=pages,
        seconds=round(seconds, 2),
        pages_per_s=round(pages / seconds, 1),
        cpu_ms_per_page=round(1000 * cpu_s / max(1, pages), 3),
    )


def _raw_client(home: str, pages: int) -> CrawlMeasure:
    parts = urlsplit(home)
    started, cpu = time.monotonic(), time.process_time()
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    for path in page_paths(pages):
        connection.request("GET", path)
        connection.getresponse().read()
    connection.close()
    return _measure("raw client", pages=pages, seconds=time.monotonic() - started, cpu_s=time.process_time() - cpu)


def _plain_scrapy(home: str, pages: int) -> CrawlMeasure:
    done = subprocess.run(
        [sys.executable, "-m", "evaluation.performance.plain_scrapy", str(CONCURRENCY)],
        input="\n".join(f"{home}{path}" for path in page_paths(pages)),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    spent = json.loads(done.stdout)
    return _measure("plain Scrapy", pages=spent["pages"], seconds=spent["seconds"], cpu_s=spent["cpu_s"])


def _looksy(home: str, data_dir: Path, *, name: str, workers: int) -> CrawlMeasure:
    publisher = Publisher(name="benchmark", home="https://benchmark.example", delay=0, concurrency=CONCURRENCY)
    report: CrawlReport = crawl(publisher, data_dir=data_dir, home=home, contact="benchmark", workers=workers)
    return _measure(name, pages=report.fetched, seconds=report.duration_s, cpu_s=report.cpu_s)


def main() -> None:
    """Measure and print."""
    given = _arguments()
    if given.soak:
        _print_soak(run_soak(given.soak), given.json)
        return
    measures = run_crawl_benchmark(pages=given.pages, workers=tuple(int(number) for number in given.workers.split(",")))
    print(f"{'':24}{'pages/s':>10}{'ratio':>8}{'CPU ms/page':>14}{'ratio':>8}")
    for one in measures:
        print(
            f"{one.name:24}{one.pages_per_s:10.1f}{one.rate_ratio:8.2f}{one.cpu_ms_per_page:14.2f}{one.cpu_ratio:8.2f}"
        )
    print(f"\nTargets: crawling process at most {MOST_CPU_RATIO} times plain Scrapy's CPU a page;", end=" ")
    print(f"re-check at least {LEAST_RECHECK_RATIO:.0%} of its rate.")
    if given.json:
        given.json.write_text(json.dumps([one.model_dump() for one in measures], indent=2) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--workers", default="1,2", help="numbers of extraction processes, as in 1,2")
    parser.add_argument("--json", type=Path, help="also write the measures to this file")
    parser.add_argument("--soak", type=int, metavar="PAGES", help="crawl so many small pages and watch memory")
    return parser.parse_args()


def _print_soak(soak: SoakFigures, file: Path | None) -> None:
    print(f"{soak.articles} of {soak.pages} articles in {soak.seconds:.0f} s; the crawling process held", end=" ")
    print(
        f"{soak.warm_mb:.0f} MB after a quarter and {soak.peak_mb:.0f} MB at most (target: + {MOST_GROWTH_MB:.0f} MB)"
    )
    if file:
        file.write_text(soak.model_dump_json(indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
