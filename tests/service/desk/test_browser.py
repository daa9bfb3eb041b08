"""The desk in Chromium: two clicks to approve, keyboard, phone, axe."""

from collections.abc import Iterator
from typing import Any

import pytest

from service.app import create_app
from service.desk import CheckPatch, CheckState, DecisionPatch, Reviewer
from tests.service.browsing import MARKS, chromium, open_page
from tests.service.desk.conftest import ADA, World
from tests.service.desk.evidence import BODY, CLAIM, REFUTE, SECOND, SUPPORT, make_article
from tests.service.serving import serving

axe_api = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs: pip install 'looksy[browser]'")
pytestmark = MARKS


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def address(world: World) -> Iterator[str]:
    with serving(create_app(world.settings, asker=world.asker), log_level="warning") as port:
        yield f"http://127.0.0.1:{port}"


def fill(world: World) -> None:
    """Put checks of every state on the desk, and let the evidence of some change."""
    world.index.put(make_article("bridge", f"The bridge at Elm Creek is closed. {SECOND}", headline="Bridge closed"))
    world.check()
    other = world.check("Engineers said that the dam at Elm Creek holds 40 million litres.", approve=False)
    world.desk.change(other.check_id, CheckPatch(state=CheckState.IN_REVIEW, owner="Ben"), who=Reviewer("Ben"))
    world.check("The dam at Elm Creek was never filled, whatever " + "people say " * 20, approve=False)
    against = world.check("The dam holds 40 million litres of water from Elm Creek.", approve=False)
    decision = DecisionPatch(verdict="conflicting", reason_code="context_missing", comment="Only in spring.")
    world.desk.change(against.check_id, CheckPatch(decision=decision), who=ADA)
    corrected = BODY.replace(SUPPORT, REFUTE) + "\n\nCorrection: an earlier version gave the figure of 40 million."
    world.index.put(make_article("dam", corrected, correction=True, day=2))
    world.look()


def test_a_check_goes_from_answer_to_approval(browser: Any, address: str, world: World) -> None:
    page = open_page(browser)
    page.goto(address)
    page.get_by_label("A question or a statement").fill(CLAIM)
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Put on the desk").click()
    page.wait_for_url("**/checks/*")
    page.get_by_label("Verified (as the machine says)").check()
    page.get_by_role("region", name="Decide").get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Go on to confirm").click()
    page.get_by_role("heading", name="Approve this check?").wait_for()
    [check] = world.desk.find(limit=5)
    assert check.state is CheckState.OPEN, "one click decides nothing"
    page.get_by_role("button", name="Approve", exact=True).click()
    page.get_by_text("Ada approved it").wait_for()
    assert world.desk.get(check.check_id).state is CheckState.APPROVED
    assert page.problems == []


def test_the_keyboard_decides_without_javascript(browser: Any, address: str, world: World) -> None:
    check = world.check(approve=False)
    page = open_page(browser, java_script_enabled=False)
    page.goto(f"{address}/checks/{check.check_id}")
    page.get_by_label("Verified (as the machine says)").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Approve this check?").wait_for()
    page.get_by_role("button", name="Approve", exact=True).press("Enter")
    page.get_by_text("approved it").wait_for()
    assert world.desk.get(check.check_id).state is CheckState.APPROVED


def test_what_changed_leads_to_a_decision(browser: Any, address: str, world: World) -> None:
    check = world.check()
    world.index.put(make_article("dam", f"{REFUTE}\n\n{SECOND}", correction=True, day=2))
    world.look()
    page = open_page(browser)
    page.goto(f"{address}/desk")
    page.get_by_role("link", name="1 to look at again").click()
    page.get_by_role("link", name=CLAIM).click()
    before, now = page.get_by_role("region", name="Before"), page.get_by_role("region", name="Now")
    assert before.get_by_role("heading", name="Verified").is_visible()
    assert now.get_by_role("heading", name="Refuted").is_visible()
    left, right = before.bounding_box(), now.bounding_box()
    assert left["y"] == pytest.approx(right["y"], abs=1)
    assert page.locator("ins").count() >= 1
    page.get_by_role("link", name="Decide").click()
    page.get_by_label("Refuted (as the machine says)").check()
    page.get_by_role("button", name="Go on to confirm").click()
    page.get_by_role("button", name="Approve", exact=True).click()
    page.wait_for_url(f"**/checks/{check.check_id}")
    assert not world.desk.get(check.check_id).changed
    assert page.problems == []


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_overflows(
    browser: Any, address: str, world: World, width: int, scheme: str
) -> None:
    fill(world)
    changed = next(one for one in world.desk.find(limit=10) if one.changed)
    page = open_page(browser, viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    for path in ("desk", "desk?text=dam", "changes", "changes/1", f"checks/{changed.check_id}"):
        page.goto(f"{address}/{path}")
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        found = axe_api.Axe().run(page)
        assert found.violations_count == 0, f"{path} at {width}, {scheme}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), path
