"""robots.txt, pauses, redirects, private addresses and sizes: what a crawl must not do to anyone."""

import itertools
import socket
from pathlib import Path

import pytest

from core.errors import UnavailableError
from scraper.crawling.crawl import crawl
from scraper.crawling.unreachable_pages import DOUBTS_IN_A_ROW, UNREACHABLE_IN_A_ROW
from tests.scraper.crawling.playsite import HOME, Answer, PlaySite, article_page, articles, index, publisher, run


def test_longest_match_decides_and_our_group_wins(site: PlaySite, tmp_path: Path) -> None:
    robots = (
        "\ufeffUser-agent: *\r\nDisallow: /\r\n\r\nUser-agent: looksy\r\nDisallow: /news/\r\nAllow: /news/open/\r\n"
        "Disallow: /news/open/not-this$\r\nDisallow: /*?print=\r\n"
    )
    site.add("/robots.txt", robots)
    paths = ["/news/closed", "/news/open/a", "/news/open/not-this", "/news/open/not-this-one", "/x?print=1"]
    site.add_sitemap(*paths)
    for path in paths:
        site.add_article(path)
    report = run(site, tmp_path)
    assert {article.url for article in articles(tmp_path)} == {
        f"{HOME}/news/open/a", f"{HOME}/news/open/not-this-one",
    }  # fmt: skip
    assert report.refused_by_robots == 3
    assert set(site.paths()) == {"/news/open/a", "/news/open/not-this-one"}


@pytest.mark.parametrize("status", [401, 404])
def test_robots_4xx_means_allowed(site: PlaySite, tmp_path: Path, status: int) -> None:
    site.add("/robots.txt", "User-agent: *\nDisallow: /\n", status=status)
    site.add_sitemap("/news/a")
    site.add_article("/news/a")
    assert run(site, tmp_path).new == 1


def test_robots_429_is_waited_for_and_read_then(site: PlaySite, tmp_path: Path) -> None:
    answers = iter([Answer(b"later", 429, {"Retry-After": "1"})])
    site.routes["/robots.txt"] = lambda _: next(answers, Answer(b"User-agent: *\nDisallow: /news/b\n"))
    site.add_sitemap("/news/a", "/news/b")
    site.add_article("/news/a")
    site.add_article("/news/b")
    report = run(site, tmp_path)
    assert (report.new, report.refused_by_robots) == (1, 1)
    first, second = [asked.at for asked in site.asked if asked.path == "/robots.txt"]
    assert second - first > 0.9


def test_robots_429_that_stays_is_4xx_and_means_allowed(site: PlaySite, tmp_path: Path) -> None:
    site.add("/robots.txt", "later", status=429, **{"Retry-After": "0"})
    site.add_sitemap("/news/a")
    site.add_article("/news/a")
    assert run(site, tmp_path).new == 1
    assert site.count("/robots.txt") == 3


def test_robots_429_with_a_long_pause_leaves_the_host_alone(site: PlaySite, tmp_path: Path) -> None:
    site.add("/robots.txt", "later", status=429, **{"Retry-After": "7200"})
    site.add_sitemap("/news/a")
    site.add_article("/news/a")
    with pytest.raises(UnavailableError, match="asked to be left alone for 7200 s"):
        run(site, tmp_path)
    assert [asked.path for asked in site.asked] == ["/robots.txt"]


def test_robots_5xx_means_stop(site: PlaySite, tmp_path: Path) -> None:
    site.add("/robots.txt", "User-agent: *\nAllow: /\n", status=500)
    site.add_sitemap("/news/a")
    site.add_article("/news/a")
    with pytest.raises(UnavailableError, match=r"robots.txt was answered with HTTP status 500"):
        run(site, tmp_path)
    assert {asked.path for asked in site.asked} == {"/robots.txt"}


def test_crawl_delay_is_honoured_also_for_other_hosts_slots(site: PlaySite, tmp_path: Path) -> None:
    site.add("/robots.txt", "User-agent: *\nCrawl-delay: 0.5\n")
    paths = [f"/news/{number}" for number in range(4)]
    site.add_sitemap(*paths)
    for path in paths:
        site.add_article(path)
    run(site, tmp_path)
    times = [asked.at for asked in site.asked if asked.path != "/robots.txt"]
    assert all(later - earlier > 0.45 for earlier, later in itertools.pairwise(times))


@pytest.mark.parametrize("line", ["Crawl-delay: 86400", f"Request-rate: 1/{'9' * 400}"])
def test_site_that_wants_to_be_asked_once_a_day_is_not_crawled(site: PlaySite, tmp_path: Path, line: str) -> None:
    site.add("/robots.txt", f"User-agent: *\n{line}\n")
    site.add_sitemap("/news/a")
    site.add_article("/news/a")
    with pytest.raises(UnavailableError, match=r"robots\.txt of 127\.0\.0\.1:\d+ asked for \d+ s between pages"):
        run(site, tmp_path)
    assert [asked.path for asked in site.asked] == ["/robots.txt"]


