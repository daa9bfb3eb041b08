"""Times of publication as sites write them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from scraper.extraction.page import Page, parse_page
from scraper.extraction.times import parse_time, read_published

LOCAL = timezone(timedelta(hours=2))
NOW = datetime(2025, 1, 1, tzinfo=UTC)


def page(body: str) -> Page:
    return parse_page(f"<html><body>{body}</body></html>".encode(), url="https://www.post.test/a/1")


@pytest.mark.parametrize("country", [None, "GB", "US"])
@pytest.mark.parametrize(
    "text",
    [
        "2024/03/05 9:40 p.m.",
        "2024-03-05 9:40 p.m.",
        "2024-03-05 21:40:00.0",
        "2024-03-05 21:40:00.000 +0200",
        "2024-03-05T19:40:00.000 Z",
        "2024.03.05 21:40",
        "2024.03.05. 21:40",
        "2024. 03. 05 21:40",
        "2024. 3. 5. 21:40",
        "20240305T194000Z",
        "20240305T214000+0200",
    ],
)
def test_after_the_year_comes_the_month_whatever_dots_the_text_has(text, country):
    assert parse_time(text, zone=LOCAL, country=country) == datetime(2024, 3, 5, 19, 40, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["05.03.2024 21:40", "5. 3. 2024 21:40", "05.03.24 21:40", "05.03.2024-21:40", "05.03.2024 - 9:40 p.m."]
)
def test_before_the_year_a_date_with_dots_begins_with_the_day(text):
    assert parse_time(text, zone=LOCAL) == datetime(2024, 3, 5, 19, 40, tzinfo=UTC)


PUBLISHED = datetime(2024, 3, 5, 19, 40, tzinfo=UTC)
STORY = '<time datetime="2024-03-05T21:40+02:00">5 March</time>'
CHANGE = "2024-03-09T08:00Z"
OTHER = '<time datetime="2024-04-01T08:00Z">1 April</time>'


@pytest.mark.parametrize(
    "body",
    [
        f'<time itemprop="dateModified" datetime="{CHANGE}">9 March</time>{STORY}<h1>Rain</h1>',
        f'<h1>Rain</h1><time class="updated" datetime="{CHANGE}">9 March</time>{STORY}',
        f'<h1>Rain</h1>{OTHER}<time itemprop="datePublished dateModified" datetime="2024-03-05T19:40Z"/>',
        f'<h1>Rain</h1>{OTHER}<span itemprop="datePublished" content="2024-03-05T21:40+02:00">5 March</span>',
        f"<div>{OTHER}<a>Snow</a></div><main><header>{STORY}<h1>Rain</h1></header>{OTHER}</main>",
        f"<h1>The Post</h1>{OTHER}<article><h1>Rain</h1>{STORY}</article>",
        f"{STORY}<h1>Rain</h1>{OTHER}",
    ],
)
def test_time_of_another_story_or_of_a_change_is_not_that_of_publication(body):
    assert read_published(page(body), zone=UTC, now=NOW) == PUBLISHED


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("4 \u0e21\u0e35.\u0e04. 68", "th"),
        ("2568-03-04", "th"),
        ("2568-03-04T00:00:00+00:00", None),
        ("1403/12/14", "fa"),
    ],
)
def test_year_of_another_calendar_is_read(text: str, language: str | None) -> None:
    assert parse_time(text, zone=UTC, language=language) == datetime(2025, 3, 4, tzinfo=UTC)


def test_clock_behind_a_bar_belongs_to_the_day_before_it() -> None:
    html = "<article><h1>Bridge closes</h1><div class='line'>Do 25.04.24 | 14:07 Uhr | Von Ada Finch</div><p>Text.</p></article>"
    page = parse_page(html.encode(), url="https://post.test/a")
    found = read_published(page, zone=UTC, now=datetime(2025, 1, 1, tzinfo=UTC))
    assert found == datetime(2024, 4, 25, 14, 7, tzinfo=UTC)


@pytest.mark.parametrize(("country", "hour"), [("US", 16), ("MY", 1), (None, 16)])
def test_zone_of_one_name_in_two_countries_is_that_of_the_publishers(country: str | None, hour: int) -> None:
    found = parse_time("5 March 2025 09:30 MST", zone=UTC, country=country)
    assert found is not None
    assert (found.hour, found.minute) == (hour, 30)
