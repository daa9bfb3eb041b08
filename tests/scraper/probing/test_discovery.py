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
    assert [asked.headers["accept-encoding"] for asked in site.asked] == ["gzip"]


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
