"""A crawl of stories on several pages."""

from pathlib import Path

from scraper.crawling.reextract import reextract
from tests.scraper.crawling.playsite import PlaySite, article_page, articles, publisher, run, sentences

HEADLINE = "A story in several parts"


def add_pages(site: PlaySite, count: int, *, last: str = "") -> list[str]:
    texts = [sentences(f"part {number} {last if number == count else ''}", 2) for number in range(1, count + 1)]
    for number, text in enumerate(texts, 1):
        path = "/news/story" if number == 1 else f"/news/story?page={number}"
        link = f'<link rel="next" href="/news/story?page={number + 1}"></head>'
        page = article_page("/news/story", text, headline=HEADLINE)
        site.add(path, page.replace("</head>", link) if number < count else page)
    return texts


def test_story_on_three_pages_is_one_article(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/story")
    texts = add_pages(site, 3)
    report = run(site, tmp_path)
    assert (report.new, report.fetched, report.requests) == (1, 1, 5)
    assert [article.body for article in articles(tmp_path)] == ["\n\n".join(texts)]
    assert run(site, tmp_path).unchanged == 1
    assert reextract(publisher(), data_dir=tmp_path).unchanged == 1
    add_pages(site, 3, last="changed")
    assert run(site, tmp_path).changed == 1


def test_story_without_end_is_bounded(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/story")
    texts = add_pages(site, 15)
    run(site, tmp_path)
    assert articles(tmp_path)[0].body == "\n\n".join(texts[:10])


def test_page_that_robots_forbid_or_is_missing_ends_the_story(site: PlaySite, tmp_path: Path) -> None:
    site.add("/robots.txt", "User-agent: *\nDisallow: /*page=3\n")
    site.add_sitemap("/news/story")
    texts = add_pages(site, 4)
    assert run(site, tmp_path).new == 1
    assert articles(tmp_path)[0].body == "\n\n".join(texts[:2])
    assert site.count("/news/story?page=3") == 0
