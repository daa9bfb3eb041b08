"""Posts become what a reader would say aloud."""

import time

import pytest

from indexing.factchecks.posts import plain_post, said


@pytest.mark.parametrize(
    ("post", "plain"),
    [
        ("RT @someone: Rain is #FakeNews https://t.co/abc", "Rain is Fake News"),
        ("BREAKING 😡😡 the bridge fell!!! pic.twitter.com/Xyz", "BREAKING the bridge fell!!!"),
        ("The bridge fell. — Jane Doe (@jane_d) March 3, 2020", "The bridge fell."),
        ("The bridge fell &mdash; Jane &amp; Co (@jane) 3 March 2020", "The bridge fell"),
        ("Spider-Man won by a mile, says @realDonaldTrump", "Spider-Man won by a mile, says real Donald Trump"),
        ("#COVID19 is over, says the #USArmy in #new_york", "COVID 19 is over, says the US Army in new york"),
        ("\U0001d400\U0001d41b\U0001d428\U0001d42e\U0001d42d rain\u200b", "About rain"),
        ("Sooooo wet, mail me at a@b.example", "Soo wet, mail me at a@b.example"),
        ("क्या बारिश होगी?", "क्या बारिश होगी?"),
        ("https://t.co/abc 😡", ""),
    ],
)
def test_what_is_not_said_goes(post: str, plain: str) -> None:
    assert plain_post(post) == plain


def test_a_post_is_about_the_whole_and_its_longer_sentences() -> None:
    text = "Wow. The bridge in Oslo has fallen today. Ten people died in the river."
    assert said(text) == (text, "The bridge in Oslo has fallen today.", "Ten people died in the river.")
    assert said("") == ()


@pytest.mark.parametrize("post", ["-(@" * 5000, "— " * 5000, "#aA" * 3000, "<!--" * 4000, "@" * 10_000])
def test_no_post_takes_long(post: str) -> None:
    started = time.perf_counter()
    plain_post(post)
    assert time.perf_counter() - started < 2
