"""What a second crawl makes of edits, removals and variants of an address."""

from pathlib import Path

import pytest

from scraper.crawling.reextract import reextract
from tests.scraper.crawling.playsite import (
    HOME,
    Answer,
    Asked,
    PlaySite,
    article_page,
    articles,
    publisher,
    run,
    sentences,
    urlset,
)


def test_edit_is_a_new_revision_and_the_old_one_is_kept(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a", "/news/b")
    site.add_article("/news/a", sentences("first"))
    site.add_article("/news/b")
    run(site, tmp_path)
    edited = f"{sentences('second')}\n\nCorrection: an earlier version of this story named the wrong street."
    site.add_article("/news/a", edited)
    report = run(site, tmp_path)
    assert (report.changed, report.unchanged, report.new) == (1, 1, 0)
    old, new = [article for article in articles(tmp_path) if article.url == f"{HOME}/news/a"]
    assert (old.revision, old.correction) == (1, False)
    assert (new.revision, new.correction) == (2, True)
    assert old.article_id == new.article_id
    assert old.content_hash != new.content_hash
    assert new.first_seen_at > old.first_seen_at


@pytest.mark.parametrize(
    "lines",
    [
        ("Updated 5 minutes ago", "Updated 2 hours ago", "Updated 1 day ago"),
        ("214 people have read this story", "1,204 people have read this story", "9,871 people have read this story"),
        ("", "Be the first to comment", "3 comments"),
    ],
)
def test_lines_that_change_by_themselves_are_no_edit(site: PlaySite, tmp_path: Path, lines: tuple[str, ...]) -> None:
    site.add_sitemap("/news/a")
    for line in lines:
        site.add_article("/news/a", f"{sentences('first')}\n\n{line}", validators=False)
        report = run(site, tmp_path)
    assert (report.changed, report.unchanged, len(articles(tmp_path))) == (0, 1, 1)
    records = b"".join(file.read_bytes() for file in (tmp_path / "crawl" / "warc").rglob("*.gz"))
    assert records.count(b"\x1f\x8b\x08") == 1
    site.add_article("/news/a", f"{sentences('first')}\n\nTwelve died.\n\n{lines[0]}")
    assert run(site, tmp_path).changed == 1
    assert "Twelve died." in articles(tmp_path)[-1].body


@pytest.mark.parametrize("status", [404, 410])
def test_page_that_disappears_marks_its_article_and_one_that_returns_unmarks_it(
    site: PlaySite, tmp_path: Path, status: int
) -> None:
    site.add_sitemap("/news/a", "/news/b")
    site.add_article("/news/a")
    site.add_article("/news/b")
    run(site, tmp_path)
    page = site.routes["/news/a"]
    site.add("/news/a", "gone", status=status)
    assert run(site, tmp_path).gone == 1
    lines = [article for article in articles(tmp_path) if article.url == f"{HOME}/news/a"]
    assert [bool(article.gone_at) for article in lines] == [False, True]
    assert [article.revision for article in lines] == [1, 1]
    assert lines[0].body == lines[1].body
    site.routes["/news/a"] = page
    report = run(site, tmp_path)
    assert (report.returned, report.articles) == (1, 2)
    assert articles(tmp_path)[-1].gone_at is None


def test_status_203_brings_content(site: PlaySite, tmp_path: Path) -> None:
    site.add("/sitemap.xml", urlset("/news/a"), status=203)
    site.add("/news/a", article_page("/news/a"), status=203)
    report = run(site, tmp_path)
    assert (report.new, report.failed, report.warnings) == (1, {}, ())


def test_variants_of_an_address_are_one_article(site: PlaySite, tmp_path: Path) -> None:
    variants = [
        "/news/a", "/news/a/", "/news/a?utm_source=rss", "/news/a?from=home", "/news/a#top", "/news/a/amp",
        f"{HOME.replace('https', 'http')}/news/a", f"{HOME.replace('www.', '')}/news/a",
    ]  # fmt: skip
    site.add_sitemap(*variants, "/news/old-words-1234567", "/news/new-words-1234567", "/news/mirror")
    for path in ("/news/a", "/news/old-words-1234567", "/news/new-words-1234567"):
        site.add_article(path)
    site.add_article("/news/mirror", f"{sentences('/news/a')} {sentences('/news/ax')}", canonical=f"{HOME}/news/a")
    report = run(site, tmp_path, tracking_parameters=("from",), same_article=r"-(\d{7})$")
    assert report.new == 2
    assert report.duplicates == 1
    assert {article.url for article in articles(tmp_path)} <= {
        f"{HOME}/news/a", f"{HOME}/news/old-words-1234567", f"{HOME}/news/new-words-1234567",
    }  # fmt: skip
    assert site.count("/news/a") == 1


@pytest.mark.parametrize(("status", "recheck_after_hours"), [(301, 0), (404, 0), (301, 24), (404, 24)])
def test_article_that_is_renamed_is_its_own_next_revision(
    site: PlaySite, tmp_path: Path, status: int, recheck_after_hours: int
) -> None:
    same = {"same_article": r"-(\d{7})$", "recheck_after_hours": recheck_after_hours}
    site.add_sitemap("/news/bridge-40-dead-1234567")
    site.add_article("/news/bridge-40-dead-1234567")
    run(site, tmp_path, **same)
    site.add("/news/bridge-40-dead-1234567", "", status=status, Location="/news/bridge-12-dead-1234567")
    site.add_sitemap("/news/bridge-12-dead-1234567")
    site.add_article("/news/bridge-12-dead-1234567")
    run(site, tmp_path, **same)
    first, last = articles(tmp_path)[0], articles(tmp_path)[-1]
    assert {article.article_id for article in articles(tmp_path)} == {first.article_id}
    assert (last.revision, last.gone_at, last.url) == (2, None, f"{HOME}/news/bridge-12-dead-1234567")
    assert run(site, tmp_path, **same).articles == 1
    assert articles(tmp_path)[-1] == last
    assert recheck_after_hours == 0 or site.count("/news/bridge-40-dead-1234567") == 1


def test_page_that_is_renamed_while_it_is_asked_for_is_asked_for_again(site: PlaySite, tmp_path: Path) -> None:
    same = {"same_article": r"-(\d{7})$"}
    site.add_sitemap("/news/old-1234567")
    site.add_article("/news/old-1234567")
    run(site, tmp_path, **same)
    site.routes["/news/old-1234567"] = Answer(b"<h1>Not found</h1>", 404, delay_s=1.0)
    site.add_sitemap("/news/new-1234567")
    site.add_article("/news/new-1234567")
    assert run(site, tmp_path, **same).articles == 1
    assert articles(tmp_path)[-1].gone_at is None
    assert articles(tmp_path)[-1].url == f"{HOME}/news/new-1234567"


def test_article_is_fetched_from_its_own_address_once_that_is_known(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/old")
    site.add_article("/news/old")
    run(site, tmp_path)
    moved = sentences("moved")
    site.add("/news/old", "", status=301, Location="/news/new")
    site.add_article("/news/new", moved)
    site.add_sitemap("/news/old", "/news/new")
    second = run(site, tmp_path)
    assert (second.new, second.duplicates, second.articles) == (1, 1, 1)
    old, new, gone = articles(tmp_path)
    assert (gone.article_id, bool(gone.gone_at)) == (old.article_id, True) != (new.article_id, False)
    site.add("/news/old", "gone", status=404)
    site.add_article("/news/new", f"{moved} Twelve died.")
    third = run(site, tmp_path)
    assert (third.changed, third.articles) == (1, 1)
    last = articles(tmp_path)[-1]
    assert (last.article_id, last.revision, last.gone_at) == (new.article_id, 2, None)
    assert run(site, tmp_path).unchanged == 1


def test_article_is_gone_once_all_its_addresses_are(site: PlaySite, tmp_path: Path) -> None:
    text = sentences("a")
    site.add_sitemap("/news/a", "/news/mirror")
    site.add_article("/news/a", text)
    site.add_article("/news/mirror", text, canonical=f"{HOME}/news/a")
    assert run(site, tmp_path).duplicates == 1
    site.add("/news/a", "gone", status=404)
    site.add_article("/news/mirror", f"{text} Twelve died.", canonical=f"{HOME}/news/a")
    assert run(site, tmp_path).articles == 1
    last = articles(tmp_path)[-1]
    assert (last.revision, last.gone_at) == (2, None)
    site.add("/news/mirror", "gone", status=404)
    assert run(site, tmp_path).articles == 0
    assert articles(tmp_path)[-1].gone_at


def test_failed_page_is_tried_again_at_the_next_crawl(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a", "/news/b")
    site.add_article("/news/a")
    site.add("/news/b", "broken", status=500)
    first = run(site, tmp_path)
    assert (first.new, first.failed, first.complete) == (1, {"http_500": 1}, True)
    assert site.count("/news/b") == 3
    site.add_article("/news/b")
    assert run(site, tmp_path).new == 1


def test_page_that_becomes_worse_keeps_its_article(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a")
    site.add_article("/news/a", validators=False)
    run(site, tmp_path)
    site.add("/news/a", "<html><title>Error</title><body>Please try later.</body></html>")
    report = run(site, tmp_path)
    assert sum(report.rejected.values()) == 1
    assert report.articles == 1
    assert len(articles(tmp_path)) == 1


def test_rejected_page_that_has_not_changed_is_still_rejected_for_its_reason(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a")

    def answer(asked: Asked) -> Answer:
        known = asked.headers.get("if-none-match") == '"1"'
        headers = {"Content-Type": "text/html", "ETag": '"1"'}
        return Answer(b"" if known else b"<html><body><h1>Soon</h1></body></html>", 304 if known else 200, headers)

    site.routes["/news/a"] = answer
    first, second, third = (run(site, tmp_path) for _ in range(3))
    assert sum(first.rejected.values()) == 1
    assert second.rejected == third.rejected == first.rejected
    assert second.unchanged == third.unchanged == 0
    assert ["if-none-match" in asked.headers for asked in site.asked if asked.path == "/news/a"] == [False, True, True]


def test_answer_not_modified_to_what_was_never_read_is_a_failure(site: PlaySite, tmp_path: Path) -> None:
    site.add("/a.xml", "", status=304)
    site.add_sitemap("/news/a", "/news/b", path="/b.xml")
    site.add("/news/a", "", status=304)
    site.add_article("/news/b")
    first, second = (run(site, tmp_path, sitemaps=("/a.xml", "/b.xml")) for _ in range(2))
    assert (first.failed, first.new, first.unchanged) == ({"http_304": 1}, 1, 0)
    assert (second.failed, second.new, second.unchanged) == ({"http_304": 1}, 0, 1)
    assert [warning.endswith("/a.xml: HTTP status 304") for warning in first.warnings] == [True]


def test_page_that_is_served_unchanged_at_a_new_address_is_one_article(site: PlaySite, tmp_path: Path) -> None:
    page = article_page("/news/old", sentences("a"), canonical="")
    site.add_sitemap("/news/old")
    site.add("/news/old", page)
    run(site, tmp_path)
    site.add_sitemap("/news/old", "/2025/new")
    site.add("/news/old", "", status=301, Location="/2025/new")
    site.add("/2025/new", page)
    assert run(site, tmp_path).new == 0
    assert len({article.article_id for article in articles(tmp_path)}) == 1


def test_redirect_to_the_front_page_is_no_article(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a")
    site.add("/news/a", "", status=302, Location="/")
    site.add_article("/")
    report = run(site, tmp_path)
    assert report.rejected == {"soft_404": 1}


def test_range_and_keywords_hold_for_what_the_page_says(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/in", "/news/early", "/news/first-hours", "/news/off")
    site.add_article("/news/in", f"Talks in Singapore. {sentences('in')}", published="2022-06-01T00:00:00+08:00")
    site.add_article("/news/early", f"Talks in Singapore. {sentences('e')}", published="2021-12-31T15:59:00+00:00")
    site.add_article("/news/first-hours", f"Singapore. {sentences('f')}", published="2021-12-31T16:00:00+00:00")
    site.add_article("/news/off", published="2022-06-01T00:00:00+08:00")
    report = run(site, tmp_path, time_zone="Asia/Singapore", published_from="2022-01-01", keywords=("singapore",))
    assert {article.url.rsplit("/", 1)[1] for article in articles(tmp_path)} == {"in", "first-hours"}
    assert report.rejected == {"filtered": 2}


def test_articles_in_other_languages_are_left_out_and_counted(site: PlaySite, tmp_path: Path) -> None:
    english = "The council decided on Monday that the new bridge at the harbour will not open until the autumn. " * 3
    german = "Der Stadtrat hat am Montag beschlossen, dass die neue Brücke am Hafen erst im Herbst eröffnet wird. " * 3
    site.add_sitemap("/news/english", "/news/german")
    site.add_article("/news/english", english)
    site.add_article("/news/german", german)
    report = run(site, tmp_path, languages=("en", "fr"))
    assert (report.new, report.rejected) == (1, {"other_language": 1})
    assert [(article.url, article.language) for article in articles(tmp_path)] == [(f"{HOME}/news/english", "en")]
    assert run(site, tmp_path).new == 1


def test_known_page_is_left_alone_until_it_is_due(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a")
    site.add_article("/news/a")
    run(site, tmp_path, recheck_after_hours=24)
    report = run(site, tmp_path, recheck_after_hours=24)
    assert report.fetched == 0
    assert site.count("/news/a") == 1


def test_archived_pages_can_be_read_again_without_the_site(site: PlaySite, tmp_path: Path) -> None:
    site.add_sitemap("/news/a", "/news/b")
    site.add_article("/news/a")
    site.add_article("/news/b", f"<span class='house'>The harbour master agreed on Friday.</span> {sentences('b')}")
    run(site, tmp_path)
    site.close()
    same = reextract(publisher(), data_dir=tmp_path)
    assert (same.unchanged, same.changed, same.requests) == (2, 0, 0)
    pruned = reextract(publisher(prune_xpaths=("//span[@class='house']",)), data_dir=tmp_path)
    assert pruned.changed == 1
    last = articles(tmp_path)[-1]
    assert last.revision == 2
    assert "harbour master" not in last.body
    assert last.raw_ref


def test_record_that_was_damaged_costs_its_page_alone_and_one_that_was_lost_is_fetched(
    site: PlaySite, tmp_path: Path
) -> None:
    site.add_sitemap("/news/a", "/news/b")
    site.add_article("/news/a")
    site.add_article("/news/b")
    run(site, tmp_path)
    (archive,) = (tmp_path / "crawl" / "warc").rglob("*.warc.gz")
    content = archive.read_bytes()
    archive.write_bytes(content[:200] + bytes(200) + content[400:])
    report = reextract(publisher(), data_dir=tmp_path)
    assert (report.unchanged, report.changed, len(report.warnings)) == (1, 0, 1)
    archive.write_bytes(content[:-200])
    run(site, tmp_path)
    again = reextract(publisher(), data_dir=tmp_path)
    assert (again.unchanged, again.changed, again.warnings) == (2, 0, ())
