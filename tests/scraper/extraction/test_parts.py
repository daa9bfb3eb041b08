from datetime import UTC, datetime, timedelta, timezone

import pytest

from scraper.extraction.agency import read_agency
from scraper.extraction.authors import read_authors, tidy_names
from scraper.extraction.correction import has_correction
from scraper.extraction.headline import read_headline
from scraper.extraction.links import read_canonical
from scraper.extraction.page import Page, parse_page
from scraper.extraction.phrases import is_boilerplate, is_tail, is_top_line
from scraper.extraction.times import parse_time, read_modified, read_published

NOW = datetime(2025, 1, 1, tzinfo=UTC)
URL = "https://www.post.test/a/1"


def page(head: str = "", body: str = "<p>x</p>", url: str = URL) -> Page:
    return parse_page(f"<html><head>{head}</head><body>{body}</body></html>".encode(), url=url)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-03-05T21:40:00+01:00", datetime(2024, 3, 5, 20, 40, tzinfo=UTC)),
        ("2024-03-05", datetime(2024, 3, 5, tzinfo=UTC)),
        ("March 5, 2024", datetime(2024, 3, 5, tzinfo=UTC)),
        ("2024-03-05 21:40", datetime(2024, 3, 5, 19, 40, tzinfo=UTC)),
        ("Tue, 05 Mar 2024 21:40:00 GMT", datetime(2024, 3, 5, 21, 40, tzinfo=UTC)),
        ("1709674800", datetime(2024, 3, 5, 21, 40, tzinfo=UTC)),
        ("1709674800000", datetime(2024, 3, 5, 21, 40, tzinfo=UTC)),
        ("2024-03-05T14:40:00 EST", datetime(2024, 3, 5, 19, 40, tzinfo=UTC)),
        (
            "Tue Mar 05 2024 22:40:00 GMT+0100 (Central European Standard Time)",
            datetime(2024, 3, 5, 21, 40, tzinfo=UTC),
        ),
        ("Tue, 05 Mar 2024 16:40:00 GMT-0500", datetime(2024, 3, 5, 21, 40, tzinfo=UTC)),
        ("2024-03-06 05:40 UTC+8", datetime(2024, 3, 5, 21, 40, tzinfo=UTC)),
        ("no time at all", None),
        ("2019", None),
        ("2020-05", None),
        ("May 2020", None),
        ("21:40", None),
        ("9" * 50, None),
        ("\u00b2" * 10, None),
    ],
)
def test_times_are_read_in_utc(text, expected):
    assert parse_time(text, zone=timezone(timedelta(hours=2))) == expected


@pytest.mark.parametrize(
    ("text", "country", "expected"),
    [
        ("05/03/2024 10:30", "GB", datetime(2024, 3, 5, 10, 30, tzinfo=UTC)),
        ("05-03-2024 10:30", "SG", datetime(2024, 3, 5, 10, 30, tzinfo=UTC)),
        ("05/03/2024 10:30", "US", datetime(2024, 5, 3, 10, 30, tzinfo=UTC)),
        ("05/03/2024 10:30", "CA", None),
        ("05/03/2024 10:30", None, None),
        ("13/03/2024", None, datetime(2024, 3, 13, tzinfo=UTC)),
        ("03/13/2024", "GB", datetime(2024, 3, 13, tzinfo=UTC)),
        ("05/05/2024", None, datetime(2024, 5, 5, tzinfo=UTC)),
        ("05.03.2024 10:30", None, datetime(2024, 3, 5, 10, 30, tzinfo=UTC)),
        ("2024/03/05 10:30", "GB", datetime(2024, 3, 5, 10, 30, tzinfo=UTC)),
    ],
)
def test_day_and_month_in_figures_stand_in_the_order_of_the_country(text, country, expected):
    assert parse_time(text, zone=UTC, country=country) == expected


def test_day_in_doubt_gives_way_to_a_source_that_is_sure():
    head = '<meta property="article:published_time" content="05/03/2024"><meta name="date" content="2024-03-05">'
    assert read_published(page(head), zone=UTC, now=NOW) == datetime(2024, 3, 5, tzinfo=UTC)


