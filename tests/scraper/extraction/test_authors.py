"""Authors: what stands beside a name and is none, and a house that names itself in several ways."""

import pytest

from scraper.extraction.authors import read_authors
from scraper.extraction.names import tidy_names
from tests.scraper.extraction.test_parts import page

HOUSE = '<meta property="og:site_name" content="Kurier"><meta name="author" content="{}">'


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Ona Jonaite, Kauno universiteto Mokslo ir politikos profesore", ("Ona Jonaite",)),
        ("Ann Lee, professor of law and dean of the faculty", ("Ann Lee",)),
        ("Ann Lee, political editor, and Bo Ek, chief correspondent", ("Ann Lee", "Bo Ek")),
        ("Per Holm og Siri van der Berg", ("Per Holm", "Siri van der Berg")),
        ("ann lee and bo ek", ("ann lee", "bo ek")),
    ],
)
def test_description_of_an_author_is_no_further_author(byline, names):
    assert tidy_names([byline], split=True) == names


def test_date_line_is_no_author():
    assert tidy_names(["Ver\u00f6ffentlicht am 27.04.24 um 07:39 Uhr", "Published 3 May 2024"], split=True) == ()


def test_house_with_its_place_names_nobody():
    shown = '<p class="byline">Von Ann Lee</p>'
    assert read_authors(page(HOUSE.format("Kurier, Wien, Austria"), shown)) == ("Ann Lee",)
    assert read_authors(page(HOUSE.format("Bo Ek, KURIER TIROL"), shown)) == ("Bo Ek",)
