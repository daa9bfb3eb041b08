"""Times of publication as sites write them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from scraper.extraction.times import parse_time

LOCAL = timezone(timedelta(hours=2))


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
