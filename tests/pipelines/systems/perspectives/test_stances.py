"""Stances and what is made of them."""

import pytest

from pipelines.systems.perspectives.side_finder import one_sided
from pipelines.systems.perspectives.stances import mean_yes, stance_of
from pipelines.systems.perspectives.types import Stance, Thesis
from tests.sample_articles import make_article


@pytest.mark.parametrize(
    ("yes", "stance"), [(0.9, "yes"), (0.75, "yes"), (0.74, "mixed"), (0.5, "mixed"), (0.26, "mixed"), (0.2, "no")]
)
def test_a_side_is_taken_only_where_it_is_likely(yes, stance):
    assert stance_of(yes, least=0.75) == stance


def test_nothing_said_is_no_side():
    assert mean_yes([]) == 0.5


def _theses(*stances: Stance) -> list[Thesis]:
    return [Thesis(article=make_article(f"a{n}"), text="x", quotes=(), stance=one) for n, one in enumerate(stances)]


def test_coverage_of_one_side_is_said():
    (notice,) = one_sided(_theses(Stance.NO, Stance.NO, Stance.MIXED))
    assert notice.code == "one_sided"
    assert "All 2 articles that take a side say no" in notice.message


@pytest.mark.parametrize("stances", [(), (Stance.YES,), (Stance.YES, Stance.NO), (Stance.MIXED, Stance.MIXED)])
def test_two_sides_or_none_are_not_one(stances):
    assert one_sided(_theses(*stances)) == ()
