import gzip
import socket
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from core.errors import InputError, UnavailableError
from scraper.probing.bounded_fetch import BoundedFetcher
from scraper.probing.discovery import check_site, discover, to_yaml
from scraper.publishers import load_publisher
from tests.scraper.crawling.playsite import HOME, PlaySite, index, publisher


@pytest.fixture
def site() -> Iterator[PlaySite]:
    site = PlaySite()
    yield site
    site.close()


def test_sitemaps_come_from_robots(site: PlaySite, tmp_path: Path) -> None:
    site.add("/robots.txt", f"User-agent: *\nSitemap: {site.home}/a.xml\nSitemap: {site.home}/b.xml\n")
    found = discover(site.home, name="mine", contact="x")
    assert found.sitemaps == (f"{site.home}/a.xml", f"{site.home}/b.xml")
    file = tmp_path / "mine.yaml"
    file.write_text(to_yaml(found), encoding="utf-8")
    assert load_publisher(str(file)) == found
    keys = set(yaml.safe_load(file.read_text(encoding="utf-8")))
    assert keys == {"name", "home", "sitemaps", "allow_private_addresses"}  # the last one for 127.0.0.1 only


def test_common_places_are_tried_where_robots_names_none(site: PlaySite) -> None:
    site.add("/sitemap_index.xml", index(f"{site.home}/a.xml"))
    site.add_sitemap("/news/a", path="/a.xml")
    assert discover(site.home, name="mine", contact="x").sitemaps == (f"{site.home}/sitemap_index.xml",)


def test_site_without_sitemaps_is_said(site: PlaySite) -> None:
    with pytest.raises(UnavailableError, match="names no sitemap"):
        discover(site.home, name="mine", contact="x")


def test_name_that_is_no_file_name_is_refused(site: PlaySite) -> None:
    with pytest.raises(InputError) as caught:
        discover(site.home, name="../mine", contact="x")
    assert caught.value.field == "name"


def test_check_counts_what_a_crawl_would_want(site: PlaySite) -> None:
    site.add("/robots.txt", "User-agent: *\nDisallow: /news/closed\nCrawl-delay: 3\n")
    site.add("/sitemap.xml", index("/one.xml", "/two.xml"))
    site.add_sitemap("/news/a", "/news/closed", "/sport/b", path="/one.xml")
    site.add("/two.xml", "<html>Not found</html>")
    found = check_site(publisher(include=("/news/",)), contact="x", home=site.home)
    assert (found.robots, found.crawl_delay_s, found.refused_by_robots) == ("read", 3.0, 1)
    assert set(found.samples) == {f"{HOME}/news/a", f"{HOME}/news/closed"}
    assert [(one.sitemaps, one.pages, one.wanted) for one in found.sitemaps] == [(2, 0, 0), (0, 0, 0), (0, 3, 2)]
    assert any("HTML" in problem for problem in found.sitemaps[1].problems)
    assert found.is_usable


def test_host_that_is_down_is_said(site: PlaySite) -> None:
    home = site.home
    site.close()
    with pytest.raises(UnavailableError, match="does not answer"):
        check_site(publisher(), contact="x", home=home)


def test_a_site_that_leads_into_the_own_network_is_not_followed(site: PlaySite) -> None:
    inside = site.home.replace("127.0.0.1", "localhost")
    site.add("/robots.txt", "", status=302, Location=f"{inside}/secret.txt")
    site.add("/secret.txt", "User-agent: *\nSitemap: https://inside.example/a.xml\n")
    with pytest.raises(UnavailableError, match="localhost is in a private network"):
        discover(site.home, name="mine", contact="x")
    assert not site.count("/secret.txt")


def test_a_name_that_stands_for_an_address_of_the_own_network_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.5", 80))]
    monkeypatch.setattr("scraper.probing.bounded_fetch.socket.getaddrinfo", lambda *_, **__: inside)
    with pytest.raises(UnavailableError, match="private network"):
        check_site(publisher(), contact="x")


def test_a_robots_file_without_end_is_cut(site: PlaySite) -> None:
    site.add("/robots.txt", f"Sitemap: {site.home}/a.xml\n" + "# and so on\n" * 200_000)
    assert discover(site.home, name="mine", contact="x").sitemaps == (f"{site.home}/a.xml",)


def test_odd_sitemap_lines_are_joined_as_a_crawl_joins_them_or_left_out(site: PlaySite) -> None:
    site.add("/robots.txt", f"Sitemap: http://[::1\nSitemap: maps/a.xml\nSitemap: {site.home}/b.xml\n")
    site.add_sitemap("/news/a", path="/maps/a.xml")
    found = check_site(publisher(), contact="x", home=site.home)
    assert [one.url for one in found.sitemaps] == [f"{HOME}/maps/a.xml", f"{HOME}/b.xml"]
    assert found.samples == (f"{HOME}/news/a",)
    assert discover(site.home, name="mine", contact="x").sitemaps == (f"{site.home}/b.xml",)


def test_robots_file_may_be_gzipped(site: PlaySite) -> None:
    robots = gzip.compress(f"Sitemap: {site.home}/a.xml\n".encode())
    site.add("/robots.txt", robots, **{"Content-Encoding": "gzip"})
    assert discover(site.home, name="mine", contact="x").sitemaps == (f"{site.home}/a.xml",)
    assert [(asked.path, asked.headers["accept-encoding"]) for asked in site.asked] == [
        ("/robots.txt", "gzip"),
        ("/", "gzip"),
    ]


