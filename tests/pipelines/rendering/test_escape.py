from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.text import visible
from pipelines.rendering.escape import html_text, markdown_answer, markdown_link, markdown_text, safe_url

MARKDOWN = MarkdownIt("gfm-like", {"linkify": False}).enable(["table", "strikethrough"])
ATTACKS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/p.png)",
    "[click](javascript:alert(1))",
    "**bold** _it_ ~~gone~~ `code`",
    "# Heading",
    "1. one",
    "- item",
    "> quoted",
    "| a | b |\n|---|---|\n| c | d |",
    "[ref]: https://evil.example",
    "&lt;script&gt;",
    "http://evil.example and www.evil.example and a@evil.example",
    "<https://evil.example>",
    "line\n\n---\n\n# next",
    "\\[x](y)",
    "```\ncode\n```",
    "    indented code",
    "+ item",
    "===",
    "---",
    "## x ##",
    "Doc[1](https://evil.example)",
    "Doc[1] (https://evil.example)",
    "Doc[1]: https://evil.example",
    "Doc[1][x]",
    "![Doc[1]](https://evil.example)",
    "[Doc[1]](https://evil.example)",
    "$x$ ^[note] :::",
)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def rendered(markdown: str) -> Tags:
    tags = Tags()
    tags.feed(MARKDOWN.render(markdown))
    return tags


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_renders_as_its_own_letters(attack: str) -> None:
    page = rendered("Quote: " + markdown_text(attack))
    assert set(page.seen) <= {"p"}
    assert page.text.split() == f"Quote: {attack}".split()


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_at_the_start_of_a_block_renders_as_text(attack: str) -> None:
    assert set(rendered(markdown_text(attack).strip()).seen) <= {"p"}


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_in_an_answer_renders_as_its_own_letters(attack: str) -> None:
    page = rendered(markdown_answer("It rained Doc[1]. " + attack))
    assert set(page.seen) <= {"p"}
    assert page.text.split() == f"It rained Doc[1]. {attack}".split()


def test_citations_stay_readable_and_so_does_plain_prose() -> None:
    assert markdown_answer("It rained (at 5 p.m.) Doc[1]. Dry - later! Doc[2]") == (
        "It rained (at 5 p.m.) Doc[1]. Dry - later! Doc[2]"
    )


@given(st.text(alphabet="Doc[1]()!<>:/ax\\`*_#-+|~&;\n ", max_size=40))
def test_any_answer_renders_as_text(text: str) -> None:
    assert set(rendered(markdown_answer("It rained. " + text)).seen) <= {"p"}


@given(st.text(max_size=80))
def test_any_text_renders_as_text(text: str) -> None:
    assert set(rendered("Quote: " + markdown_text(text)).seen) <= {"p"}


@given(st.text(max_size=80))
def test_html_text_opens_no_tag_and_ends_no_attribute(text: str) -> None:
    escaped = html_text(text)
    assert not set(escaped) & set("<>\"'")


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//x", "file:///etc/passwd", "", "http://"])
def test_link_to_something_else_than_the_web_is_no_link(url: str) -> None:
    assert safe_url(url) is None
    assert rendered(markdown_link("label", url)).seen == ["p"]


def test_link_keeps_its_address_and_cannot_be_ended() -> None:
    url = "https://news.example/a(b)?q=1#:~:text=one%20two"
    page = MARKDOWN.render(markdown_link("A ](x) headline", url))
    assert 'href="https://news.example/a%28b%29?q=1#:~:text=one%20two"' in page
    assert page.count("<a ") == 1


@pytest.mark.parametrize("hidden", ["\u200b", "\u202e", "\U000e0041", "\ufeff", "\x07", "\u2066"])
def test_invisible_characters_are_dropped(hidden: str) -> None:
    assert visible(f"a{hidden}b") == "ab"
