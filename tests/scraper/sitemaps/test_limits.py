"""Sitemaps that are traps, and ones that are only very long."""

import gzip
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.paths import ROOT
from scraper.sitemaps.text import PIECE
from tests.scraper.sitemaps.test_reader import PLAIN, TWO, read, urlset


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entity_bomb_and_foreign_entity_are_refused_and_said(encoding: str) -> None:
    for entities in (
        '<!ENTITY a "&b;&b;"><!ENTITY b "&c;&c;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        "<!ENTITY % p 'x'>",
    ):
        text = f'<?xml version="1.0"?><!DOCTYPE u [{entities}]><urlset><url><loc>/&a;</loc></url></urlset>'
        urls, reader = read(text.encode(encoding))
        assert urls == []
        assert reader.refused == "it declares entities, which no sitemap needs"
        assert any("refused" in problem for problem in reader.problems)


@pytest.mark.parametrize("layers", [1, 2])
def test_gzip_bomb_is_refused_before_anything_is_used(layers: int) -> None:
    bomb = (urlset(*TWO).replace("</urlset>", "") + " " * 200_000_000).encode()
    for _ in range(layers):
        bomb = gzip.compress(bomb, 1)
    urls, reader = read(bomb)
    assert urls == []
    assert reader.refused == "larger than 128 MB"


def test_gzip_without_end_is_refused() -> None:
    content = PLAIN.encode()
    for _ in range(5):
        content = gzip.compress(content)
    urls, reader = read(content)
    assert urls == []
    assert "gzip within gzip" in str(reader.refused)


def test_many_comments_in_a_row_are_read_at_once() -> None:
    started = time.process_time()
    urls, reader = read("<!--a-->" * 26 + PLAIN.partition("\n")[2])
    assert time.process_time() - started < 1  # their combinations would take many seconds
    assert (urls, reader.problems) == (TWO, [])


@pytest.mark.parametrize("length", [2 * PIECE - 1, 2 * PIECE, 24_000_000])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_without_end_in_a_list_is_read_at_once_and_costs_itself_alone(length: int, end: str) -> None:
    started = time.process_time()
    urls, reader = read(end.join(["x" * length, *TWO]))
    assert time.process_time() - started < 2  # reading it again for each piece would take many seconds
    assert (urls, reader.skipped) == (TWO, 1)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to read peak memory")
def test_300_000_addresses_stay_under_300_mb() -> None:
    code = (
        "from scraper.sitemaps.reader import SitemapReader\n"
        "head = b'<?xml version=\"1.0\"?><urlset>'\n"
        "body = b''.join(b'<url><loc>https://news.example/singapore/politics/a-story-%d</loc><lastmod>2024-01-01</lastmod></url>'"
        " % n for n in range(300_000))\n"
        "reader = SitemapReader(head + body + b'</urlset>', 'https://news.example/s.xml')\n"
        "del body\n"
        "count = sum(1 for entry in reader)\n"
        "status = open('/proc/self/status').read()\n"
        "print(count, int(status.split('VmHWM:')[1].split()[0]) // 1024)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    count, megabytes = map(int, done.stdout.split())
    assert count == 300_000
    assert megabytes < 300