@pytest.mark.parametrize("country", [None, "CA", "US", "GB"])
@pytest.mark.parametrize("shown", [
    "<script type='application/ld+json'>{'@type': 'NewsArticle', 'datePublished': '5/1/2024 9:15 PM'}</script>",
    "<p>Published 5/1/2024</p>", "<p>Published 05-01-2024 by us</p>", "<p class='date' title='05/01/24'>x</p>",
])  # fmt: skip
def test_day_in_doubt_is_not_guessed_from_the_rest_of_the_page(shown, country):
    head, body = (shown.replace("'", '"'), "<p>x</p>") if shown.startswith("<script") else ("", shown)
    found = read_published(page(head, body), zone=UTC, now=NOW, country=country)
    days = {"US": datetime(2024, 5, 1).date(), "GB": datetime(2024, 1, 5).date()}
    assert (found and found.date()) == days.get(country)


def test_zone_of_another_stamp_on_the_page_is_borrowed():
    head = (
        '<meta property="article:published_time" content="2024-03-05 21:40">'
        '<meta name="date" content="2024-03-06T08:00+08:00">'
    )
    assert read_published(page(head), zone=UTC, now=NOW) == datetime(2024, 3, 5, 13, 40, tzinfo=UTC)


def test_time_of_a_change_borrows_the_zone_of_the_publication():
    head = (
        '<meta property="article:published_time" content="2024-03-05T21:00-05:00">'
        '<meta property="article:modified_time" content="2024-03-05 21:40">'
    )
    published = read_published(page(head), zone=UTC, now=NOW)
    modified = read_modified(page(head), zone=UTC, now=NOW, published=published)
    assert modified == datetime(2024, 3, 6, 2, 40, tzinfo=UTC)


def test_time_in_the_future_is_not_believed():
    head = (
        '<meta property="article:published_time" content="2031-01-01T00:00:00Z">'
        '<meta name="date" content="2024-03-05T10:00Z">'
    )
    assert read_published(page(head), zone=UTC, now=NOW) == datetime(2024, 3, 5, 10, tzinfo=UTC)


def test_change_before_publication_is_not_believed():
    head = '<meta property="article:modified_time" content="2024-03-04T00:00:00Z">'
    assert read_modified(page(head), zone=UTC, now=NOW, published=datetime(2024, 3, 5, tzinfo=UTC)) is None
    assert read_modified(page(head), zone=UTC, now=NOW, published=None) == datetime(2024, 3, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (
            '<meta property="og:title" content="Rain | The Post"><meta property="og:site_name" content="The Post">',
            "Rain",
        ),
        ('<meta property="og:title" content="Rain - again - in May">', "Rain - again - in May"),
        ("<title>Rain &amp; wind</title>", "Rain & wind"),
        ('<meta property="og:title" content="Rain &lt; 2 mm, wind &gt; 9 m/s">', "Rain < 2 mm, wind > 9 m/s"),
        ('<meta property="og:title" content="Rain &lt;b class=x&gt;again&lt;/b&gt;">', "Rain again"),
        ("", ""),
    ],
)
def test_headline_loses_the_name_of_the_site_only(head, expected):
    assert read_headline(page(head)) == expected


@pytest.mark.parametrize(
    ("title", "headings", "expected"),
    [
        ("Rain floods port | The Post", ["The Post", "Rain floods port"], "Rain floods port"),
        ("", ["Post", "Rain floods port"], "Rain floods port"),
        ("Weather", ["Rain floods port", "More weather"], "Rain floods port"),
        ("", ["* * *", "Post"], "* * *"),
    ],
)
def test_of_several_headings_the_storys_own_is_taken(title, headings, expected):
    shown = "".join(f"<h1>{heading}</h1>" for heading in headings)
    assert read_headline(page(f"<title>{title}</title>", shown)) == expected


def test_year_of_a_copyright_line_is_no_date():
    story = "<p>The council voted to close the bridge.</p>"
    assert read_published(page(body=f"{story}<p>© 2024 The Post</p>"), zone=UTC, now=NOW) is None
    shown = read_published(page(body=f"<p>Published March 5, 2024</p>{story}<p>© 2024</p>"), zone=UTC, now=NOW)
    assert shown == datetime(2024, 3, 5, tzinfo=UTC)


def test_year_or_month_gives_way_to_a_source_that_names_the_day():
    head = '<meta property="article:published_time" content="May 2020"><meta name="date" content="2020-05-17">'
    assert read_published(page(head), zone=UTC, now=NOW) == datetime(2020, 5, 17, tzinfo=UTC)