@pytest.mark.parametrize(("encoding", "problem"), [("br", "packed with br"), ("gzip", "damaged")])
def test_file_that_cannot_be_unpacked_within_bounds_is_refused(site: PlaySite, encoding: str, problem: str) -> None:
    site.add("/robots.txt", "neither brotli nor gzip", **{"Content-Encoding": encoding})
    with pytest.raises(UnavailableError, match=problem):
        discover(site.home, name="mine", contact="x")


def test_gzip_bomb_is_unpacked_no_further_than_wanted(site: PlaySite) -> None:
    site.add("/bomb", gzip.compress(b" " * 64_000_000), **{"Content-Encoding": "gzip"})
    tracemalloc.start()
    try:
        with BoundedFetcher("x", private_hosts=frozenset({"127.0.0.1"})) as looker:
            found = looker.fetch(f"{site.home}/bomb", most_bytes=1000)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (found.content, found.is_whole) == (b" " * 1000, False)
    assert most < 8_000_000


def test_content_of_a_redirect_is_not_unpacked(site: PlaySite) -> None:
    site.add("/robots.txt", "no brotli", status=301, Location="/r.txt", **{"Content-Encoding": "br"})
    site.add("/r.txt", f"Sitemap: {site.home}/a.xml\n")
    assert discover(site.home, name="mine", contact="x").sitemaps == (f"{site.home}/a.xml",)


def test_redirects_without_end_are_given_up(site: PlaySite) -> None:
    site.add("/robots.txt", "", status=302, Location="/robots.txt")
    with pytest.raises(UnavailableError, match="redirects more than 5 times"):
        discover(site.home, name="mine", contact="x")
    assert site.count("/robots.txt") == 6


RSS = '<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><item><link>{}</link></item></channel></rss>'
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><link href="{}"/></entry></feed>'


def test_feeds_of_the_front_page_stand_in_for_sitemaps(site: PlaySite, tmp_path: Path) -> None:
    site.add(
        "/",
        "<html><head><link rel='alternate' type='application/rss+xml' href='/rss'>"
        "<LINK rel='Alternate' type='application/atom+xml; charset=utf-8' href='atom.xml'>"
        "<link rel='alternate' type='application/feed+json' href='/feed.json'>"
        "<link rel='alternate' type='application/rss+xml' title='Comments' href='/comments/feed'>"
        "<link rel='alternate' type='application/rss+xml' href='/elsewhere'>"
        "<link rel='alternate' type='application/rss+xml' href='/broken'>"
        "<link rel='alternate' hreflang='de' href='/de'></head></html>",
    )
    site.add("/rss", RSS.format(f"{site.home}/news/a"))
    site.add("/atom.xml", ATOM.format(f"{site.home}/news/b"))
    site.add(
        "/feed.json", f'{{"version": "https://jsonfeed.org/version/1.1", "items": [{{"url": "{site.home}/news/c"}}]}}'
    )
    site.add("/comments/feed", RSS.format(f"{site.home}/news/a"))
    site.add("/elsewhere", RSS.format("https://other.example/news/a"))
    site.add("/broken", "<html>Not found</html>")
    found = discover(site.home, name="mine", contact="x")
    assert found.feeds == (f"{site.home}/rss", f"{site.home}/atom.xml", f"{site.home}/feed.json")
    assert found.sitemaps == ()
    file = tmp_path / "mine.yaml"
    file.write_text(to_yaml(found), encoding="utf-8")
    assert load_publisher(str(file)) == found


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<meta property='og:site_name' content=' The\u202e Mill\nPost '>", "The Mill Post"),
        ("<meta name='application-name' content='Mill'>", "Mill"),
        ("<meta property='og:site_name' content=''><meta name='application-name' content='Mill'>", "Mill"),
        ("<title>News from the mill</title>", None),
        (f"<meta property='og:site_name' content='{'a' * 500}'>", None),
    ],
)
def test_title_is_what_the_front_page_calls_the_site(site: PlaySite, head: str, title: str | None) -> None:
    site.add("/robots.txt", f"User-agent: *\nSitemap: {site.home}/a.xml\n")
    site.add("/", f"<html><head><meta charset=utf-8>{head}</head></html>")
    found = discover(site.home, name="mine", contact="x")
    assert found.title == title
    assert (title or "mine") in to_yaml(found)


def test_feed_is_looked_for_in_common_places(site: PlaySite) -> None:
    site.add("/", "<html><head></head><body>News</body></html>")
    site.add("/rss.xml", RSS.format(f"{site.home}/news/a"))
    assert discover(site.home, name="mine", contact="x").feeds == (f"{site.home}/rss.xml",)


def test_feeds_stand_beside_sitemaps(site: PlaySite) -> None:
    site.add("/robots.txt", f"User-agent: *\nSitemap: {site.home}/a.xml\n")
    site.add("/", "<head><link rel=alternate type=application/rss+xml href=/rss></head>")
    site.add("/rss", RSS.format(f"{site.home}/news/a"))
    found = discover(site.home, name="mine", contact="x")
    assert (found.sitemaps, found.feeds) == ((f"{site.home}/a.xml",), (f"{site.home}/rss",))


def test_check_tries_the_feeds_of_a_file(site: PlaySite) -> None:
    site.add("/rss", RSS.format(f"{HOME}/news/a"))
    site.add("/dead", "<html>Not found</html>")
    found = check_site(publisher(feeds=("/rss", "/dead")), contact="x", home=site.home)
    assert [(one.url, one.kind, one.wanted) for one in found.sitemaps] == [
        (f"{HOME}/rss", "feed", 1),
        (f"{HOME}/dead", "html", 0),
    ]
    assert found.is_usable
    assert found.sitemaps[1].problems
    assert not check_site(publisher(feeds=("/dead",)), contact="x", home=site.home).is_usable
