"""The headline: a kicker before it goes where the page shares the headline without it."""

import pytest

from scraper.extraction.headline import read_headline
from tests.scraper.extraction.test_parts import page


@pytest.mark.parametrize(
    ("stated", "shared", "headline"),
    [
        ("Neue Oper: Ein Abend ohne Musik", "Ein Abend ohne Musik", "Ein Abend ohne Musik"),
        ("\u00abStormen\u00bb: Tusen hjem uten str\u00f8m", "Tusen hjem uten str\u00f8m", "Tusen hjem uten str\u00f8m"),
        ("Interview: Why we left", "We left", "Interview: Why we left"),
        ("Analysis: Rivers rising", "Rivers rising", "Analysis: Rivers rising"),
        ("Minister resigns over leak", "resigns over leak", "Minister resigns over leak"),
    ],
)
def test_kicker_that_is_not_shared_is_not_in_the_headline(stated, shared, headline):
    data = f'<script type="application/ld+json">{{"@type": "NewsArticle", "headline": "{stated}"}}</script>'
    head = f'<meta property="og:title" content="{shared}">{data}'
    assert read_headline(page(head, f"<h1>{stated}</h1>")) == headline