def test_names_are_split_and_cleaned():
    names = ["By Ann Lee, Bo Ek and AFP", "Ann Lee", "https://post.test/ann"]
    assert tidy_names(names, split=True) == ("Ann Lee", "Bo Ek", "AFP")
    assert tidy_names(["Jo Doe (jod)"], split=False) == ("Jo Doe",)


def test_house_as_author_gives_way_to_the_visible_byline():
    head = '<meta property="og:site_name" content="The Post"><meta name="author" content="The Post">'
    assert read_authors(page(head, '<p class="byline">By Ann Lee</p>')) == ("Ann Lee",)
    assert read_authors(page(head)) == ("The Post",)


def test_given_and_family_name_are_joined():
    head = (
        '<script type="application/ld+json">{"@type":"NewsArticle","headline":"x","author":'
        '[{"@type":"Person","givenName":"Ann","familyName":"Lee"}]}</script>'
    )
    assert read_authors(page(head)) == ("Ann Lee",)


@pytest.mark.parametrize(
    ("canonical", "expected"),
    [
        ("/a/1-title", "https://www.post.test/a/1-title"),
        ("https://post.test/a/1-title", "https://post.test/a/1-title"),
        ("https://elsewhere.test/a/1", URL),
        ("https://www.post.test/", URL),
        ("javascript:alert(1)", URL),
        ("https://elsewhere.test@www.post.test/a/1", URL),
        ("http://[broken", URL),
        ("https://www.post.test:undefined/a/1", URL),
        ("https://www.post.test:99999/a/1", URL),
    ],
)
def test_page_may_name_only_its_own_site(canonical, expected):
    found = read_canonical(page(f'<link rel="canonical" href="{canonical}">'), trusted_hosts=frozenset())
    assert found == expected


@pytest.mark.parametrize(
    "head",
    [
        '<link rel="Canonical" href="/a/rain">',
        '<base href="/a/"><link rel="canonical" href="rain">',
        '<base href="http://[broken"><link rel="canonical" href="rain">',
    ],
)
def test_canonical_link_is_read_as_browsers_read_it(head):
    assert read_canonical(page(head), trusted_hosts=frozenset()) == "https://www.post.test/a/rain"


def test_page_may_name_its_international_site_in_either_form():
    own = "https://\u043f\u043e\u0441\u0442.\u0440\u0444/a"
    fetched = page(f'<link rel="canonical" href="{own}">', url="https://xn--n1abhe.xn--p1ai/a?x=1")
    assert read_canonical(fetched, trusted_hosts=frozenset()) == own


def test_article_that_a_page_writes_about_is_not_its_own():
    review = (
        '{"@type":"ClaimReview","itemReviewed":{"@type":"Claim","appearance":{"@type":"NewsArticle",'
        '"headline":"The moon is cheese","author":"Tom Teller","datePublished":"2024-01-02"}}}'
    )
    shown = '<meta name="author" content="Ann Lee"><meta name="date" content="2024-03-05">'
    checked = page(f'{shown}<script type="application/ld+json">{review}</script>', "<h1>No, the moon is rock</h1>")
    assert read_headline(checked) == "No, the moon is rock"
    assert read_authors(checked) == ("Ann Lee",)
    assert read_published(checked, zone=UTC, now=NOW) == datetime(2024, 3, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    "own",
    [
        f'"url":"{URL}"',
        f'"mainEntityOfPage":"{URL}?utm_source=x"',
        f'"mainEntityOfPage":{{"@type":"WebPage","@id":"{URL}/"}}',
        f'"@id":"{URL}#article"',
    ],
)
def test_of_several_articles_in_the_data_the_one_with_the_pages_address_is_its_own(own):
    other = '{"@type":"NewsArticle","headline":"Snow","url":"https://www.post.test/a/2","datePublished":"2024-01-02"}'
    story = f'{{"@type":"NewsArticle","headline":"Rain floods port","datePublished":"2024-03-05",{own}}}'
    shown = page(f'<script type="application/ld+json">[{other},{story}]</script>', "<h1>Port is under water</h1>")
    assert read_headline(shown) == "Rain floods port"
    assert read_published(shown, zone=UTC, now=NOW) == datetime(2024, 3, 5, tzinfo=UTC)


def test_publishers_home_may_be_named():
    found = read_canonical(
        page('<link rel="canonical" href="https://www.home.test/a">', url="http://127.0.0.1:8000/a"),
        trusted_hosts=frozenset({"home.test"}),
    )
    assert found == "https://www.home.test/a"


