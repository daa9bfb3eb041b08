"""Crawls of web archives and saved pages: same articles and state as of the site, resumed, and found by a question."""

import json
import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from core.errors import CancelledError, ConfigError, InputError
from core.progress import ProgressEvent
from scraper.crawling.archive_crawl import crawl_archives
from scraper.crawling.crawl import crawl
from scraper.crawling.reextract import reextract
from scraper.publishers import Publisher, load_publisher
from scraper.state.report import CrawlReport
from tests.scraper.archives.archive_files import DAY, record, wacz
from tests.scraper.crawling.playsite import HOME, PlaySite, article_page, articles, publisher, run, sentences

COMMAND = "from service.cli.main import main; main()"


def archive(path: Path, *paths: str) -> Path:
    path.write_bytes(b"".join(record(f"{HOME}{one}", article_page(one)) for one in paths))
    return path


def read(file: Path, data: Path, **fields: object) -> CrawlReport:
    return crawl_archives(publisher(**fields), [file], data_dir=data)


def test_articles_of_an_archive_are_those_of_the_site(site: PlaySite, tmp_path: Path) -> None:
    paths = [f"/news/story-{number}" for number in range(3)]
    site.add_sitemap(*paths)
    for path in paths:
        site.add_article(path)
    run(site, tmp_path / "site")
    report = read(wacz(tmp_path / "a.wacz", *(record(f"{HOME}{p}", article_page(p)) for p in paths)), tmp_path / "file")
    assert (report.new, report.requests, report.complete) == (3, 0, True)

    def told(data: Path) -> list[dict[str, object]]:
        left_out = {"first_seen_at", "raw_ref", "revision"}
        return sorted((one.model_dump(exclude=left_out) for one in articles(data)), key=lambda one: str(one["url"]))

    assert told(tmp_path / "file") == told(tmp_path / "site")
    assert {one.first_seen_at for one in articles(tmp_path / "file")} == {DAY}


