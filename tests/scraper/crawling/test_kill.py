"""kill -9 at random moments: what is left is fetched, and no article is lost or doubled."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import LooksyError
from core.progress import ProgressEvent
from scraper.crawling.crawl import crawl
from tests.scraper.crawling.playsite import HOME, PlaySite, articles, publisher, run

PAGES = 300
KILLS = 10
COMMAND = "from service.cli.main import main; main()"


def test_kill_at_ten_random_moments_loses_and_doubles_nothing(site: PlaySite, tmp_path: Path) -> None:
    paths = [f"/news/story-{number}" for number in range(PAGES)]
    site.add_sitemap(*paths)
    for path in paths:
        site.add_article(path)
    file = tmp_path / "play.yaml"
    file.write_text(f"name: play\nhome: {HOME}\ndelay: 0\n", encoding="utf-8")
    data = tmp_path / "var"
    command = [sys.executable, "-c", COMMAND, "crawl", str(file), "--home", site.home, "--data-dir", str(data)]
    moments = random.Random(20)
    for _ in range(KILLS):
        asked = len(site.asked)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(site.asked) - asked < 3 and process.poll() is None:
            time.sleep(0.01)
        time.sleep(moments.uniform(0, 0.6))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        written = {article.url for article in whole_lines(data)}
        assert len(written) == len(whole_lines(data)), "an article was doubled"
    time.sleep(0.5)  # requests of the last one that was killed may still be on their way
    before = {article.url.removeprefix(HOME) for article in whole_lines(data)}
    site.asked.clear()
    report = run(site, data)
    assert report.complete
    assert {article.url for article in articles(data)} == {f"{HOME}{path}" for path in paths}
    assert len(articles(data)) == PAGES
    # A line that was written but not yet recorded when the kill came is fetched once more; at most one there is.
    assert len(before & set(site.paths())) <= 1
    assert set(paths) - before <= set(site.paths())
    assert max(site.paths().values()) == 1


def whole_lines(data: Path):
    from core.types import Article

    lines = [
        line for path in sorted((data / "articles").glob("**/*.jsonl")) for line in path.read_bytes().split(b"\n")[:-1]
    ]
    return [Article.model_validate_json(line) for line in lines]


def test_crawling_process_that_dies_is_reported_with_the_way_out(site: PlaySite, tmp_path: Path) -> None:
    paths = [f"/news/story-{number}" for number in range(20)]
    site.add_sitemap(*paths)
    for path in paths:
        site.add_article(path)

    def kill_it(event: ProgressEvent) -> None:
        if event.done:
            for child in children_of(os.getpid()):
                os.kill(child, signal.SIGKILL)

    with pytest.raises(LooksyError) as caught:
        crawl(publisher(delay=0.2), data_dir=tmp_path, home=site.home, contact="test", progress=kill_it)
    assert "ended unexpectedly (status -9)" in caught.value.message
    assert "same command" in (caught.value.hint or "")
    assert run(site, tmp_path).complete
    assert len({article.url for article in articles(tmp_path)}) == len(articles(tmp_path)) == len(paths)


def test_processes_that_extract_load_no_crawler(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a")
    site.add_article("/news/a")
    libraries: list[tuple[bool, list[bool]]] = []

    def look(event: ProgressEvent) -> None:
        if event.done:
            (crawling,) = children_of(os.getpid())
            extracting = [pid for pid in all_children_of(crawling) if b"spawn_main" in command_of(pid)]
            libraries.append((loads_tls(crawling), [loads_tls(pid) for pid in extracting]))

    crawl(publisher(), data_dir=tmp_path, home=site.home, contact="test", progress=look)
    assert (True, [False]) in libraries  # Scrapy brings it, and the extractor does not need it


def loads_tls(pid: int) -> bool:
    return "/cryptography/" in Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")


def children_of(pid: int) -> list[int]:
    """The crawling processes that this process has started."""
    return [child for child in all_children_of(pid) if b"scraper.crawling.worker" in command_of(child)]


def command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def all_children_of(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
            found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found
