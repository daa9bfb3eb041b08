"""Whom the groups of a robots.txt address."""

import pytest

from scraper.crawling.robots_text import MAX_BYTES, PRODUCT, parse_robots

PAGE = "https://www.post.test/a"


@pytest.mark.parametrize(
    ("name", "is_ours"),
    [
        ("Looksy", True),
        ("looksy/0.1.0", True),
        ("Looksy/0.1.0 (+https://desk.test)", True),
        ("Looksy  # too fast", True),
        ("Looksy-News", False),
        ("LooksyNews/1.0", False),
        ("Look", False),
        ("look", False),
        ("l", False),
        ("Looks  # no friend of ours", False),
        ("Looks/2.0", False),
    ],
)
def test_our_name_is_meant_with_or_without_a_version(name: str, is_ours: bool) -> None:
    rules = parse_robots(f"User-agent: *\r\nAllow: /\r\n\r\nUser-agent: {name}\r\nDisallow: /\r\n".encode())
    assert rules.can_fetch(PAGE, PRODUCT) is not is_ours


def test_group_for_the_beginning_of_our_name_does_not_hide_the_one_for_all() -> None:
    rules = parse_robots(b"User-agent: Look\nAllow: /\n\nUseragent: *\nDisallow: /\n\nUser agent look\nAllow: /\n")
    assert not rules.can_fetch(PAGE, PRODUCT)


@pytest.mark.parametrize("filler", [b"\n", b" ", b"user-agent:\t"])
def test_a_robots_file_of_fillers_takes_no_time(filler: bytes) -> None:
    assert parse_robots(filler * (MAX_BYTES // len(filler))).can_fetch(PAGE, PRODUCT)
