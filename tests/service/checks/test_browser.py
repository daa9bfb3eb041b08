"""The page of a checked text in Chromium: marks, filter, keyboard, phone, print, and axe."""

from urllib.parse import quote

import pytest

from service.app import create_app
from tests.service.browsing import MARKS, chromium, open_page
from tests.service.checks.samples import TEXT, FakeAnswerer
from tests.service.serving import serving

axe_api = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
pytestmark = MARKS


class _Asker(FakeAnswerer):
    def warm_up(self):
        pass

    def close(self):
        pass


@pytest.fixture
def address(settings):
    with serving(create_app(settings, asker=_Asker()), log_level="error") as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def browser():
    with chromium() as opened:
        yield opened


def _check(page, address, text=TEXT):
    page.goto(f"{address}/check")
    page.get_by_label("The text", exact=True).fill(text)
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_selector("#checked[data-running=no]")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "light"), (1440, "dark")])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(browser, address, width, scheme):
    page = open_page(browser, viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(f"{address}/check")
    assert axe_api.Axe().run(page).violations_count == 0
    _check(page, address)
    assert axe_api.Axe().run(page).violations_count == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.problems == []


def test_a_click_on_a_claim_opens_its_quotes_and_each_verdict_looks_its_own_way(browser, address):
    page = open_page(browser)
    _check(page, address)
    page.locator("a.claim.refuted").click()
    assert page.locator(".claim-card.refuted blockquote").is_visible()
    assert page.evaluate("document.activeElement.classList.contains('refuted')")
    looks = {
        tone: page.locator(f"a.claim.{tone}").first.evaluate("e => getComputedStyle(e).textDecorationStyle")
        for tone in ("verified", "refuted", "unclear")
    }
    assert len(set(looks.values())) == 3
    assert page.locator("a.claim.refuted svg").count() == 1


def test_claims_are_filtered_by_verdict_and_walked_through_by_key(browser, address):
    page = open_page(browser)
    _check(page, address)
    page.locator(".filters input[value=verified]").uncheck()
    assert page.locator(".claim-card.verified").first.is_hidden()
    assert page.locator("a.claim.verified.dull").count() == 2
    page.keyboard.press("Tab")
    page.locator("h1").click()
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.dataset.tone") == "refuted"
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.dataset.tone") == "unclear"
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.dataset.tone") == "refuted"


def test_what_a_bookmarklet_sends_fills_the_form_whole(browser, address):
    text = "The ferry carried 312 people. " * 4_000
    page = open_page(browser)
    page.goto(f"{address}/check#text={quote(text)}")
    assert page.get_by_label("The text", exact=True).input_value() == text
    assert "#" not in page.url


def test_too_many_words_are_told_and_nothing_is_cut(browser, address):
    page = open_page(browser)
    page.goto(f"{address}/check")
    text = "word " * 20_001
    page.get_by_label("The text", exact=True).fill(text)
    assert "Nothing was cut" in page.locator("#counter").inner_text()
    page.get_by_role("button", name="Check", exact=True).click()
    assert page.url.endswith("/check")
    assert page.get_by_label("The text", exact=True).input_value() == text


@pytest.mark.parametrize("width", [390, 1440])
def test_a_long_paste_on_the_ask_page_is_offered_whole_to_this_page(browser, address, width):
    page = open_page(browser, viewport={"width": width, "height": 800})
    page.goto(address)
    offer = page.get_by_role("button", name="Check it claim by claim")
    assert offer.is_hidden()
    text = f"{TEXT} " + "What a long day this was for all of us! " * 60
    page.locator("#text").fill(text)
    assert page.locator("#text").input_value() == text
    found = axe_api.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    offer.click()
    page.wait_for_selector("#checked[data-running=no]")
    assert "What a long day" in page.locator(".marked").inner_text()
    assert page.locator("a.claim.refuted").count() == 1
    assert page.problems == []


def test_the_printed_page_has_text_and_quotes_without_controls(browser, address):
    page = open_page(browser)
    _check(page, address)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".marked").is_visible()
    assert page.locator(".claim-card.refuted blockquote").is_visible()
    assert page.locator(".filters").is_hidden()
    assert page.locator(".top").is_hidden()
