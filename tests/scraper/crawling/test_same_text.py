"""What becomes of pages whose text stays the same: corrected metadata, and what is archived of them."""

from datetime import UTC, datetime, timedelta

from core.types import Article
from core.urls import article_id, content_hash
from scraper.crawling.page_recorder import PageRecorder, Reply
from scraper.extraction.workers.tasks import PageResult
from scraper.publishers.site import Site
from scraper.rejection import Rejection, RejectionReason
from scraper.sitemaps.selection import Selection
from scraper.state.crawls import Crawls
from scraper.state.frontier import Listed, Outcome
from tests.scraper.crawling.crawls import NOW, PlayCrawls
from tests.scraper.crawling.playsite import HOME, articles, publisher

OWN, MIRROR = f"{HOME}/news/a", f"{HOME}/news/mirror"


def article(body: str = "B", *, url: str = OWN, hour: int | None = 10, authors: tuple[str, ...] = ("Ann",)) -> Article:
    text = f"The council met on Monday and chose a new mayor for the town. {body}"
    return Article(
        article_id=article_id(url), url=url, headline="A", body=text, first_seen_at=datetime.now(UTC), source="play",
        published_at=hour and NOW.replace(hour=hour), authors=authors, content_hash=content_hash("A", text),
    )  # fmt: skip


def test_corrected_metadata_of_the_same_text_are_written_with_the_record_that_says_them(crawls: PlayCrawls) -> None:
    crawls.crawl({OWN: article()})
    assert crawls.crawl({OWN: article(hour=2, authors=())}) == [Outcome.UNCHANGED]
    first, last = articles(crawls.data_dir)
    assert last == first.model_copy(update={"published_at": NOW.replace(hour=2), "raw_ref": last.raw_ref})
    assert crawls.record_of(OWN) == f"2 {OWN}"
    assert last.raw_ref != first.raw_ref
    assert crawls.crawl({OWN: article(hour=None)}) == [Outcome.UNCHANGED]
    assert articles(crawls.data_dir) == [first, last]


def test_record_that_is_read_again_corrects_and_stays_the_record(crawls: PlayCrawls) -> None:
    crawls.crawl({OWN: article()})
    run = Crawls(crawls.database).begin_apart("play", config="c", now=NOW + timedelta(days=2))
    keeper = PageRecorder(crawls.database, run, site=Site(publisher()), selection=Selection(publisher()))
    (first,) = articles(crawls.data_dir)
    with crawls.database.transaction() as sql:
        keeper.frontier.add(sql, [Listed(keeper.selection.key(OWN), OWN, NOW + timedelta(days=2))])
    (page,) = keeper.frontier.due(after=0, limit=9)
    again = keeper.extracted(page, Reply(None, None, NOW), PageResult(article(hour=2)), reference=first.raw_ref)
    keeper.close()
    assert again is Outcome.UNCHANGED
    last = articles(crawls.data_dir)[-1]
    assert (last.revision, last.published_at, last.raw_ref) == (1, NOW.replace(hour=2), first.raw_ref)
    assert crawls.record_of(OWN) == f"1 {OWN}"


def test_article_whose_address_alone_is_renamed_is_known_by_the_new_one(crawls: PlayCrawls) -> None:
    old, new = f"{HOME}/news/old-1234567", f"{HOME}/news/new-1234567"
    for url in (old, new, new):
        crawls.crawl({url: article(url=url)}, same_article=r"-(\d{7})$")
    first, last = articles(crawls.data_dir)
    assert (first.url, last.url) == (old, new)
    assert (first.article_id, first.revision) == (last.article_id, last.revision)
    assert crawls.record_of(new) == f"2 {new}"


def test_own_address_of_an_article_corrects_what_a_mirror_said_and_not_the_other_way(crawls: PlayCrawls) -> None:
    crawls.crawl({MIRROR: article(hour=2)})
    assert crawls.crawl({MIRROR: article(hour=2), OWN: article()}) == [Outcome.UNCHANGED, Outcome.DUPLICATE]
    assert crawls.crawl({MIRROR: article(hour=2), OWN: article()}) == [Outcome.DUPLICATE, Outcome.UNCHANGED]
    assert [found.published_at for found in articles(crawls.data_dir)] == [NOW.replace(hour=2), NOW.replace(hour=10)]


def test_page_whose_text_stays_the_same_is_archived_once(crawls: PlayCrawls) -> None:
    for _ in range(3):
        crawls.crawl({OWN: article(), MIRROR: article()})
    assert crawls.archive() == [f"1 {OWN}", f"1 {MIRROR}"]
    with crawls.database.transaction() as sql:
        sql.execute("UPDATE urls SET raw_ref = NULL")  # as after a power cut
    crawls.crawl({OWN: article(), MIRROR: article()})
    assert crawls.archive()[2:] == [f"4 {OWN}", f"4 {MIRROR}"]


def test_record_of_a_page_holds_the_text_of_its_article(crawls: PlayCrawls) -> None:
    refused = Rejection(url=OWN, reason=RejectionReason.NOT_ARTICLE, detail="as it happens")
    crawls.crawl({OWN: article(), MIRROR: article()})
    crawls.crawl({OWN: article("C"), MIRROR: article()})
    assert crawls.crawl({OWN: article("C"), MIRROR: article("C")}) == [Outcome.UNCHANGED, Outcome.DUPLICATE]
    assert (crawls.record_of(OWN), crawls.record_of(MIRROR)) == (f"2 {OWN}", f"3 {MIRROR}")
    crawls.crawl({OWN: refused})
    assert crawls.crawl({OWN: article("C")}) == [Outcome.UNCHANGED]
    assert crawls.record_of(OWN) == f"5 {OWN}"
    crawls.crawl({OWN: article("C")})
    assert len(crawls.archive()) == 6
