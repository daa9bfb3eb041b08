"""Sites that keep the crawler out: told apart, told since when, and not asked again and again."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from scrapy.http import HtmlResponse

from scraper.crawling.blocks import BLOCKED_IN_A_ROW, BlockCounter, BlockKind, find_block, find_wall
from tests.scraper.crawling.playsite import Answer, PlaySite, run

CLOUDFLARE = (
    b"<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={}</script></body></html>"
)
CONSENT = (
    "<html><head><title>Before you continue</title></head><body><p>We and our partners use cookies. Give your consent"
    " to cookies, or manage your privacy choices and the vendors that may use cookies.</p></body></html>"
)


def answer(status: int, body: bytes = b"<h1>No</h1>", **headers: str) -> HtmlResponse:
    return HtmlResponse("https://www.example.org/news/a", status=status, body=body, headers=headers)


@pytest.mark.parametrize(
    ("response", "kind"),
    [
        (answer(401), BlockKind.LOGIN),
        (answer(402), BlockKind.PAYMENT),
        (answer(403), BlockKind.FORBIDDEN),
        (answer(429), BlockKind.RATE_LIMITED),
        (answer(451), BlockKind.LEGAL),
        (answer(403, CLOUDFLARE), BlockKind.CHALLENGE),
        (answer(503, CLOUDFLARE), BlockKind.CHALLENGE),
        (answer(403, b'<script src="https://geo.captcha-delivery.com/captcha/x.js"></script>'), BlockKind.CHALLENGE),
        (answer(405, b'<div id="px-captcha"></div>'), BlockKind.CHALLENGE),
        (answer(200, **{"cf-mitigated": "challenge"}), BlockKind.CHALLENGE),
        (answer(202, **{"X-Amzn-Waf-Action": "challenge"}), BlockKind.CHALLENGE),
        (answer(200, b"<p>Comments are protected by reCAPTCHA.</p>"), None),
        (answer(503), None),
        (answer(404), None),
    ],
)
def test_answers_are_told_apart(response: HtmlResponse, kind: BlockKind | None) -> None:
    assert find_block(response) is kind


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://consent.example.com/v2/collectConsent?sessionId=1", BlockKind.CONSENT),
        ("https://myprivacy.example.net/?callbackUrl=x", BlockKind.CONSENT),
        ("https://www.example.org/privacy-gate/?x=1", BlockKind.CONSENT),
        ("https://login.example.org/?next=/a", BlockKind.LOGIN),
        ("https://www.elsewhere.example/account/login", BlockKind.LOGIN),
        ("https://www.elsewhere.example/news/login-data-stolen", None),
        ("https://www.elsewhere.example/", None),
        ("http://[::1", None),
    ],
)
def test_redirects_to_a_wall_are_told_by_their_target(url: str, kind: BlockKind | None) -> None:
    assert find_wall(url) is kind


def test_single_refused_pages_do_not_stop_a_crawl() -> None:
    counter, now = BlockCounter(is_known=False), datetime.now(UTC)
    for _ in range(3 * BLOCKED_IN_A_ROW):
        assert not counter.blocked(BlockKind.FORBIDDEN, now=now)
        counter.let_in()
    assert not counter.holds
    assert [counter.blocked(BlockKind.FORBIDDEN, now=now) for _ in range(BLOCKED_IN_A_ROW)][-2:] == [False, True]
    assert counter.blocked(BlockKind.RATE_LIMITED, now=now)
    assert BlockCounter(is_known=True).blocked(BlockKind.FORBIDDEN, now=now)


def block_all(site: PlaySite, paths: list[str], status: int, content: bytes | str) -> None:
    for path in paths:
        site.add(path, content, status=status)


def test_site_that_blocks_is_left_alone_and_asked_for_one_page_by_the_next_crawl(
    site: PlaySite, tmp_path: Path
) -> None:
    paths = [f"/news/{number}" for number in range(30)]
    site.add_sitemap(*paths)
    block_all(site, paths, 503, CLOUDFLARE)
    first = run(site, tmp_path)
    (block,) = first.blocked
    assert (block.kind, first.complete) == ("challenge", False)
    assert first.failed["challenge"] == sum(site.paths().values()) <= 2 * BLOCKED_IN_A_ROW
    assert any("blocked since" in one and "bot check" in one for one in first.warnings)
    site.asked.clear()
    block_all(site, paths, 403, "<h1>Forbidden</h1>")
    second = run(site, tmp_path)
    assert [asked.path for asked in site.asked if asked.path != "/robots.txt"] == [*site.paths()]
    assert (sum(site.paths().values()), second.blocked[0].kind) == (1, "forbidden")
    assert second.blocked[0].since == block.since < second.blocked[0].last_at
    for path in paths:
        site.add_article(path)
    third = run(site, tmp_path)
    assert (third.blocked, third.new, third.complete) == ((), 30, True)


def test_consent_wall_and_login_redirects_are_told_apart(site: PlaySite, tmp_path: Path) -> None:
    paths = [f"/news/{number}" for number in range(12)]
    site.add_sitemap(*paths)
    block_all(site, paths, 200, CONSENT)
    report = run(site, tmp_path / "consent")
    assert (report.blocked[0].kind, report.complete) == ("consent", False)
    for path in paths:
        site.routes[path] = Answer(b"", 302, {"Location": "https://login.elsewhere.example/?next=a"})
    report = run(site, tmp_path / "login")
    assert (report.blocked[0].kind, report.complete) == ("login", False)
    assert set(report.failed) == {"redirected_to_login"}


def test_429_that_stays_stops_the_crawl_at_once(site: PlaySite, tmp_path: Path) -> None:
    paths = [f"/news/{number}" for number in range(12)]
    site.add_sitemap(*paths)
    block_all(site, paths, 429, "later")
    for path in paths:
        site.routes[path] = Answer(b"later", 429, {"Retry-After": "0"})
    report = run(site, tmp_path)
    assert (report.blocked[0].kind, report.complete) == ("rate_limited", False)
    assert sum(site.paths().values()) <= 3 * 4  # three tries of the pages that were on their way together
