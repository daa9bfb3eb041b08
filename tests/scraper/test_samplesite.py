import gzip
import html
import re
from urllib.parse import unquote, urlsplit

import httpx
import pytest

from core.errors import InputError, UnavailableError
from core.paths import SAMPLE
from scraper.samplesite.server import SampleServer
from scraper.samplesite.site import build_site
from scraper.samplesite.stories import Story, read_stories

BASE = "http://site.test"


@pytest.fixture(scope="module")
def stories() -> list[Story]:
    return read_stories(SAMPLE / "articles.jsonl.gz")


@pytest.fixture(scope="module")
def server(stories):
    with SampleServer(stories[:30]) as running:
        yield running


def locations(content: bytes) -> list[str]:
    plain = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    return [html.unescape(loc) for loc in re.findall(r"<loc>(.*?)</loc>", plain.decode())]


def test_sitemaps_lead_to_every_story_and_nothing_else(stories):
    site = build_site(stories, base_url=BASE)
    robots = site["/robots.txt"].content.decode()
    (index,) = re.findall(r"Sitemap: (\S+)", robots)
    maps = locations(site[index.removeprefix(BASE)].content)
    pages = [page for name in maps for page in locations(site[name.removeprefix(BASE)].content)]
    assert sorted(unquote(urlsplit(page).path) for page in pages) == sorted(story.path for story in stories)
    assert all(unquote(urlsplit(page).path) in site for page in pages)
    assert {name.endswith(".gz") for name in maps} == {True, False}


def test_same_stories_give_the_same_bytes(stories):
    first, second = (build_site(list(stories), base_url=BASE) for _ in range(2))
    assert first == second


def test_pages_credit_source_and_licence(stories):
    site = build_site(stories[:3], base_url=BASE)
    page = site[stories[0].path].content.decode()
    assert stories[0].url in page
    assert "Wikinews contributors" in page
    assert "https://creativecommons.org/licenses/by/2.5/" in page


def test_unchanged_page_is_not_sent_again(server):
    page = server.address + server.stories[0].encoded_path
    first = httpx.get(page)
    assert first.status_code == 200
    assert httpx.get(page, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert httpx.get(page, headers={"If-None-Match": '"other"'}).status_code == 200
    since = {"If-Modified-Since": first.headers["Last-Modified"]}
    assert httpx.get(page, headers=since).status_code == 304
    assert httpx.get(page, headers={"If-Modified-Since": "Sat, 01 Jan 2000 00:00:00 GMT"}).status_code == 200
    assert httpx.get(page, headers={"If-Modified-Since": "nonsense"}).status_code == 200


def test_pages_are_compressed_when_asked(server):
    page = server.address + server.stories[0].encoded_path
    assert httpx.get(page, headers={"Accept-Encoding": "gzip"}).headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in httpx.get(page, headers={"Accept-Encoding": "identity"}).headers


def test_head_sends_no_content_and_unknown_page_is_404(server):
    head = httpx.head(server.address + "/")
    assert head.status_code == 200
    assert head.content == b""
    assert int(head.headers["Content-Length"]) > 0
    assert httpx.get(server.address + "/wiki/nothing").status_code == 404


def test_taken_port_is_named(server):
    with pytest.raises(UnavailableError, match=str(server.port)):
        SampleServer([], port=server.port).start()


@pytest.mark.parametrize("content", [b"not json\n", b'{"id": "a"}\n'])
def test_unreadable_articles_are_an_input_error(tmp_path, content):
    file = tmp_path / "articles.jsonl"
    file.write_bytes(content)
    with pytest.raises(InputError, match=str(file)):
        read_stories(file)


def test_missing_articles_are_an_input_error(tmp_path):
    with pytest.raises(InputError, match=r"none\.jsonl"):
        read_stories(tmp_path / "none.jsonl")
