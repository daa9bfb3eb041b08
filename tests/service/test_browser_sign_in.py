"""Signing in with Chromium over plain HTTP, as colleagues on the same network do."""

from collections.abc import Iterator
from typing import Any

import pytest

from core.settings import Settings
from core.types import Request
from service.answers.runs import Runs
from service.app import create_app
from service.auth.keys import Keys, Scope
from service.state.database import FILE_NAME, Database
from tests.service.browsing import MARKS, chromium, open_page
from tests.service.fakes import FakeAsker, make_result
from tests.service.serving import serving

pytestmark = MARKS


@pytest.fixture
def public(settings: Settings) -> Settings:
    return settings.model_copy(update={"host": "0.0.0.0"})


@pytest.fixture
def far_browser() -> Iterator[Any]:
    """A browser for which looksy.test is another machine."""
    with chromium("--host-resolver-rules=MAP looksy.test 127.0.0.1") as opened:
        yield opened


@pytest.fixture
def locked(public: Settings, asker: FakeAsker) -> Iterator[str]:
    with serving(create_app(public, asker=asker), log_level="error") as port:
        yield f"http://looksy.test:{port}"  # plain HTTP to a name that is not this machine's, as a colleague opens it


def test_colleagues_sign_in_over_plain_http_and_come_to_the_run(
    far_browser: Any, locked: str, public: Settings
) -> None:
    database = Database(public.data_dir / FILE_NAME)
    _, key = Keys(database).create("desk", scope=Scope.RUN)
    Runs(database, keep=10).save(make_result(Request(text="Who?")))
    page = open_page(far_browser)
    page.goto(f"{locked}/runs/run-1")
    sign_in(page, "looksy_a_b")
    page.get_by_role("alert").filter(has_text="This key is not valid.").wait_for()
    sign_in(page, key)
    page.get_by_role("heading", name="Verified").wait_for()
    assert page.url == f"{locked}/runs/run-1"
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("status").filter(has_text="Thank you").wait_for()
    page.goto(f"data:text/html,<a href='{locked}/runs/run-1'>a mail</a>")
    page.get_by_role("link", name="a mail").click()
    page.get_by_role("heading", name="Verified").wait_for()


def test_who_is_no_longer_signed_in_keeps_what_was_typed(far_browser: Any, locked: str, public: Settings) -> None:
    _, key = Keys(Database(public.data_dir / FILE_NAME)).create("desk", scope=Scope.RUN)
    page = open_page(far_browser)
    page.goto(locked)
    sign_in(page, key)
    page.get_by_label("A question or a statement").fill("How many died?")
    page.context.clear_cookies()
    page.get_by_role("button", name="Check").click()
    with page.context.expect_page() as opened:
        page.get_by_role("alert").get_by_role("link", name="Sign in").click()
    sign_in(opened.value, key)
    opened.value.get_by_role("button", name="Check").wait_for()
    assert page.get_by_label("A question or a statement").input_value() == "How many died?"
    page.get_by_role("button", name="Check").click()
    page.get_by_role("heading", name="Verified").wait_for()


def test_a_key_that_may_only_read_does_not_lock_the_browser_in(far_browser: Any, locked: str, public: Settings) -> None:
    keys = Keys(Database(public.data_dir / FILE_NAME))
    (_, reader), (_, runner) = (keys.create("desk", scope=scope) for scope in (Scope.READ, Scope.RUN))
    page = open_page(far_browser)
    page.goto(locked)
    sign_in(page, reader)
    page.get_by_label("A question or a statement").fill("How many died?")
    page.get_by_role("button", name="Check").click()
    page.get_by_role("alert").filter(has_text="This key is for read; this needs run.").wait_for()
    assert "sign out first" in page.get_by_role("alert").inner_text()
    page.get_by_role("button", name="Sign out").click()
    sign_in(page, runner)
    page.get_by_label("A question or a statement").fill("How many died?")
    page.get_by_role("button", name="Check").click()
    page.get_by_role("heading", name="Verified").wait_for()


def test_back_shows_an_answer_only_to_who_is_signed_in(far_browser: Any, locked: str, public: Settings) -> None:
    _, key = Keys(Database(public.data_dir / FILE_NAME)).create("desk", scope=Scope.RUN)
    page = open_page(far_browser)
    page.goto(locked)
    sign_in(page, key)
    page.get_by_label("A question or a statement").fill("How many died?")
    page.get_by_role("button", name="Check").click()
    page.get_by_role("heading", name="Verified").wait_for()
    page.context.clear_cookies()  # signed out; the event is what a browser sends that kept the whole page
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.get_by_label("API key").wait_for()
    assert page.get_by_role("heading", name="Verified").count() == 0


def sign_in(page: Any, key: str) -> None:
    page.get_by_label("API key").fill(key)
    page.get_by_role("button", name="Sign in").click()