def test_second_reading_finds_nothing_new_and_pages_are_archived(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.warc.gz", "/news/a", "/news/b")
    read(file, tmp_path / "var")
    again = read(file, tmp_path / "var")
    assert (again.fetched, again.skipped, again.articles) == (0, {"known": 2}, 2)
    assert len(articles(tmp_path / "var")) == 2
    assert reextract(publisher(), data_dir=tmp_path / "var").unchanged == 2


def test_later_captures_are_revisions_and_earlier_ones_change_nothing(tmp_path: Path) -> None:
    old, new = article_page("/news/a"), article_page("/news/a", sentences("another text", 12))
    file = tmp_path / "a.warc.gz"
    file.write_bytes(
        record(f"{HOME}/news/a", old)
        + record(f"{HOME}/news/a", new, at=DAY + timedelta(days=1))
        + record(f"{HOME}/news/a", old, at=DAY - timedelta(days=1))
    )
    for _ in range(2):
        report = read(file, tmp_path / "var")
    assert [one.revision for one in articles(tmp_path / "var")] == [1, 2]
    assert "another text" not in articles(tmp_path / "var")[0].body
    assert report.skipped == {"known": 3}


def test_what_the_site_showed_later_is_not_undone(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a")
    site.add_article("/news/a", sentences("as it is now", 12))
    run(site, tmp_path)
    report = read(archive(tmp_path / "a.warc.gz", "/news/a"), tmp_path)
    assert report.skipped == {"known": 1}
    assert len(articles(tmp_path)) == 1


def test_only_wanted_pages_of_the_publisher_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(
        record(f"{HOME}/news/a", article_page("/news/a"))
        + record(f"{HOME}/sport/b", article_page("/sport/b"))
        + record("https://other.example/news/c", article_page("/news/c"))
        + record(f"{HOME}/", "<html><title>Front page</title><body><h1>News</h1></body></html>")
    )
    report = read(file, tmp_path / "var", exclude=("/sport/",))
    assert report.new == 1
    assert report.skipped == {"not_wanted": 1, "offsite": 1}
    assert report.rejected == {"not_article": 1}


def test_time_to_come_is_taken_for_now(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(record(f"{HOME}/news/a", article_page("/news/a"), at=DAY.replace(year=2999)))
    read(file, tmp_path / "var")
    (found,) = articles(tmp_path / "var")
    assert found.first_seen_at.year < 2999


def test_limit_ends_a_session_and_the_next_goes_on(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.warc.gz", *(f"/news/{number}" for number in range(5)))
    first = crawl_archives(publisher(), [file], data_dir=tmp_path / "var", limit=3)
    assert (first.taken, first.articles) == (3, 3)
    assert "run the same command again" in first.warnings[0]
    second = crawl_archives(publisher(), [file], data_dir=tmp_path / "var", limit=3)
    assert (second.taken, second.articles, second.warnings) == (2, 5, ())


def test_cancelled_reading_keeps_what_was_done(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.warc.gz", *(f"/news/{number}" for number in range(6)))

    def stop(event: ProgressEvent) -> None:
        if event.done:
            raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        crawl_archives(publisher(), [file], data_dir=tmp_path / "var", progress=stop)
    assert 0 < len(articles(tmp_path / "var")) < 6
    assert read(file, tmp_path / "var").articles == 6
    assert len(articles(tmp_path / "var")) == 6


def test_damaged_file_of_several_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    archive(tmp_path / "a.warc.gz", "/news/a")
    (tmp_path / "b.warc.gz").write_bytes(b"no archive")
    report = read(tmp_path, tmp_path / "var")
    assert report.articles == 1
    assert "b.warc.gz: it is not a WARC or ARC file" in report.warnings[0]


def test_publisher_file_names_archives_in_place_of_the_site(tmp_path: Path) -> None:
    archive(tmp_path / "a.warc.gz", "/news/a")
    file = tmp_path / "play.yaml"
    file.write_text(f"name: play\nhome: {HOME}\narchives: a.warc.gz\n", encoding="utf-8")
    report = crawl(load_publisher(str(file)), data_dir=tmp_path / "var", contact="test")
    assert (report.new, report.requests) == (1, 0)
    file.write_text(f"name: play\nhome: {HOME}\narchives: [b.warc.gz]\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.warc\.gz is not there"):
        crawl(load_publisher(str(file)), data_dir=tmp_path / "var", contact="test")
    file.write_text(f"name: play\nhome: {HOME}\narchive: a.warc.gz\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="archive is not a key"):
        load_publisher(str(file))


def test_kill_loses_and_doubles_nothing(tmp_path: Path) -> None:
    count = 60
    file = archive(tmp_path / "a.warc.gz", *(f"/news/story-{number}" for number in range(count)))
    names = tmp_path / "play.yaml"
    names.write_text(f"name: play\nhome: {HOME}\n", encoding="utf-8")
    data = tmp_path / "var"
    command = [sys.executable, "-c", COMMAND, "crawl", str(names), "--from-warc", str(file), "--data-dir", str(data)]
    for share in (0.1, 0.5):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(whole_lines(data)) < share * count and process.poll() is None:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    before = whole_lines(data)
    assert 0 < len(before) < count
    read(file, data)
    addresses = [one.url for one in articles(data)]
    assert sorted(addresses) == sorted(f"{HOME}/news/story-{number}" for number in range(count))
    assert {line["url"] for line in before} <= set(addresses)


def whole_lines(data: Path) -> list[dict[str, object]]:
    files = sorted((data / "articles").glob("**/*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_bytes().split(b"\n")[:-1]]


def test_crawled_archive_is_indexed_and_answers_a_question(tmp_path: Path, looksy) -> None:
    text = (
        "The Harbour Commission approved the new ferry terminal in Port Ellery on Monday after two years of talks."
        " The terminal will cost 48 million dollars, the commission said. Work on it begins in June."
        " Residents of the old quay had asked for a smaller building."
    )
    file = tmp_path / "a.warc.gz"
    page = article_page("/news/ferry", text, headline="Harbour Commission approves ferry terminal in Port Ellery")
    file.write_bytes(record(f"{HOME}/news/ferry", page))
    names = tmp_path / "play.yaml"
    names.write_text(f"name: play\ntitle: The Play\nhome: {HOME}\n", encoding="utf-8")
    data = ["--data-dir", str(tmp_path / "var")]
    crawled = looksy("crawl", str(names), "--from-warc", str(file), "--json", *data)
    assert json.loads(crawled)["new"] == 1
    looksy("index", *data)
    asked = json.loads(looksy("ask", "How much will the ferry terminal in Port Ellery cost?", "--json", *data))
    assert "48 million" in json.dumps(asked)
    assert f"{HOME}/news/ferry" in json.dumps(asked)


@pytest.mark.parametrize("option", [("--reextract",), ("--home", "http://127.0.0.1:9")])
def test_two_sources_are_one_clear_error(option: tuple[str, ...], tmp_path: Path) -> None:
    names = tmp_path / "play.yaml"
    names.write_text(f"name: play\nhome: {HOME}\n", encoding="utf-8")
    command = [sys.executable, "-c", COMMAND, "crawl", str(names), "--from-warc", "a.warc", *option]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "both say where pages come from" in done.stderr


@pytest.fixture
def looksy():
    def call(*arguments: str) -> str:
        done = subprocess.run([sys.executable, "-c", COMMAND, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


def test_publisher_keeps_its_archives_in_json() -> None:
    made = publisher(archives=("a.wacz",))
    assert Publisher.model_validate_json(made.model_dump_json()).archives == ("a.wacz",)