def test_retry_after_is_waited_for_and_holds_the_whole_host(site: PlaySite, tmp_path: Path) -> None:
    paths = [f"/news/{number}" for number in range(4)]
    site.add_sitemap(*paths)
    for path in paths:
        site.add_article(path)
    page = site.routes["/news/0"]
    refused = iter([True])

    def busy_once(asked: object) -> Answer:
        if next(refused, False):
            return Answer(b"slow down", 429, {"Retry-After": "2"})
        return page(asked)  # type: ignore[operator]

    site.routes["/news/0"] = busy_once
    assert run(site, tmp_path).new == 4
    asked_at = [asked.at for asked in site.asked]
    refused_at = next(asked.at for asked in site.asked if asked.path == "/news/0")
    assert min(at for at in asked_at if at > refused_at) - refused_at > 1.9


def test_host_that_asks_for_a_long_pause_is_left_alone(site: PlaySite, tmp_path: Path) -> None:
    paths = [f"/news/{number}" for number in range(20)]
    site.add_sitemap(*paths)
    for path in paths:
        site.add("/" + path.strip("/"), "later", status=503, **{"Retry-After": "7200"})
    report = run(site, tmp_path)
    assert not report.complete
    assert any("7200 s" in warning for warning in report.warnings)
    assert sum(site.paths().values()) <= 3
    for path in paths:
        site.add_article(path)
    assert run(site, tmp_path).new == 20


def test_long_pause_leaves_the_rest_of_the_sitemaps_for_the_next_crawl(site: PlaySite, tmp_path: Path) -> None:
    maps = [f"/maps/{number}.xml" for number in range(20)]
    site.add("/sitemap.xml", index(*maps))
    for number in range(20):
        site.add_article(f"/news/{number}")

    def open_maps() -> None:
        for number, path in enumerate(maps):
            site.add_sitemap(f"/news/{number}", path=path)

    open_maps()
    for path in maps[4:]:
        site.add(path, "later", status=429, **{"Retry-After": "7200"})
    report = run(site, tmp_path)
    assert not report.complete
    assert sum(site.paths("/maps/").values()) <= 7
    assert not site.paths()
    open_maps()
    again = run(site, tmp_path)
    assert (again.complete, again.sitemaps, again.new) == (True, 21, 20)


def test_redirects_stay_on_the_site(site: PlaySite, tmp_path: Path) -> None:
    other = PlaySite()
    other.add_article("/secret")
    targets = {
        "/news/0": f"{other.home}/secret", "/news/1": "http://169.254.169.254/latest/meta-data/",
        "/news/2": "file:///etc/passwd", "/news/3": "/news/3", "/news/4": "/news/moved",
        "/news/5": f"http://localhost:{site.server.server_address[1]}/news/moved",
    }  # fmt: skip
    site.add_sitemap(*targets, f"{other.home}/secret", "http://169.254.169.254/x", "http://10.0.0.1/x")
    for path, target in targets.items():
        site.add(path, "", status=302, Location=target)
    site.add_article("/news/moved")
    report = run(site, tmp_path)
    other.close()
    assert other.asked == []
    assert report.new == 1
    assert report.failed["redirected_offsite"] == 3
    assert report.failed["offsite"] == 3
    assert sum(report.failed.values()) == 8


def test_private_address_is_refused_unless_someone_said_so(site: PlaySite, tmp_path: Path) -> None:
    port = site.server.server_address[1]
    site.add_sitemap("/news/a")
    site.add_article("/news/a")
    name = f"http://{socket.gethostname()}:{port}"
    here = {"name": "play", "home": "https://www.example.org", "served_at": f"http://127.0.0.1:{port}", "delay": 0}
    with pytest.raises(UnavailableError, match="cannot be resolved to a public address"):
        crawl(publisher(**here), data_dir=tmp_path, contact="x")
    with pytest.raises(UnavailableError, match="cannot be resolved to a public address"):
        crawl(publisher(), data_dir=tmp_path, contact="x", home=name)
    assert site.asked == []
    assert crawl(publisher(**here, allow_private_addresses=True), data_dir=tmp_path, contact="x").new == 1


def test_page_over_the_cap_is_given_up(site: PlaySite, tmp_path: Path) -> None:
    import gzip

    site.add_sitemap("/news/large", "/news/bomb", "/news/a")
    site.add("/news/large", b"x" * (11 * 1024 * 1024))
    site.add("/news/bomb", gzip.compress(b"x" * (60 * 1024 * 1024)), **{"Content-Encoding": "gzip"})
    site.add_article("/news/a")
    report = run(site, tmp_path)
    assert report.failed == {"too_large": 2}
    assert report.new == 1


def test_pages_that_cannot_be_decoded_fail_for_themselves_and_the_rest_goes_on(site: PlaySite, tmp_path: Path) -> None:
    coded = {"gzip": 4, "deflate": 4, "br": 4}
    broken = [f"/news/{coding}{number}" for coding, count in coded.items() for number in range(count)]
    for path in broken:
        site.add(path, article_page(path), **{"Content-Encoding": path[6:-1]})
    site.add_sitemap(*broken, "/news/a")
    site.add_article("/news/a")
    report = run(site, tmp_path)
    assert (report.failed, report.new, report.complete) == ({"undecodable": 12}, 1, True)