@pytest.mark.parametrize(
    ("authors", "body", "expected"),
    [
        (("Ann Lee", "Reuters"), "Text.", "Reuters"),
        (("The Associated Press",), "Text.", "AP"),
        (("Agence France-Presse",), "Text.", "AFP"),
        ((), "KUALA LUMPUR, March 5 (Bernama) -- The minister said.", "Bernama"),
        ((), "BEIJING, March 5 (Xinhua) -- The minister said.", "Xinhua"),
        ((), "LONDON (Reuters) - Prices rose.", "Reuters"),
        ((), "Prices rose.\n\nThe bank was silent. — AFP", "AFP"),
        ((), "Prices rose.\n\nWith files from The Associated Press", "AP"),
        ((), "The bank (AP) Moeller is Danish.", "AP"),
        ((), "A spokesman told Reuters that prices rose.", None),
        ((), "He ran in the PA system room.\n\nTT races are dangerous.", None),
    ],
)
def test_agency_is_read_from_credits_not_from_mentions(authors, body, expected):
    assert read_agency(page(), authors=authors, body=body) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Correction: The bridge has five piers, not four.", True),
        ("An earlier version of this article misstated the cost.", True),
        ("Editor's note: This story has been updated to correct the name.", True),
        ("Editor's note: the figure was corrected.", True),
        ("This article has been amended.", True),
        ("The story has since been corrected.", True),
        ("Clarification, 3 May: it was two.", True),
        ("We apologise for the error.", True),
        ("The ministry issued a correction to its figures on Monday.", False),
        ("The report was amended by the committee.", False),
        ("Correctional officers opened the gate: nobody came.", False),
        ("Markets saw a correction of five per cent today.", False),
        ("This article is about bridges.", False),
    ],
)
def test_correction_notices_are_told_from_news_about_corrections(text, expected):
    assert has_correction(page(), body=f"First paragraph.\n\n{text}") is expected


@pytest.mark.parametrize(
    "text",
    [
        "Read more: Rain in May",
        "ALSO READ | Rain in May",
        "The mayor on rain. 21.04.2024 | 3:18 min",
        "Photo: J. Doe",
        "ADVERTISEMENT",
        "Sign up for our newsletter to get more.",
        ">> All about rain",
    ],
)
def test_pitches_are_furniture(text):
    assert is_boilerplate(text)


@pytest.mark.parametrize(
    "text",
    [
        "Read more slowly, the teacher said.",
        "More: that was all that he wanted.",
        "Read: this was the first command that the machine knew. Write was the second, and it came a year later.",
        "Advertisement revenue fell by a third.",
        "Popular music has changed.",
        "She ran the mile in 4:12 minutes.",
        "She ran the last lap alone, and set a new meeting record of 4:07 min.",
        "Source: the word is old, and nobody knows for sure where in the north it was spoken first.",
    ],
)
def test_sentences_are_no_furniture(text):
    assert not is_boilerplate(text)


@pytest.mark.parametrize(
    "text",
    [
        "Get all of it in your inbox.",
        "Follow us on X. Follow our coverage on WhatsApp.",
        "Follow Ann Lee on X.",
        "Copyright 2024 The Post",
        "Copyright The Post",
        "More to follow.",
        "The police are at the scene. More to follow ...",
        "Subscribe from just $5 a month.",
        "For $5 a month you keep our journalism free.",
    ],
)
def test_pitches_and_copyright_lines_are_tails(text):
    assert is_tail(text)


@pytest.mark.parametrize(
    "text",
    [
        "The company sells newsletters to doctors.",
        "Netflix now costs $17.99 a month for its standard subscription.",
        "A funeral will follow Friday on the island.",
        "Support payments rose to $500 a month, the ministry said.",
        "Copyright infringement carries a fine of up to $150,000 per work.",
        "There is more to follow from the inquiry, the judge said.",
    ],
)
def test_last_sentences_with_facts_are_no_tails(text):
    assert not is_tail(text)


def test_date_line_is_told_from_a_sentence():
    assert is_top_line("Updated: 5 March 2024, 21:40", authors=())
    assert is_top_line("By Ann Lee", authors=("Ann Lee",))
    assert not is_top_line("Mubarak was the president of Egypt until 2011.", authors=())
