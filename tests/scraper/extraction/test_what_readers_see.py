"""What a reader of the page sees is the article; what is hidden, withdrawn or another story's is not."""

from datetime import UTC, datetime

import pytest

from core.types import Article
from scraper.extraction.extract import extract

FETCHED = datetime(2025, 6, 2, 12, tzinfo=UTC)
STORY = (
    "The lake authority of Varnholt closed the northern sluice on Friday after a night of heavy rain over the valley.",
    "Engineers had measured a rise of 1.4 metres in six hours, more than the dam was built for in a whole day.",
    "Farmers below the dam were told to move their cattle, and forty families spent the night in the school hall.",
    "The sluice is to be opened again step by step once the river has fallen below the mark at the old mill.",
)
SECRET = "Editors only: the second photograph must not be used before Sunday, ask the desk for the new one."


def read(fragment: str = "", *, head: str = "", before: str = "", after: str = "") -> Article:
    story = "".join(f"<p>{text}</p>" for text in STORY[:2]) + fragment + "".join(f"<p>{text}</p>" for text in STORY[2:])
    page = (
        f"<html lang='en'><head><title>Sluice closed</title><meta property='og:type' content='article'>{head}</head><body>{before}<article><h1>Sluice closed at"
        f" Varnholt</h1>{story}</article>{after}</body></html>"
    )
    found = extract(page.encode(), headers={}, url="https://valley.example/news/sluice", fetched_at=FETCHED)
    assert isinstance(found, Article), found
    return found


@pytest.mark.parametrize(
    "fragment",
    [
        f"<div hidden><p>{SECRET}</p></div>",
        f"<p style='color:red; DISPLAY : none'>{SECRET}</p>",
        f"<div aria-hidden='true'><p>{SECRET}</p></div>",
        f"<p style='visibility:hidden'>{SECRET}</p>",
        f"<div style='height:0; overflow:hidden'><p>{SECRET}</p></div>",
        f"<style>.fold {{ overflow: hidden; max-height: 0px }}</style><div class='fold'><p>{SECRET}</p></div>",
        f"<dialog><p>{SECRET}</p></dialog>",
        f"<p><del>{SECRET}</del></p>",
        f"<p><s>{SECRET}</s></p>",
        f"<p style='text-decoration: line-through'>{SECRET}</p>",
    ],
)
def test_hidden_and_withdrawn_text_is_no_part_of_the_article(fragment: str) -> None:
    body = read(fragment).body
    assert "Editors only" not in body
    assert all(text in body for text in STORY)


def test_what_a_reader_can_open_is_part_of_the_article() -> None:
    assert "ask the desk" in read(f"<details><summary>More</summary><p>{SECRET}</p></details>").body


@pytest.mark.parametrize(("mark", "wrong"), [("10<sup>6</sup>", "106"), ("in 1874<sup>2</sup>", "18742")])
def test_raised_figures_do_not_melt_into_numbers(mark: str, wrong: str) -> None:
    body = read(
        f"<p>The chance of such a flood had been put at one to {mark}, wrote the engineer in her diary.</p>"
    ).body
    assert "wrote the engineer" in body
    assert wrong not in body


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ('"2025-05-30T07:15:00+02:00[Europe/Vienna]"', "2025-05-30T05:15"),
        ("1748582100", "2025-05-30T05:15"),
        ("1748582100000", "2025-05-30T05:15"),
    ],
)
def test_times_written_by_machines_keep_their_minute(stated: str, expected: str) -> None:
    node = f'{{"@type": "NewsArticle", "headline": "Sluice closed at Varnholt", "datePublished": {stated}}}'
    found = read(head=f"<script type='application/ld+json'>{node}</script>").published_at
    assert found is not None
    assert found.isoformat().startswith(expected)


def test_a_related_story_that_comes_first_gives_no_field() -> None:
    other = '{"@type":"NewsArticle","url":"/news/ferry","headline":"Ferry sold","datePublished":"2024-01-01T10:00:00Z","author":{"name":"Jon Aske"}}'
    own = '{"@type":"NewsArticle","url":"/news/sluice","headline":"At Varnholt the sluice is shut","datePublished":"2025-05-30T05:15:00Z","author":{"name":"Rita Moll"}}'
    found = read(head=f"<script type='application/ld+json'>[{other},{own}]</script>")
    assert found.published_at == datetime(2025, 5, 30, 5, 15, tzinfo=UTC)
    assert found.authors == ("Rita Moll",)


def test_a_day_that_the_story_tells_of_is_not_its_date() -> None:
    assert (
        read("<p>The last flood of that size was on 14 March 1998, when the bridge at Ombra was lost.</p>").published_at
        is None
    )


def test_a_change_is_not_the_publication() -> None:
    found = read(head="<meta property='article:modified_time' content='2025-05-31T08:00:00Z'>")
    assert (found.published_at, found.modified_at) == (None, datetime(2025, 5, 31, 8, tzinfo=UTC))


@pytest.mark.parametrize(
    ("byline", "expected"),
    [
        ("Rita Moll och Jon Aske", ("Rita Moll", "Jon Aske")),
        ("Rita Moll,Jon Aske", ("Rita Moll", "Jon Aske")),
        ("Jon Aske, Sr.", ("Jon Aske, Sr.",)),
    ],
)
def test_authors_are_persons_one_by_one(byline: str, expected: tuple[str, ...]) -> None:
    assert read(head=f"<meta name='author' content='{byline}'>").authors == expected


def test_a_list_in_a_short_story_stays_in_its_place() -> None:
    body = read("<ul><li>Rain: 92 mm</li><li>Families moved: 40</li></ul>").body
    assert body.index("Rain: 92 mm") < body.index("Families moved: 40") < body.index(STORY[2])


@pytest.mark.parametrize(
    "fragment",
    [
        "<aside><a href='/b'>Subscriber-only: Bakery opens in the old school</a></aside>",
        "<div class='related'><h3>Bakery opens</h3><p>This article is for subscribers only.</p></div>",
        "<article><h3>Bakery opens</h3><p>Subscribe to continue reading.</p></article>",
    ],
)
def test_wall_before_another_story_is_none(fragment: str) -> None:
    story = "".join(f"<p>{text}</p>" for text in STORY[:3])
    html = f"<meta property='og:type' content='article'><article><h1>Harwick closes its bridge</h1>{story}{fragment}</article>"
    outcome = extract(
        html.encode(), headers={}, url="https://post.test/a/1", fetched_at=datetime(2025, 5, 1, tzinfo=UTC)
    )
    assert isinstance(outcome, Article), outcome


def test_note_that_is_linked_without_being_raised_is_dropped() -> None:
    assert (
        "15 per cent"
        in read("<p>It rose by 15<a class='footnote' href='#fn2'>2</a> per cent, the council said.</p>").body
    )


def test_blocks_in_a_headline_are_its_parts() -> None:
    html = f"<meta property='og:type' content='article'><article><h1><p>Bridge closes</p><p>for good</p></h1><p>{STORY[0]}</p></article>"
    outcome = extract(
        html.encode(), headers={}, url="https://post.test/a/1", fetched_at=datetime(2025, 5, 1, tzinfo=UTC)
    )
    assert isinstance(outcome, Article), outcome
    assert outcome.headline == "Bridge closes for good"