def test_network_that_breaks_in_the_middle_loses_nothing(site: PlaySite, tmp_path: Path) -> None:
    paths = [f"/news/{number}" for number in range(40)]
    site.add_sitemap(*paths)
    for path in paths:
        site.add_article(path)
    page = site.routes["/news/5"]

    def pull_the_plug(asked: object) -> Answer:
        site.dead = True
        return page(asked)  # type: ignore[operator]

    site.routes["/news/5"] = pull_the_plug
    with pytest.raises(UnavailableError, match="stopped answering"):
        run(site, tmp_path)
    again = PlaySite()
    again.add_sitemap(*paths)
    for path in paths:
        again.add_article(path)
    report = run(again, tmp_path)
    again.close()
    assert (report.new, report.failed, report.complete) == (40, {}, True)
    assert len({article.article_id for article in articles(tmp_path)}) == len(articles(tmp_path)) == 40


@pytest.mark.parametrize(("dead", "crawls"), [(12, 1), (2 * UNREACHABLE_IN_A_ROW * DOUBTS_IN_A_ROW, 2)])
def test_dead_pages_of_a_host_that_answers_do_not_keep_the_others_from_being_crawled(
    site: PlaySite, tmp_path: Path, dead: int, crawls: int
) -> None:
    paths = [f"/news/dead-{number}" for number in range(dead)]
    site.routes |= dict.fromkeys(paths, Answer(hangs_up=True))
    site.add_sitemap(*paths, "/news/a")
    site.add_article("/news/a")
    for _ in range(crawls - 1):
        with pytest.raises(UnavailableError, match="for none of its last pages"):
            run(site, tmp_path)
    report = run(site, tmp_path)
    assert (report.new, report.failed, report.complete) == (1, {"connection": dead}, True)


def test_page_that_stalls_extraction_is_given_up_and_the_rest_goes_on(site: PlaySite, tmp_path: Path) -> None:
    heavy = "<p>" + "<b>" * 200 + "word " * 10
    site.add_sitemap("/news/heavy", "/news/a", "/news/b")
    site.add("/news/heavy", article_page("/news/heavy", "").replace("</article>", heavy * 3000 + "</article>"))
    site.add_article("/news/a")
    site.add_article("/news/b")
    report = run(site, tmp_path)
    assert report.fetched == 3
    assert {f"{HOME}/news/a", f"{HOME}/news/b"} <= {article.url for article in articles(tmp_path)}


def test_sitemap_that_shrinks_or_fails_is_reported(site: PlaySite, tmp_path: Path) -> None:
    paths = [f"/news/{number}" for number in range(10)]
    site.add_sitemap(*paths)
    for path in paths:
        site.add_article(path)
    assert run(site, tmp_path).warnings == ()
    site.add_sitemap(*paths[:2])
    report = run(site, tmp_path)
    assert any("lists 2 addresses; last time it listed 10" in warning for warning in report.warnings)
    assert report.unchanged == 10
    site.add("/sitemap.xml", "<html><body>Not found</body></html>")
    assert any("HTML" in warning for warning in run(site, tmp_path).warnings)


def test_crawl_that_finds_nothing_warns(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap()
    warnings = run(site, tmp_path / "empty").warnings
    assert any("it lists nothing" in warning for warning in warnings)
    assert any("nothing to fetch: the sitemaps list 0 pages" in warning for warning in warnings)
    site.add_sitemap("/news/a", "/news/b")
    report = run(site, tmp_path / "unwanted", include=("/sport/",))
    assert (report.fetched, report.complete) == (0, True)
    assert any("list 2 pages, and the publisher file wants none" in warning for warning in report.warnings)


def test_odd_sitemap_lines_in_robots_are_joined_or_said(site: PlaySite, tmp_path: Path) -> None:
    lines = ("maps/a.xml", "www.example.com/b.xml", "http://[::1", "/c.xml")
    site.add("/robots.txt", "User-agent: *\nAllow: /\n" + "".join(f"Sitemap: {line}\n" for line in lines))
    site.add_sitemap("/news/a", path="/maps/a.xml")
    site.add_sitemap("/news/c", path="/c.xml")
    for path in ("/news/a", "/news/c"):
        site.add_article(path)
    report = run(site, tmp_path)
    assert (report.complete, report.new) == (True, 2)
    assert any("robots.txt names a sitemap at 'http://[::1', which is not an address" in one for one in report.warnings)
    assert run(site, tmp_path).complete


def test_site_without_any_sitemap_warns(site: PlaySite, tmp_path: Path) -> None:
    report = run(site, tmp_path)
    assert any("sitemap.xml: HTTP status 404" in warning for warning in report.warnings)
    assert any("nothing to fetch" in warning for warning in report.warnings)
