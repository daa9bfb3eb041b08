"""A whole crawl of a small site, over HTTP, in a process of its own."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core.errors import CancelledError, InputError, StoreLockedError, UnavailableError
from core.progress import ProgressEvent
from core.urls import article_id
from scraper.crawling.crawl import crawl
from tests.scraper.crawling.playsite import HOME, Answer, PlaySite, articles, index, publisher, run, urlset


def small_site(site: PlaySite, count: int = 3) -> list[str]:
    paths = [f"/news/story-{number}" for number in range(count)]
    site.add_sitemap(*(f"{site.home}{path}" for path in paths))
    for path in paths:
        site.add_article(path)
    return paths


def test_crawl_writes_each_article_once_under_its_publishers_address(site: PlaySite, tmp_path: Path) -> None:
    paths = small_site(site)
    report = run(site, tmp_path)
    found = articles(tmp_path)
    assert sorted(article.url for article in found) == [f"{HOME}{path}" for path in paths]
    assert {article.article_id for article in found} == {article_id(f"{HOME}{path}") for path in paths}
    assert (report.new, report.fetched, report.articles, report.complete) == (3, 3, 3, True)
    assert report.coverage == {"2024-03": 3}
    assert report.bytes > 0
    assert all(article.raw_ref for article in found)


def test_sitemap_may_name_the_publishers_own_address(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap(f"{HOME}/news/a", "http://example.org/news/b", "/news/c")
    for path in ("/news/a", "/news/b", "/news/c"):
        site.add_article(path)
    assert run(site, tmp_path).new == 3


def test_page_without_canonical_link_keeps_the_publishers_address(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a")
    site.add_article("/news/a", canonical="")
    run(site, tmp_path)
    assert [article.url for article in articles(tmp_path)] == [f"{HOME}/news/a"]


def test_second_crawl_asks_conditionally_and_changes_nothing(site: PlaySite, tmp_path: Path) -> None:
    paths = small_site(site)
    run(site, tmp_path)
    site.asked.clear()
    report = run(site, tmp_path)
    assert (report.unchanged, report.new, report.changed) == (3, 0, 0)
    assert site.paths() == dict.fromkeys(paths, 1)
    assert all("if-none-match" in asked.headers for asked in site.asked if asked.path.startswith("/news/"))
    assert len(articles(tmp_path)) == 3


def test_page_without_validators_is_compared_by_content(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a")
    site.add_article("/news/a", validators=False)
    run(site, tmp_path)
    assert run(site, tmp_path).unchanged == 1
    assert len(articles(tmp_path)) == 1


def test_user_agent_is_honest_and_names_a_contact(site: PlaySite, tmp_path: Path) -> None:
    small_site(site, 1)
    run(site, tmp_path)
    assert {asked.headers["user-agent"] for asked in site.asked} == {"Looksy/0.1.0 (+https://test.example)"}
    assert not any("cookie" in asked.headers or "referer" in asked.headers for asked in site.asked)


def test_host_that_is_down_gives_one_clear_error(site: PlaySite, tmp_path: Path) -> None:
    home = site.home
    site.close()
    with pytest.raises(UnavailableError) as caught:
        crawl(publisher(), data_dir=tmp_path, home=home, contact="x")
    assert home in caught.value.message
    assert "refuses connections" in caught.value.message
    assert not list(tmp_path.glob("articles/**/*.jsonl"))


@pytest.mark.parametrize("home", ["127.0.0.1:8000", "ftp://127.0.0.1", "http://127.0.0.1:8000/news", "http://"])
def test_home_that_is_no_origin_is_refused(tmp_path: Path, home: str) -> None:
    with pytest.raises(InputError) as caught:
        crawl(publisher(), data_dir=tmp_path, home=home, contact="x")
    assert caught.value.field == "home"


def test_progress_callback_can_stop_the_crawl_and_the_next_goes_on(site: PlaySite, tmp_path: Path) -> None:
    paths = [f"/news/story-{number}" for number in range(30)]
    site.add_sitemap(*paths)
    for path in paths:
        site.add_article(path)

    def stop_after_some(event: ProgressEvent) -> None:
        if event.done >= 5:
            raise CancelledError("enough")

    with pytest.raises(CancelledError) as caught:
        crawl(publisher(delay=0.05), data_dir=tmp_path, home=site.home, contact="x", progress=stop_after_some)
    assert "same command" in str(caught.value.hint)
    before = len(articles(tmp_path))
    assert 0 < before < 30
    report = run(site, tmp_path, delay=0)
    assert (report.complete, report.sessions, report.new) == (True, 2, 30)
    assert len({article.article_id for article in articles(tmp_path)}) == len(articles(tmp_path)) == 30


def test_limit_stops_early_and_the_next_crawl_goes_on(site: PlaySite, tmp_path: Path) -> None:
    small_site(site, 6)
    first = run(site, tmp_path, limit=2)
    assert (first.new, first.complete, first.remaining) == (2, False, 4)
    assert first.taken == 2
    second = run(site, tmp_path, limit=10)
    assert (second.new, second.complete) == (6, True)
    assert second.taken == 4
    assert max(site.paths().values()) == 1


def test_stop_while_sitemaps_are_read_loses_none_of_them(site: PlaySite, tmp_path: Path) -> None:
    maps = [f"/maps/{number}.xml" for number in range(30)]
    site.add("/sitemap.xml", index(*maps))
    for number, path in enumerate(maps):
        site.add_sitemap(f"/news/{number}", path=path)
        site.add_article(f"/news/{number}")

    def stop_after_some(event: ProgressEvent) -> None:
        if len(site.paths("/maps/")) >= 5:
            raise CancelledError("enough")

    with pytest.raises(CancelledError):
        crawl(publisher(delay=0.1), data_dir=tmp_path, home=site.home, contact="x", progress=stop_after_some)
    assert len(site.paths("/maps/")) < 20
    report = run(site, tmp_path, delay=0)
    assert (report.complete, report.sitemaps, report.new) == (True, 31, 30)
    assert max(site.paths("/maps/").values()) == 1


def test_changed_patterns_hold_for_known_addresses_too(site: PlaySite, tmp_path: Path) -> None:
    paths = ["/news/a", "/news/b", "/video/c", "/video/d"]
    site.add_sitemap(*paths)
    for path in paths:
        site.add_article(path)
    assert not run(site, tmp_path, limit=1).complete
    report = run(site, tmp_path, exclude=("/video/",))
    assert (report.complete, report.new, report.remaining) == (True, 2, 0)
    assert run(site, tmp_path, exclude=("/video/",)).unchanged == 2
    assert not site.paths("/video/")
    assert run(site, tmp_path).new == 2


def test_crawls_run_from_other_threads_and_again_in_one_process(site: PlaySite, tmp_path: Path) -> None:
    small_site(site, 2)
    reports = []
    for name in ("one", "two"):
        thread = threading.Thread(target=lambda folder=name: reports.append(run(site, tmp_path / folder)))
        thread.start()
        thread.join(60)
    assert [report.new for report in reports] == [2, 2]


def test_second_crawl_on_a_data_directory_is_refused_with_the_holders_pid(site: PlaySite, tmp_path: Path) -> None:
    small_site(site, 2)
    slow = site.routes["/news/story-0"]
    site.routes["/news/story-0"] = lambda asked: Answer(slow(asked).content, delay_s=4)  # type: ignore[operator]
    thread = threading.Thread(target=run, args=(site, tmp_path))
    thread.start()
    while not site.paths():
        time.sleep(0.05)
    with pytest.raises(StoreLockedError) as caught:
        run(site, tmp_path)
    assert str(os.getpid()) in caught.value.message
    thread.join(60)
    assert len(articles(tmp_path)) == 2


def test_interrupt_on_the_command_line_exits_130_and_says_how_to_resume(site: PlaySite, tmp_path: Path) -> None:
    paths = [f"/news/story-{number}" for number in range(50)]
    site.add_sitemap(*paths)
    for path in paths:
        site.add_article(path)
    file = tmp_path / "play.yaml"
    file.write_text(f"name: play\nhome: {HOME}\ndelay: 0.1\n", encoding="utf-8")
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # else not in a job behind `&`
    command = [
        sys.executable,
        "-c",
        f"{heard}; from service.cli.main import main; main()",
        "crawl",
        str(file),
        "--home",
        site.home,
    ]
    process = subprocess.Popen(
        [*command, "--data-dir", str(tmp_path / "var")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while len(site.paths()) < 4 and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "same command" in said
    assert "Traceback" not in said


def test_month_index_with_gzip_and_nested_indexes(site: PlaySite, tmp_path: Path) -> None:
    from tests.scraper.crawling.playsite import gzipped

    site.add("/robots.txt", f"User-agent: *\nSitemap: {site.home}/root.xml\n")
    site.add("/root.xml", index("/root.xml", f"{site.home}/inner.xml", "/2024/03.xml.gz"))
    site.add("/inner.xml", index("/2024/04.xml", "/root.xml"))
    site.add("/2024/03.xml.gz", gzipped(urlset("/news/a")), **{"Content-Type": "application/gzip"})
    site.add("/2024/04.xml", gzipped(urlset("/news/b")), **{"Content-Encoding": "gzip"})
    for path in ("/news/a", "/news/b"):
        site.add_article(path)
    report = run(site, tmp_path)
    assert report.new == 2
    assert report.sitemaps == 4
    assert site.count("/root.xml") == 1
