"""Parts of the crawler that can be tested without a crawl."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from twisted.internet.address import IPv4Address, IPv6Address

from core.types import Article
from core.urls import content_hash, normalise_url
from scraper.crawling.failures import reason_of
from scraper.crawling.in_flight import InFlight
from scraper.crawling.politeness import retry_after
from scraper.crawling.resolver import PublicOnlyResolver, is_public
from scraper.crawling.robots import RobotsRefusedError, RobotsUnreachableError
from scraper.publishers import Publisher
from scraper.publishers.site import Site, check_home
from scraper.sitemaps.entries import SitemapEntry
from scraper.sitemaps.selection import Selection, config_hash
from scraper.state.crawls import Crawl, Crawls
from scraper.state.database import Database
from scraper.state.frontier import Frontier, Listed, Outcome, Page, Settled
from tests.scraper.crawling.playsite import HOME, publisher


@pytest.mark.parametrize("address", [
    "127.0.0.1", "127.8.8.8", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1",
    "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "no address",
])  # fmt: skip
def test_addresses_inside_a_network_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


class RebindingResolver:
    """Answers a public address first and a private one after that."""

    def __init__(self) -> None:
        self.answers = [["93.184.216.34"], ["127.0.0.1"], ["::1", "93.184.216.34"]]

    def resolveHostName(self, receiver: Any, name: str, port: int, types: object, transport: str) -> Any:
        receiver.resolutionBegan(None)
        for host in self.answers.pop(0):
            family = IPv6Address if ":" in host else IPv4Address
            receiver.addressResolved(family("TCP", host, port))
        receiver.resolutionComplete()
        return receiver


class Receiver:
    def __init__(self) -> None:
        self.hosts: list[str] = []
        self.complete = False

    def resolutionBegan(self, resolution: object) -> None:
        pass

    def addressResolved(self, address: Any) -> None:
        self.hosts.append(address.host)

    def resolutionComplete(self) -> None:
        self.complete = True


def resolve(private: Sequence[str], name: str, times: int) -> list[list[str]]:
    class Reactor:
        nameResolver = RebindingResolver()

    resolver = PublicOnlyResolver(Reactor(), frozenset(private))  # type: ignore[arg-type]
    found = []
    for _ in range(times):
        receiver = Receiver()
        resolver.resolveHostName(receiver, name, 80)
        assert receiver.complete
        found.append(receiver.hosts)
    return found


def test_name_that_changes_its_answer_to_a_private_address_gets_none() -> None:
    assert resolve([], "rebind.example", 3) == [["93.184.216.34"], [], ["93.184.216.34"]]


def test_host_that_may_be_private_gets_every_address() -> None:
    assert resolve(["rebind.example"], "rebind.example", 2) == [["93.184.216.34"], ["127.0.0.1"]]


def test_own_addresses_are_mapped_to_the_given_home_and_back() -> None:
    site = Site(publisher(domains=("play.example",)), "http://127.0.0.1:8099")
    assert site.fetch_address(f"{HOME}/a?b=1") == "http://127.0.0.1:8099/a?b=1"
    assert site.fetch_address("https://m.play.example/a") == "http://127.0.0.1:8099/a"
    assert site.fetch_address("https://other.example/a") == "https://other.example/a"
    assert site.identity("http://127.0.0.1:8099/a") == f"{HOME}/a"
    assert site.identity("http://127.0.0.1:9000/a") == "http://127.0.0.1:9000/a"


@pytest.mark.parametrize(("url", "reason"), [
    (f"{HOME}/a", None), ("https://example.org/a", None), ("https://m.example.org/a", None),
    ("http://www.example.org/a", None), ("https://play.example/a", None),
    ("https://example.org.evil.example/", "offsite"), ("https://notexample.org/", "offsite"),
    ("https://www.example.org:6379/", "offsite"), ("https://www.example.org@evil.example/", "offsite"),
    ("file:///etc/passwd", "scheme"), ("gopher://www.example.org/", "scheme"), ("http://[::1", "bad_address"),
    ("http://127.0.0.1/", "offsite"), ("https://evil.example@www.example.org/", "bad_address"),
])  # fmt: skip
def test_only_the_publishers_own_addresses_may_be_fetched(url: str, reason: str | None) -> None:
    assert Site(publisher(domains=("play.example",))).refusal(url) == reason


@pytest.mark.parametrize("home", ["https://пример.рф", "https://xn--e1afmkfd.xn--p1ai"])
def test_international_host_is_the_publishers_own_in_either_form(home: str) -> None:
    site = Site(Publisher(name="site", home=home, domains=("новости.рф",), allow_private_addresses=True))
    for url in (f"{home}/a", Request("https://www.пример.рф/a").url, Request("https://новости.рф/a").url):
        assert site.refusal(url) is None
    assert site.refusal(Request("https://другой.рф/a").url) == "offsite"
    assert site.entrance == "https://xn--e1afmkfd.xn--p1ai"
    assert "xn--e1afmkfd.xn--p1ai" in site.private_hosts
    assert check_home("http://пример.рф:8080") == "http://xn--e1afmkfd.xn--p1ai:8080"


def test_private_hosts_are_only_those_someone_wrote_down() -> None:
    assert Site(publisher()).private_hosts == frozenset()
    assert Site(publisher(), "http://127.0.0.1:1").private_hosts == {"127.0.0.1"}
    assert Site(publisher(), "http://intranet.example:1").private_hosts == frozenset()
    assert "intranet.example" in Site(publisher(allow_private_addresses=True), "http://intranet.example").private_hosts


@pytest.mark.parametrize(("url", "wanted"), [
    ("/sitemap/2022/01/feeds.xml", True), ("/sitemap/2021/12/feeds.xml", True), ("/sitemap/2021/11/feeds.xml", False),
    ("/sitemap-2021.xml", True), ("/sitemap-2020.xml", False), ("/sitemap-202203.xml.gz", True),
    ("/sitemap/2023/01.xml", True), ("/sitemap/2023/02.xml", False), ("/sitemap.xml?page=2019", True),
    ("/news.xml", True), ("/sitemap-20231.xml", True),
])  # fmt: skip
def test_month_sitemaps_in_utc_do_not_lose_the_first_hours_of_a_local_year(url: str, wanted: bool) -> None:
    days = {"published_from": date(2022, 1, 1), "published_to": date(2022, 12, 31), "time_zone": "Asia/Singapore"}
    assert Selection(publisher(**days)).wants_sitemap(f"{HOME}{url}") is wanted


@pytest.mark.parametrize(("url", "wanted"), [
    ("/sitemap-2015-2021.xml", True), ("/sitemap_2010_to_2024.xml", True), ("/sitemap-2010-2019.xml", False),
    ("/sitemap/2019-12-29_2020-01-04.xml", True), ("/sitemap/2019-11-29_2019-12-04.xml", False),
    ("/sitemap-2015-2020-05.xml", True), ("/post-sitemap1999.xml", True), ("/post-sitemap-1999.xml", False),
    ("/2020/sitemap-2020-05.xml", True), ("/2019/sitemap-2019-05.xml", False), ("/2022/sitemap-2022-05.xml", False),
    ("/2021/sitemap-2021-12.xml", False),
])  # fmt: skip
def test_sitemap_is_read_if_the_whole_span_in_its_address_touches_the_range(url: str, wanted: bool) -> None:
    days = {"published_from": date(2020, 1, 3), "published_to": date(2021, 11, 20)}
    assert Selection(publisher(**days)).wants_sitemap(f"{HOME}{url}") is wanted


def test_listed_new_address_replaces_the_known_one_but_an_older_entry_does_not(tmp_path: Path) -> None:
    now = datetime(2024, 3, 5, tzinfo=UTC)
    database = Database(tmp_path).open()
    run = Crawls(database).begin("play", config="c", now=now)
    same_address = Selection(publisher()).same_address
    frontier = Frontier(database, run)

    def read_sitemap(*listed: Listed) -> list[str]:
        with database.transaction() as sql:
            frontier.add(sql, frontier.rename(sql, listed, same_address=same_address))
        return [page.url for page in frontier.due(after=0, limit=9)]

    def settle(outcome: Outcome) -> None:
        (page,) = frontier.due(after=0, limit=9)
        with database.transaction() as sql:
            settled = Settled(outcome, article_id="a" * 16, next_due=now + timedelta(days=365))
            frontier.settle(sql, page, settled, now=now)

    old = Listed("article:1", f"{HOME}/old-1", now)
    new = Listed("article:1", f"{HOME}/new-1", now + timedelta(hours=1))
    assert read_sitemap(old) == [old.url]
    settle(Outcome.NEW)
    assert Crawls(database).finish(run)
    frontier = Frontier(database, Crawls(database).begin("play", config="c", now=now + timedelta(days=1)))
    assert read_sitemap(Listed(old.key, f"{old.url}?utm_source=x", now)) == []
    assert read_sitemap(new) == read_sitemap(old) == [new.url]
    settle(Outcome.CHANGED)
    assert read_sitemap(old) == []
    database.close()


def test_page_that_lost_its_article_to_another_on_its_way_is_not_asked_for_again(tmp_path: Path) -> None:
    now = datetime(2024, 3, 5, tzinfo=UTC)
    database = Database(tmp_path).open()

    def begin(day: int) -> tuple[Crawl, Frontier]:
        run = Crawls(database).begin("play", config="c", now=now + timedelta(days=day))
        return run, Frontier(database, run)

    def settle(frontier: Frontier, page: Page, settled: Settled) -> None:
        with database.transaction() as sql:
            frontier.settle(sql, page, settled, now=now)

    run, frontier = begin(0)
    with database.transaction() as sql:
        frontier.add(sql, [Listed("a", f"{HOME}/a"), Listed("b", f"{HOME}/b")])
    mirror, own = frontier.due(after=0, limit=9)
    settle(frontier, mirror, Settled(Outcome.NEW, article_id="a" * 16))
    settle(frontier, own, Settled(Outcome.FAILED))
    assert Crawls(database).finish(run)
    run, frontier = begin(1)
    mirror, own = frontier.due(after=0, limit=9)
    settle(frontier, own, Settled(Outcome.DUPLICATE, article_id="a" * 16, former=mirror.id))
    settle(frontier, mirror, Settled(Outcome.UNCHANGED))
    assert Crawls(database).finish(run)
    assert [page.url for page in begin(2)[1].due(after=0, limit=9)] == [own.url]
    database.close()


def article(published: datetime | None, language: str | None = None) -> Article:
    now = datetime(2024, 1, 1, tzinfo=UTC)
    return Article(
        article_id="0" * 16, url=HOME, headline="A", body="B", published_at=published, first_seen_at=now,
        source="play", content_hash=content_hash("A", "B"), language=language,
    )  # fmt: skip


@pytest.mark.parametrize(("language", "kept"), [
    ("nb", True), ("no", True), ("de", True), ("sv", False), ("en", False), (None, True),
])  # fmt: skip
def test_article_is_left_out_where_it_is_known_to_be_in_another_language(language: str | None, kept: bool) -> None:
    assert (Selection(publisher(languages=("nb", "de"))).refuse(article(None, language)) is None) is kept


@pytest.mark.parametrize(("published", "zone", "kept"), [
    (datetime(2021, 12, 31, 16, 0, 1, tzinfo=UTC), "Asia/Singapore", True),
    (datetime(2021, 12, 31, 15, 59, tzinfo=UTC), "Asia/Singapore", False),
    (datetime(2022, 1, 1, 4, 59, tzinfo=UTC), "America/New_York", False),
    (datetime(2022, 1, 1, tzinfo=UTC), "America/New_York", True),  # only the day is known
    (datetime(2022, 12, 31, 15, 59, tzinfo=UTC), "Asia/Singapore", True),
    (datetime(2022, 12, 31, 16, 1, tzinfo=UTC), "Asia/Singapore", False),
    (None, "UTC", True),
])  # fmt: skip
def test_date_range_is_in_the_sites_time_zone(published: datetime | None, zone: str, kept: bool) -> None:
    days = {"published_from": date(2022, 1, 1), "published_to": date(2022, 12, 31), "time_zone": zone}
    assert (Selection(publisher(**days)).refuse(article(published)) is None) is kept


@pytest.mark.parametrize(("entry", "wanted"), [
    (SitemapEntry(f"{HOME}/Singapore/x"), True), (SitemapEntry(f"{HOME}/asia/x"), False),
    (SitemapEntry(f"{HOME}/singapore/video/x"), False),
    (SitemapEntry(f"{HOME}/singapore/x", lastmod=datetime(2021, 6, 1, tzinfo=UTC)), False),
    (SitemapEntry(f"{HOME}/singapore/x", lastmod=datetime(2023, 6, 1, tzinfo=UTC)), True),
    (SitemapEntry(f"{HOME}/singapore/x", published_at=datetime(2021, 6, 1, tzinfo=UTC)), False),
    (SitemapEntry(f"{HOME}/singapore/2021/06/01/x"), False), (SitemapEntry(f"{HOME}/singapore/2022/02/30/x"), True),
])  # fmt: skip
def test_listed_pages_are_chosen_by_address_and_date(entry: SitemapEntry, wanted: bool) -> None:
    chosen = publisher(include=("singapore",), exclude=("/video/",), published_from=date(2022, 1, 1))
    assert Selection(chosen).wants_page(entry.url, entry) is wanted


def test_pace_does_not_make_pages_be_read_anew_but_patterns_do() -> None:
    assert config_hash(publisher(delay=5)) == config_hash(publisher(delay=0))
    assert config_hash(publisher(prune_xpaths=("//aside",))) != config_hash(publisher())


def test_what_robots_forbids_has_a_reason_of_its_own() -> None:
    assert reason_of(RobotsRefusedError("robots")) == "refused_by_robots"
    assert reason_of(RobotsUnreachableError("it does not answer in time")) == "robots_unreachable"


def test_retry_after_is_seconds_or_a_date() -> None:
    later = datetime.now(UTC) + timedelta(seconds=90)
    assert retry_after(b"120") == 120
    assert 80 < (retry_after(format_datetime(later, usegmt=True).encode()) or 0) <= 90
    assert retry_after(b"Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert retry_after(b"soon") is None
    assert retry_after(b"\xb2") is None
    assert retry_after(b"Wed, 21 Oct 2015 07:28:00 +99999999999999999999") is None
    assert retry_after(None) is None


_URLS = st.builds(
    lambda host, path, query: f"https://{host}.example/{path}{query}",
    st.sampled_from(["www.a", "a", "news.a"]),
    st.text("abcé/-_.~%20+ü", max_size=20),
    st.sampled_from(["", "?utm_source=x", "?id=1&utm_medium=y", "?b=2&a=1", "#top"]),
)


@given(_URLS)
def test_normalised_address_is_a_fixed_point(url: str) -> None:
    assert normalise_url(normalise_url(url)) == normalise_url(url)


@given(_URLS)
def test_variants_have_one_key(url: str) -> None:
    key = Selection(publisher()).key
    joint = "&" if "?" in url else "?"
    bare = url.split("#", 1)[0]
    assert (
        key(bare) == key(f"{bare}{joint}utm_campaign=z") == key(url.replace("https://", "http://")) == key(f"{bare}#x")
    )


def test_pages_come_in_bursts_where_many_are_not_settled() -> None:
    pages = InFlight(most=3, few=1)
    rests = []
    for step in (pages.asked, pages.asked, pages.asked, pages.settled, pages.settled, pages.asked):
        step()
        rests.append((pages.pages, pages.resting))
    assert rests == [(1, False), (2, False), (3, True), (2, True), (1, False), (2, False)]
