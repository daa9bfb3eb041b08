"""Addresses that differ in a mark only, and articles that move."""

from datetime import UTC, datetime

import pytest

from core.types import Article
from core.urls import article_id, content_hash
from scraper.state.frontier import Outcome
from scraper.state.variants import PROBES
from tests.scraper.crawling.crawls import NOW, PlayCrawls
from tests.scraper.crawling.playsite import HOME, articles, sentences

NEW, SAME, COPY, GONE = Outcome.NEW, Outcome.UNCHANGED, Outcome.DUPLICATE, Outcome.GONE


def article(url: str, body: str, *, headline: str = "News", day: int | None = None) -> Article:
    return Article(
        article_id=article_id(url), url=url, headline=headline, body=body, source="play",
        published_at=NOW.replace(day=day) if day else None, first_seen_at=datetime.now(UTC),
        content_hash=content_hash(headline, body),
    )  # fmt: skip


def story(number: int, url: str, *, canonical: str | None = None) -> Article:
    """One of the stories that a site writes by one pattern."""
    topic = ("breakwater", "ferry", "school", "market", "bridge", "library", "tram", "museum")[number]
    body = (
        f"The council decided on Tuesday night what is to become of the {topic}, after a debate that lasted for four"
        f" hours in a crowded hall. Two speakers from the {topic} committee warned that every month of delay would cost"
        f" the town another {10 + number} thousand crowns. The mayor called the {topic} plan the most careful that the"
        " town has seen, and thanked the clerks for their patience and their work."
    )
    return article(canonical or url, body, headline=f"Town decides on its {topic}", day=number + 1)


def held(crawls: PlayCrawls) -> dict[str, Article]:
    lines = {line.article_id: line for line in articles(crawls.data_dir)}
    return {name: line for name, line in lines.items() if line.gone_at is None}


ADDRESSES = {
    "ref": f"{HOME}/story.php?ref={{}}",
    "spm": f"{HOME}/story?spm=a{{}}.b&lang=en",
    "outputType": f"{HOME}/story?outputType={{}}",
    "sid": f"{HOME}/story?sid=0123456789abcdef000{{}}",
}


@pytest.mark.parametrize("kind", ["ref", "spm", "outputType", "sid"])
@pytest.mark.parametrize("canonical", [None, f"{HOME}/story.php"])
def test_mark_that_numbers_the_articles_keeps_them_apart(crawls: PlayCrawls, kind: str, canonical: str | None) -> None:
    urls = [ADDRESSES[kind].format(number) for number in range(1, 8)]
    canonical = canonical and canonical.replace("/story.php", ADDRESSES[kind].split("?")[0].removeprefix(HOME))
    shown = {url: story(number, url, canonical=canonical) for number, url in enumerate(urls)}
    assert crawls.crawl(shown) == [NEW] * 7
    assert sorted(line.headline for line in held(crawls).values()) == sorted(one.headline for one in shown.values())
    assert {line.url for line in held(crawls).values()} == set(urls)
    lines = len(articles(crawls.data_dir))
    assert crawls.crawl(shown) == [SAME] * 7
    assert (len(articles(crawls.data_dir)), len(held(crawls))) == (lines, 7)


def test_new_number_in_a_later_crawl_is_a_new_article(crawls: PlayCrawls) -> None:
    first, second = (ADDRESSES["ref"].format(number) for number in (1, 2))
    crawls.crawl({first: story(0, first)})
    assert crawls.crawl({first: story(0, first), second: story(1, second)}) == [SAME, NEW]
    assert len(held(crawls)) == 2


def test_mark_that_tells_nothing_apart_costs_a_few_pages_only(crawls: PlayCrawls) -> None:
    plain = [f"{HOME}/news/{number}" for number in range(20)]
    shown = {url: article(url, sentences(url)) for url in plain}
    shown |= {f"{url}?ref=home": article(f"{url}?ref=home", sentences(url)) for url in plain}
    outcomes = crawls.crawl(shown)
    assert (outcomes.count(NEW), outcomes.count(COPY)) == (20, PROBES)
    assert {line.url for line in held(crawls).values()} == set(plain)
    assert crawls.report().listed == 20 + PROBES
    shown |= {f"{url}?ref=feed": article(f"{url}?ref=feed", sentences(url)) for url in plain}
    outcomes = crawls.crawl(shown)
    assert (outcomes.count(SAME), outcomes.count(COPY)) == (20, PROBES + 1)  # those that are known changed in the list
    assert len(held(crawls)) == 20


def test_pages_that_were_held_back_are_fetched_once_the_mark_is_known_to_count(crawls: PlayCrawls) -> None:
    plain = {f"{HOME}/story": article(f"{HOME}/story", sentences("plain"))}
    shown = {ADDRESSES["spm"].format(number): story(number, ADDRESSES["spm"].format(number)) for number in range(8)}
    assert crawls.crawl(plain | shown) == [NEW] * 9
    assert len(held(crawls)) == 9


def test_article_that_is_redirected_to_a_new_address_stays_itself(crawls: PlayCrawls) -> None:
    old, new = f"{HOME}/news/old", f"{HOME}/news/new"
    crawls.crawl({old: article(old, sentences("a"))})
    assert crawls.crawl({old: article(new, sentences("a"))}, redirects={old: new}) == [SAME]
    (one,) = held(crawls).values()
    assert (one.article_id, one.url, one.revision) == (article_id(old), new, 1)
    both = {url: article(new, sentences("a")) for url in (old, new)}
    assert crawls.crawl(both, redirects={old: new}) == [SAME, COPY]
    edited = f"{sentences('a')} Twelve died."
    assert crawls.crawl({new: article(new, edited)}) == [Outcome.CHANGED]
    (one,) = held(crawls).values()
    assert (one.article_id, one.url, one.revision) == (article_id(old), new, 2)


def test_redirect_to_another_story_is_no_move(crawls: PlayCrawls) -> None:
    old, new = f"{HOME}/news/old", f"{HOME}/news/new"
    crawls.crawl({old: article(old, sentences("a"))})
    assert crawls.crawl({old: article(new, sentences("b"))}, redirects={old: new}) == [NEW]
    assert set(held(crawls)) == {article_id(new)}
