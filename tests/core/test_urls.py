"""Which addresses are one article."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from w3lib.url import canonicalize_url

from core.urls import (
    _ALREADY_CANONICAL,
    article_id,
    ascii_host,
    content_hash,
    exact_url,
    has_login,
    hostname,
    normalise_url,
    text_fragment,
    variant_marks,
)


@pytest.mark.parametrize(
    "variant",
    [
        "http://www.example.com/news/a-story",
        "https://example.com/news/a-story/",
        "https://EXAMPLE.com:443/news/a-story?utm_source=x&fbclid=1",
        "https://amp.example.com/news/a-story",
        "https://example.com/news/a-story/amp",
        "https://example.com/news/a-story#comments",
        "https://m.example.com/news/a-story",
        "https://example.com/amp/news/a-story",
        "https://example.com/news/a-story?amp",
        "https://example.com/news/a-story?amp=1&utm_medium=mail",
        "https://example.com/news/a-story.amp",
        "https://example.com/news//a-story",
        "https://example.com/news/a-story;jsessionid=0A1B2C3D4E5F",
        "https://example.com/news/a-story?PHPSESSID=k3j4&ref=home",
        "https://example.com/news/a-story?sid=0123456789abcdef0123",
        "https://example.com/(S(lit3py55t21z5v55vlm25s55))/news/a-story",
    ],
)
def test_variants_are_one_article(variant: str) -> None:
    assert article_id(variant) == article_id("https://example.com/news/a-story")


def test_what_selects_content_is_kept() -> None:
    assert article_id("https://example.com/news?id=1") != article_id("https://example.com/news?id=2")
    assert article_id("https://example.com/News") != article_id("https://example.com/news")
    assert normalise_url("https://example.com/?b=2&a=1") == "https://example.com/?a=1&b=2"


@pytest.mark.parametrize(
    "other",
    [
        "https://m.com/a",
        "https://example.com/amplifier",
        "https://example.com/?amp=volts",
        "https://example.com/a?sid=12",
        "https://example.com/a?s=harbour-vote-2025-march",
        "https://example.com/a;id=7",
    ],
)
def test_what_only_looks_like_a_variant_is_kept(other: str) -> None:
    assert normalise_url(other) == other


@pytest.mark.parametrize(
    ("composed", "decomposed"),
    [
        ("https://example.com/caf\u00e9", "https://example.com/cafe\u0301"),
        ("https://example.com/caf%C3%A9", "https://example.com/cafe%CC%81"),
        ("https://example.com/a?q=caf%C3%A9", "https://example.com/a?q=cafe%CC%81"),
    ],
)
def test_accents_composed_or_not_are_one_article(composed: str, decomposed: str) -> None:
    assert article_id(composed) == article_id(decomposed)
    assert not variant_marks(decomposed)


def test_bytes_that_are_no_utf_8_stay() -> None:
    assert normalise_url("https://example.com/caf%E9") == "https://example.com/caf%E9"


@pytest.mark.parametrize(
    ("url", "marks"),
    [
        ("https://example.com/story.php?ref=101", (("ref", "101"),)),
        ("https://example.com/story?spm=a1.b2&id=4", (("spm", "a1.b2"),)),
        ("https://www.example.com/news/a-story/?utm_source=x&fbclid=1#top", ()),
        ("https://example.com/amp/7", (("/amp", "/amp/7"),)),
        ("https://example.com/news/a?amp=1", (("amp", "1"),)),
        ("https://example.com/news//a", (("//", "/news//a"),)),
        ("https://m.example.com/news/a", (("host", "m."),)),
        ("https://example.com/news/a?sid=0123456789abcdef0123", (("sid", "0123456789abcdef0123"),)),
        ("https://example.com/news/a;jsessionid=0A1B2C3D4E5F", ()),
        ("https://example.com/news/amplifier", ()),
        ("example", ()),
    ],
)
def test_marks_are_what_may_tell_articles_apart_all_the_same(url: str, marks: tuple[tuple[str, str], ...]) -> None:
    assert variant_marks(url) == marks
    assert (exact_url(url) != normalise_url(url)) is bool(marks)


def test_parameter_that_the_publisher_calls_tracking_is_no_mark() -> None:
    url = "https://example.com/a?ref=1"
    assert variant_marks(url, tracking_parameters=frozenset({"ref"})) == ()
    assert exact_url("https://example.com/a?ref=1") != exact_url("https://example.com/a?ref=2") != normalise_url(url)


VARIANTS = st.tuples(
    st.sampled_from(["http://", "https://"]),
    st.sampled_from(["", "www.", "amp.", "m."]),
    st.sampled_from(["", "/amp"]),
    st.sampled_from(["", "/", "/amp", "/amp/"]),
    st.lists(st.sampled_from(["utm_source=x", "fbclid=1", "amp=1", "gclid=2"]), unique=True, max_size=3),
)


@given(VARIANTS, st.from_regex(r"(/[b-z0-9][a-z0-9-]{0,9}){1,4}", fullmatch=True))
def test_every_combination_of_variants_is_one_article(variant: tuple[str, str, str, str, list[str]], path: str) -> None:
    scheme, host, prefix, suffix, query = variant
    url = f"{scheme}{host}paper.example{prefix}{path}{suffix}" + ("?" + "&".join(query) if query else "")
    assert article_id(url) == article_id(f"https://paper.example{path}")


@given(
    st.from_regex(
        r"https?://[a-z]{1,8}\.(com|org)(/[a-zA-Z0-9._~%-]{0,8}){0,4}(\?[a-z]=[a-z0-9]?(&[a-z]=[a-z0-9])*)?",
        fullmatch=True,
    )
)
def test_normalising_twice_changes_nothing(url: str) -> None:
    once = normalise_url(url)
    assert normalise_url(once) == once


@given(st.from_regex(_ALREADY_CANONICAL, fullmatch=True))
def test_addresses_that_are_not_canonicalised_need_not_be(url: str) -> None:
    assert canonicalize_url(url) == url


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://www.Paper.example:8080/a@b?c#d", "paper.example"),
        ("https://user:word@paper.example/", "paper.example"),
        ("https://trusted.example%2Fworld@paper.example/p", "paper.example"),
        ("https://trusted.example%3Fa@paper.example/p", "paper.example"),
        ("https://trusted.example%23a@paper.example/p", "paper.example"),
        ("https://p%41per%2Eexample/", "paper.example"),
        ("https://\uff50aper.example/", "paper.example"),
        ("https://paper.example\\@trusted.example/", "paper.example"),
        ("https://paper.example\\.trusted.example/", "paper.example"),
        ("https://paper.example%2F.trusted.example/", ""),
        ("https://paper.example%EF%BC%8F.trusted.example/", ""),
        ("https://paper.example%5C.trusted.example/", ""),
        ("https://paper%40trusted.example/", ""),
        ("http://[::1]:80/", "::1"),
        ("paper.example", ""),
    ],
)
def test_the_host_is_the_one_that_a_browser_opens(url: str, host: str) -> None:
    assert hostname(url) == host


@pytest.mark.parametrize(
    ("host", "asked_for"),
    [
        ("paper.example", "paper.example"),
        ("\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", "xn--e1afmkfd.xn--p1ai"),
        ("stra\u00dfe.example", "xn--strae-oqa.example"),  # not strasse.example, which may be somebody else's
        ("B\u00fccher.example", "xn--bcher-kva.example"),
        ("a_\u00fc.example", "a_\u00fc.example"),  # no host has such a name
        ("", ""),
    ],
)
def test_an_international_host_is_asked_for_in_ascii(host: str, asked_for: str) -> None:
    assert ascii_host(host) == asked_for


def test_a_login_stands_before_the_host_only() -> None:
    logins = ["https://user@paper.example", "https://:word@paper.example/", "https://@paper.example"]
    assert [has_login(url) for url in [*logins, "https://paper.example/@user?a=b@c#d@e"]] == [True, True, True, False]


def test_content_hash_sees_headline_and_body() -> None:
    assert len({content_hash("a", "b"), content_hash("b", "a"), content_hash("a", "b ")}) == 3


def test_text_fragment_escapes_and_shortens() -> None:
    assert text_fragment("https://e.com/a#x", "a-b, c & d") == "https://e.com/a#:~:text=a%2Db%2C%20c%20%26%20d"
    long = " ".join(f"w{number}" for number in range(40))
    assert text_fragment("https://e.com/a", long, edge_words=2) == "https://e.com/a#:~:text=w0%20w1,w38%20w39"
