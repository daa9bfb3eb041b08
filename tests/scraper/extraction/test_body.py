"""Lists and tables of a page as paragraphs."""

import time

import pytest

from scraper.extraction.body import read_body, tidy_paragraphs, told_once
from scraper.extraction.page import parse_page

STORY = [f"Paragraph {n} tells what the engineers of the council of Harwick found out in week {n}." for n in range(4)]


def paragraphs(fragment: str) -> list[str]:
    story = "".join(f"<p>{text}</p>" for text in STORY)
    html = f"<html><body><article><h1>Old bridge</h1>{story}{fragment}<p>The mayor said so.</p></article></body></html>"
    page = parse_page(html.encode(), url="https://www.post.test/a/1")
    return read_body(page, headline="Old bridge").split("\n\n")[len(STORY) : -1]


@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        ("<ul><li>Deaths: 12<ul><li>30 injured</li></ul></li></ul>", ["Deaths: 12", "30 injured"]),
        (
            "<ul><li><p>Costs rose by 12</p><p>4 of them closed.</p></li></ul>",
            ["Costs rose by 12", "4 of them closed."],
        ),
        ("<ul><li>The <b>old</b> bridge</li></ul>", ["The old bridge"]),
        (
            "<table><tr><td><p>Liberal</p><p>Democrats</p></td><td>4</td></tr>"
            "<tr><td>ARSENAL</td><td>2</td><td>2</td></tr></table>",
            ["Liberal Democrats; 4", "ARSENAL; 2; 2"],
        ),
        (
            f"<table><tr><td><p>{'The bridge is old. ' * 12}</p><p>So is the port.</p></td><td>Map</td></tr></table>",
            [("The bridge is old. " * 12).strip(), "So is the port.", "Map"],
        ),
    ],
)
def test_texts_of_different_blocks_are_not_run_together(fragment: str, expected: list[str]) -> None:
    assert paragraphs(fragment) == expected


def test_only_a_longer_paragraph_is_dropped_where_it_repeats_the_one_before() -> None:
    lines = [STORY[0], STORY[0], "12 dead", "12 dead"]
    assert tidy_paragraphs(lines, headings=[], authors=()) == [STORY[0], "12 dead", "12 dead"]


def test_story_told_twice_is_told_once_however_parted() -> None:
    first, second, third = STORY[:3]
    assert told_once([first, second, third, f"{first} {second}", third]) == [first, second, third]


def test_page_of_many_equal_lines_takes_no_longer_than_its_length() -> None:
    lines = [f"Goal in minute {n}" for n in range(20_000)]
    start = time.process_time()
    assert len(told_once(lines)) == len(lines)
    assert time.process_time() - start < 4


def test_headline_whose_parts_come_out_glued_is_no_paragraph() -> None:
    assert (
        tidy_paragraphs(["TrafficOld bridge closed", *STORY], headings=["Traffic Old bridge closed"], authors=())
        == STORY
    )
