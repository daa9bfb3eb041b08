"""An article that its publisher corrects, removes and publishes again: from the crawl to the page, in Chromium."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from core.settings import Settings
from core.types import Request
from indexing.job import run_index
from indexing.stores.open import open_store
from service.answers.asker import LazyEngine
from service.answers.caller import Caller
from service.answers.runs import Runs
from service.app import create_app
from service.desk import CheckPatch, CheckState, Desk, Reviewer
from service.desk.after_index import recheck_after_index
from service.state.database import FILE_NAME, Database
from tests.scraper.crawling.playsite import PlaySite, run, sentences
from tests.service.browsing import MARKS, chromium, open_page
from tests.service.desk.evidence import CLAIM, HEADLINE, REFUTE, SUPPORT
from tests.service.serving import serving

pytestmark = MARKS
ADA = Reviewer("Ada")
PATH = "/news/dam"
CORRECTION = "Correction: an earlier version of this article gave a wrong figure for the dam."


@pytest.fixture
def site() -> Iterator[PlaySite]:
    site = PlaySite()
    site.add_sitemap(PATH)
    yield site
    site.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def publish(site: PlaySite, *paragraphs: str) -> None:
    site.add_article(PATH, "\n\n".join((*paragraphs, sentences("dam"))), headline=HEADLINE)


def crawl_and_index(site: PlaySite, settings: Settings) -> None:
    run(site, settings.data_dir)
    store = open_store(settings, must_exist=False)
    run_index(store, data_dir=settings.data_dir)
    store.close()
    recheck_after_index(settings)


def approved(settings: Settings, database: Database) -> str:
    """Ask for the claim, and approve the answer; return the id of the check."""
    asker = LazyEngine(settings)
    result = asker.run("verify", Request(text=CLAIM))
    asker.close()
    assert result.verdict is not None
    assert result.verdict.value == "verified"
    Runs(database, keep=100).save(result, caller=Caller())
    desk = Desk(database)
    check, _ = desk.add(result.run_id, who=ADA)
    return desk.change(check.check_id, CheckPatch(state=CheckState.APPROVED), who=ADA).check_id


def test_what_the_publisher_does_with_an_article_reaches_the_people_who_approved(
    browser: Any, site: PlaySite, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="service.desk.after_index")
    publish(site, SUPPORT)
    crawl_and_index(site, settings)
    database = Database(settings.data_dir / FILE_NAME)
    check_id, desk = approved(settings, database), Desk(database)
    with serving(create_app(settings), log_level="warning") as port:
        address = f"http://127.0.0.1:{port}"
        page = open_page(browser)
        review = f"{address}/v1/checks/{check_id}/report?format=claimreview"
        assert httpx.get(review).status_code == 200
        assert open_changes(page, address) == 0

        publish(site, REFUTE, CORRECTION)
        crawl_and_index(site, settings)
        assert "look at a check again" in caplog.messages  # what the log of 'looksy watch' shows
        assert open_changes(page, address) == 1
        page.get_by_role("link", name=CLAIM).click()
        assert page.get_by_role("region", name="Before").get_by_role("heading", name="Verified").is_visible()
        assert page.locator("ins").count() >= 1
        assert desk.get(check_id).state is CheckState.IN_REVIEW
        refused = httpx.get(review)
        assert refused.status_code == 409
        assert "correct" in refused.text
        desk.change(check_id, CheckPatch(state=CheckState.APPROVED), who=ADA)
        assert open_changes(page, address) == 0

        kept = site.routes[PATH]
        site.add(PATH, "gone", status=410)
        crawl_and_index(site, settings)
        assert open_changes(page, address) == 1
        assert "is gone" in page.get_by_role("main").inner_text()
        assert desk.get(check_id).state is CheckState.IN_REVIEW

        site.routes[PATH] = kept
        crawl_and_index(site, settings)
        assert open_changes(page, address) >= 1
        assert "is back" in page.get_by_role("main").inner_text()
        assert page.problems == []


def open_changes(page: Any, address: str) -> int:
    """Open the page of what to look at again, and count what is on it."""
    page.goto(f"{address}/changes")
    return int(page.get_by_role("link", name=CLAIM).count())
