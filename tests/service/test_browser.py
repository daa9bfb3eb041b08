"""The page in Chromium: with and without JavaScript, by keyboard, on a phone, and read by axe-core."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from core.errors import StoreMissingError
from core.settings import Settings
from core.types import Article, Request, Result
from service.answers.runs import Runs
from service.app import create_app
from service.state.database import FILE_NAME, Database
from service.state.feedback import FeedbackBox
from tests.pipelines.systems.articles import open_engine
from tests.pipelines.systems.perspectives.test_perspectives import QUESTION, WOLVES
from tests.service.browsing import MARKS, chromium, open_page
from tests.service.fakes import FakeAsker
from tests.service.serving import serving

axe_api = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
pytestmark = MARKS
WIDTHS = (390, 1440)


@pytest.fixture
def address(settings: Settings, article: Article, asker: FakeAsker) -> Iterator[str]:
    with serving(create_app(settings, asker=asker), log_level="error") as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def ask(page: Any, address: str) -> None:
    page.goto(address)
    page.get_by_label("A question or a statement").fill("How many died?")
    page.get_by_role("button", name="Check").click()
    page.get_by_role("heading", name="Verified").wait_for()


def test_asking_with_javascript_shows_the_answer_on_the_page(browser: Any, address: str) -> None:
    page = open_page(browser)
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    ask(page, address)
    assert "/runs/run-1" in page.url
    page.get_by_role("button", name="Source 1", exact=True).click()
    dialog = page.get_by_role("dialog", name="Source 1")
    assert "81 people had lost their lives" in dialog.inner_text()
    assert dialog.locator("mark").is_visible()
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    page.get_by_role("button", name="Source 1", exact=True).click()
    dialog.get_by_role("button", name="Close").click()
    assert not dialog.is_visible()
    assert page.problems == []
    assert hosts == {address.removeprefix("http://")}


def test_asking_without_javascript_leads_to_the_run(browser: Any, address: str) -> None:
    page = open_page(browser, java_script_enabled=False)
    ask(page, address)
    assert page.url.endswith("/runs/run-1")
    page.get_by_role("button", name="Source 1", exact=True).click()
    assert page.get_by_role("dialog", name="Source 1").is_visible()


def test_the_keyboard_is_enough(browser: Any, address: str) -> None:
    page = open_page(browser)
    page.goto(address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.get_by_label("A question or a statement").focus()
    page.keyboard.type("How many died?")
    page.keyboard.press("Control+Enter")
    page.get_by_role("heading", name="Verified").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "H2"


def test_an_error_is_said_where_it_happens(browser: Any, address: str, asker: FakeAsker) -> None:
    def fail(_: Request) -> None:
        raise StoreMissingError("nothing has been indexed yet", hint="Run 'looksy index'.")

    asker.work = fail
    page = open_page(browser)
    page.goto(address)
    page.get_by_label("A question or a statement").fill("How many died?")
    page.get_by_role("button", name="Check").click()
    alert = page.get_by_role("alert").filter(has_text="nothing has been indexed yet")
    alert.wait_for()
    assert "looksy index" in alert.inner_text()


def test_links_within_the_page_leave_it_as_it_is(browser: Any, address: str) -> None:
    page = open_page(browser)
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    page.goto(address)
    page.get_by_label("A question or a statement").fill("How many died?")
    page.get_by_role("link", name="Skip to content").press("Enter")
    page.wait_for_url("**/#main")
    page.get_by_role("button", name="Check").click()
    page.get_by_role("heading", name="Verified").wait_for()
    page.get_by_role("button", name="Source 1", exact=True).click()
    page.get_by_role("link", name="All quotes of source 1").click()
    page.wait_for_url("**/runs/run-1#ref-1")
    page.get_by_role("dialog", name="Source 1").wait_for(state="hidden")
    page.wait_for_timeout(300)  # a reload would have begun by now
    assert page.get_by_label("A question or a statement").input_value() == "How many died?"
    assert len(loads) == 1
    page.go_back()
    page.go_back()  # to the page before the answer
    page.wait_for_url("**/#main")
    page.get_by_role("heading", name="Verified").wait_for(state="detached")
    assert page.problems == []


def test_back_shows_each_answer_and_then_the_form(browser: Any, address: str) -> None:
    page = open_page(browser)
    ask(page, address)
    page.get_by_role("button", name="Check").click()
    page.wait_for_url("**/runs/run-2")
    page.go_back()
    page.wait_for_url("**/runs/run-1")
    page.get_by_role("link", name="Ask something else").wait_for()  # the run's own page, which holds no form
    page.go_back()
    page.get_by_label("A question or a statement").wait_for()
    assert page.url == f"{address}/"
    assert page.get_by_role("heading", name="Verified").count() == 0
    assert page.problems == []


def test_back_pressed_before_the_page_is_ready_shows_the_form(browser: Any, address: str) -> None:
    page = open_page(browser)
    ask(page, address)
    page.get_by_role("button", name="Check").click()
    page.wait_for_url("**/runs/run-2")
    waiting: list[Any] = []
    page.route("**/static/app.js", lambda route: waiting.append(route), times=1)  # noqa: PLW0108 - marked by Playwright
    page.go_back(wait_until="commit")
    page.get_by_role("link", name="Ask something else").wait_for()
    while not waiting:  # for the page's script, which has not run then
        page.wait_for_timeout(20)
    page.go_back(wait_until="commit")
    waiting.pop().continue_()
    page.get_by_label("A question or a statement").wait_for()
    assert page.url == f"{address}/"
    assert page.problems == []


def test_options_that_cannot_be_seen_do_not_keep_the_form_back(browser: Any, address: str) -> None:
    page = open_page(browser)
    page.goto(address)
    page.get_by_label("A question or a statement").fill("How many died?")
    options, rounds = page.locator("details.options"), page.locator("input[name='option.agent.rounds']")
    page.locator("input[value=agent]").check(force=True)
    options.locator("summary").click()
    rounds.fill("20")
    options.locator("summary").click()
    page.get_by_role("button", name="Check").click()
    rounds.wait_for()  # the options open at what is wrong
    assert page.evaluate("document.activeElement.name") == "option.agent.rounds"
    page.locator("input[value=verify]").check(force=True)
    page.get_by_role("button", name="Check").click()
    page.get_by_role("heading", name="Verified").wait_for()
    assert page.problems == []


def test_an_answer_with_a_line_separator_is_shown(browser: Any, address: str, asker: FakeAsker) -> None:
    asker.changes = {"answer": "In all, 81\u2028people had\u2029lost their lives Doc[1]."}
    page = open_page(browser)
    ask(page, address)
    assert page.problems == []


def test_work_can_be_stopped(browser: Any, address: str, asker: FakeAsker) -> None:
    hold = threading.Event()
    asker.work = lambda _: hold.wait(60) and None
    page = open_page(browser)
    page.goto(address)
    page.get_by_label("A question or a statement").fill("How many died?")
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Stop").click()
    page.locator("#progress").wait_for(state="hidden")
    hold.set()
    assert page.get_by_role("heading", name="Verified").count() == 0


def test_on_a_phone_the_percentage_stands_below_the_verdict(browser: Any, address: str, asker: FakeAsker) -> None:
    asker.changes = {"confidence": {"value": 0.9, "method": "calibrated"}}
    page = open_page(browser, viewport={"width": 390, "height": 900})
    ask(page, address)
    verdict, percentage = page.locator(".verdict h2").bounding_box(), page.locator(".confidence strong").bounding_box()
    assert percentage["x"] == pytest.approx(verdict["x"], abs=1)
    assert percentage["y"] > verdict["y"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_overflows(browser: Any, address: str, width: int, scheme: str) -> None:
    page = open_page(browser, viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    ask(page, address)
    run = page.url
    pages = [f"{address}/{name}" for name in ("", "runs", "coverage", "docs", "nothing")]
    for path in (*pages, run, run + "?thanks=1"):
        page.goto(path)
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        found = axe_api.Axe().run(page)
        assert found.violations_count == 0, f"{path} at {width}, {scheme}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), path


@pytest.fixture(scope="module")
def parted(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """A result with parts, of a real system."""
    engine = open_engine(tmp_path_factory.mktemp("parted"), WOLVES)
    result = engine.run("perspectives", Request(text=QUESTION))
    engine.close()
    assert any(section.text for section in result.sections)
    return result


@pytest.fixture
def parted_page(settings: Settings, address: str, parted: Result) -> str:
    database = Database(settings.data_dir / FILE_NAME)
    Runs(database, keep=10).save(parted)
    database.close()
    return f"{address}/runs/{parted.run_id}"


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "dark")])
def test_axe_finds_nothing_in_a_result_with_parts(browser: Any, parted_page: str, width: int, scheme: str) -> None:
    page = open_page(browser, viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    for path in (parted_page, f"{parted_page}?thanks=1&part=1#part-1"):
        page.goto(path)
        assert page.locator("section.part form.feedback, section.part .thanks").count() >= 1
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        found = axe_api.Axe().run(page)
        assert found.violations_count == 0, f"{path} at {width}, {scheme}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), path


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without"])
def test_a_reader_says_that_one_answer_helped(
    browser: Any, settings: Settings, parted: Result, parted_page: str, scripts: bool
) -> None:
    page = open_page(browser, java_script_enabled=scripts)
    page.goto(parted_page)
    number, title = next((at, one.title) for at, one in enumerate(parted.sections, start=1) if one.text)
    part = page.get_by_role("region", name=title, exact=True)
    part.get_by_role("textbox", name="Reason, if you like").fill("clear")
    part.get_by_role("button", name="Yes").click()
    page.wait_for_url(f"**/*part={number}#part-{number}")
    assert "Thank you" in page.get_by_role("region", name=title, exact=True).inner_text()
    assert page.get_by_role("status").filter(has_text="Thank you").count() == 1
    assert page.problems == []
    (word,) = FeedbackBox(Database(settings.data_dir / FILE_NAME)).list()
    assert (word.run_id, word.part, word.helpful, word.reason) == (parted.run_id, number, True, "clear")


def test_enter_in_the_reason_sends_nothing(browser: Any, settings: Settings, address: str) -> None:
    page = open_page(browser)
    ask(page, address)
    asked = page.url
    reason = page.get_by_role("textbox", name="Reason, if you like")
    reason.fill("clear")
    reason.press("Enter")
    page.get_by_role("button", name="No", exact=True).click()
    page.wait_for_url(f"{asked}?thanks=1")
    (word,) = FeedbackBox(Database(settings.data_dir / FILE_NAME)).list()
    assert (word.helpful, word.reason) == (False, "clear")


def test_the_policy_blocks_what_is_not_ours(browser: Any, address: str) -> None:
    page = open_page(browser)
    page.goto(address)
    page.evaluate("const s = document.createElement('script'); s.textContent = 'window.x = 1'; document.body.append(s)")
    assert page.evaluate("window.x") is None
    assert any("Content Security Policy" in problem for problem in page.problems)
