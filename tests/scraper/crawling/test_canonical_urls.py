"""Pages that claim a canonical address which is not theirs alone."""

from datetime import UTC, datetime

import pytest

from core.editions import are_alike
from core.types import Article
from core.urls import article_id, content_hash
from scraper.state.frontier import Outcome
from tests.scraper.crawling.crawls import PlayCrawls
from tests.scraper.crawling.playsite import HOME, articles, sentences

SHARED = f"{HOME}/news/latest"
ONE, TWO, THREE = (f"{HOME}/news/{name}" for name in ("one", "two", "three"))
PAGES = (ONE, TWO, THREE)
ALL_NEW = [Outcome.NEW] * 3
SAME = [Outcome.UNCHANGED] * 3


def article(story: str, *, claim: str = SHARED, ending: str = "") -> Article:
    body = f"{sentences(story)} {ending}".strip()
    return Article(
        article_id=article_id(claim), url=claim, headline="News", body=body, source="play",
        first_seen_at=datetime.now(UTC), content_hash=content_hash("News", body),
    )  # fmt: skip


def shown(*, claim: str | None = SHARED, ending: str = "") -> dict[str, Article | None]:
    return {page: article(page, claim=claim or page, ending=ending) for page in PAGES}


def newest(crawls: PlayCrawls) -> dict[str, Article]:
    """The newest line of each article, by what it tells."""
    lines = {line.article_id: line for line in articles(crawls.data_dir)}
    return {next(page for page in (*PAGES, SHARED) if sentences(page) in line.body): line for line in lines.values()}


def addresses(crawls: PlayCrawls) -> dict[str, str]:
    return {story: line.url for story, line in newest(crawls).items()}


OWN = {page: page for page in PAGES}


def test_pages_whose_template_names_one_address_are_kept_under_their_own(crawls: PlayCrawls) -> None:
    assert crawls.crawl(shown()) == ALL_NEW
    assert addresses(crawls) == OWN
    assert (crawls.report().articles, crawls.report().shared_canonical, crawls.report().duplicates) == (3, 3, 0)
    lines = articles(crawls.data_dir)
    assert crawls.crawl(shown()) == SAME
    assert articles(crawls.data_dir) == lines
    assert crawls.crawl(shown(ending="Twelve died.")) == [Outcome.CHANGED] * 3
    assert addresses(crawls) == OWN
    assert {line.revision for line in newest(crawls).values()} == {2}


def test_template_that_is_mended_or_breaks_later_makes_no_articles_anew(crawls: PlayCrawls) -> None:
    for claim in (SHARED, None, SHARED, None):
        assert crawls.crawl(shown(claim=claim)) == (ALL_NEW if crawls.day == 1 else SAME)
        assert addresses(crawls) == OWN
    assert (crawls.report().articles, crawls.report().shared_canonical) == (3, 0)
    assert not any(line.gone_at for line in articles(crawls.data_dir))


def test_template_that_breaks_after_the_first_crawl_costs_no_article(crawls: PlayCrawls) -> None:
    crawls.crawl(shown(claim=None))
    assert crawls.crawl(shown()) == SAME
    assert (addresses(crawls), len(articles(crawls.data_dir))) == (OWN, 3)


@pytest.mark.parametrize("is_first", [False, True])
def test_page_of_the_shared_address_has_it_and_no_other(crawls: PlayCrawls, is_first: bool) -> None:
    owner = {SHARED: article(SHARED)}
    crawls.crawl(owner | shown() if is_first else shown() | owner)
    assert addresses(crawls) == OWN | {SHARED: SHARED}
    assert newest(crawls)[SHARED].article_id == article_id(SHARED)
    assert set(crawls.crawl(shown() | owner)) == {Outcome.UNCHANGED}
    assert crawls.report().articles == 4
    crawls.crawl({ONE: None, TWO: None, THREE: article(THREE), SHARED: article(SHARED)})
    assert {story for story, line in newest(crawls).items() if line.gone_at} == {ONE, TWO}


def test_editions_of_one_article_share_its_address(crawls: PlayCrawls) -> None:
    own, printed = article(ONE, claim=ONE), article(ONE, claim=ONE, ending=f"Print edition. {sentences('x', 3)}")
    amp, edited = article(TWO, claim=TWO), article(TWO, claim=TWO, ending="More.")
    pages = {ONE: own, f"{ONE}/print": printed, f"{TWO}-amp": amp, TWO: edited}
    assert crawls.crawl(pages) == [Outcome.NEW, Outcome.DUPLICATE, Outcome.NEW, Outcome.CHANGED]
    assert (addresses(crawls), crawls.report().shared_canonical) == ({ONE: ONE, TWO: TWO}, 0)


def test_pages_that_claim_the_address_of_an_article_that_is_gone_do_not_revive_it(crawls: PlayCrawls) -> None:
    crawls.crawl({SHARED: article(SHARED)})
    crawls.crawl({SHARED: None})
    assert crawls.crawl(shown()) == ALL_NEW
    assert addresses(crawls) == OWN | {SHARED: SHARED}
    assert newest(crawls)[SHARED].gone_at


@pytest.mark.parametrize(("one", "other", "alike"), [
    ("新华社北京三月五日电国务院总理在会上作报告", "新华社北京三月五日电国务院总理今天在会上作报告。", True),
    ("新华社北京三月五日电国务院总理在会上作报告", "上海今天举行国际电影节开幕式来自各国的导演出席", False),
    (sentences("a"), sentences("a", 12), True), (sentences("a"), sentences("b"), False),
])  # fmt: skip
def test_texts_are_alike_if_most_of_the_shorter_stands_in_the_longer(one: str, other: str, alike: bool) -> None:
    def made(body: str) -> Article:
        return article("x").model_copy(update={"body": body})

    assert are_alike(made(one), made(other)) is alike is are_alike(made(other), made(one))
