"""Which lines of a page change by themselves."""

import time

import pytest

from scraper.crawling.volatile_text import steady_text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Updated 5 minutes ago"),
        ("en", "2 hrs ago"),
        ("en", "An hour ago"),
        ("en", "Updated yesterday"),
        ("en", "214 people have read this story"),
        ("en", "9,871 people have read this story."),
        ("en", "Read by 1,204"),
        ("en", "12K views"),
        ("en", "Views: 1,204 | 3 comments"),
        ("en", "Be the first to comment"),
        ("en", "Last updated: 5 March 2025, 14:32 CET"),
        ("de", "Vor 5 Minuten aktualisiert"),
        ("de", "Aktualisiert vor 5 Min."),
        ("de", "Stand: 05.03.2025, 14:32 Uhr"),
        ("de", "1.204 Leser"),
        ("nb", "For 2 timer siden"),
        ("nb", "Sist oppdatert 5. mars 2025 kl. 14.32"),
        ("fr", "Mis \u00e0 jour il y a 2 heures"),
        ("es", "Le\u00eddo 214 veces"),
        ("pl", "5 minut temu"),
        ("ru", "5 \u043c\u0438\u043d\u0443\u0442 \u043d\u0430\u0437\u0430\u0434"),
        ("ja", "\u66f4\u65b0: 5\u5206\u524d"),
        ("zh", "\u9605\u8bfb 1204"),
    ],
)
def test_line_that_changes_by_itself_is_left_out(language: str, text: str) -> None:
    assert steady_text(f"The wall is rebuilt.\n\n{text}", language=language) == "The wall is rebuilt."


@pytest.mark.parametrize(
    "text",
    [
        "12 people died in the fire",
        "Smith 4,120 votes",
        "Arsenal 2:0 Chelsea",
        "The strike began 2 hours ago.",
        "Shares of the port company 312 crowns",
        "Updated 2025 budget shows a wider deficit for the town",
        "The paper was read by 12 members of the council on Monday and then thrown away",
        "The rebuilt wall will cost 4.2 million crowns, and 12 boats have to move before May",
    ],
)
def test_what_the_story_says_stays(text: str) -> None:
    assert steady_text(text, language="en") == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("By Una Skarre \u00b7 2 hours ago", "By Una Skarre"),
        ("It was over in May. Updated 1 day ago", "It was over in May."),
        ("It was over in May. 214 people have read this story", "It was over in May."),
    ],
)
def test_what_stands_beside_it_stays(text: str, left: str) -> None:
    assert steady_text(text, language="en") == left


@pytest.mark.parametrize(
    "text", ["read " * 5000, "1 " * 5000, "1 view " * 22, "Updated " + "9 " * 70, "read 1 a " * 19]
)
def test_hostile_lines_take_no_time(text: str) -> None:
    steady_text("1 view")
    begun = time.perf_counter()
    steady_text("\n".join([text] * 20))
    assert time.perf_counter() - begun < 5
