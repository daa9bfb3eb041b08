"""What a request asks for that the index does not hold."""

from datetime import UTC, datetime

import pytest

from core.errors import InputError
from core.requests import parse_request
from core.types import Request
from indexing.stores.contract import SourceCounts, StoreCounts
from pipelines.query.coverage import NAMED, fit_request


def request(**filters) -> Request:
    return parse_request({"text": "Who is it?", "filters": filters})


def counts(*sources: str, listed: int | None = None, dated: bool = True) -> StoreCounts:
    each = tuple(SourceCounts(source=source, articles=1, by_month={}) for source in sources)
    days = {
        "first_published_at": datetime(2020, 5, 1, 8, tzinfo=UTC),
        "last_published_at": datetime(2021, 5, 6, 8, tzinfo=UTC),
    }
    return StoreCounts(articles=len(sources), passages=9, revisions=0, sources=each[:listed], **(days if dated else {}))


@pytest.mark.parametrize(
    ("asked", "held", "fitted"),
    [
        (["wikinews", " WIKINEWS "], ["Wikinews", "Post"], ("Wikinews",)),
        (["post"], ["Post", "post"], ("post",)),
        (["STRASSE"], ["Straße"], ("Straße",)),
    ],
)
def test_source_is_named_as_the_index_does(asked, held, fitted):
    found, notices = fit_request(request(sources=asked), counts(*held))
    assert (found.filters.sources, notices) == (fitted, ())


@pytest.mark.parametrize(
    ("asked", "held", "hint"),
    [
        ("Reuters", ["Post", "Times"], "Its sources are Post, Times."),
        ("POST", ["Post", "post"], "Its sources are Post, post."),
        ("post 77", [f"Post {number}" for number in range(70, 77)] + list("abcdefgh"), "Post 70"),
        ("zzz", [f"Post {number:02d}" for number in range(50)], f"Post 09 and {50 - NAMED} more."),
    ],
)
def test_sources_that_the_index_lacks_are_refused_with_those_that_it_has(asked, held, hint):
    with pytest.raises(InputError, match="holds no articles of") as refused:
        fit_request(request(sources=[asked]), counts(*held))
    assert refused.value.field == "sources"
    assert hint in (refused.value.hint or "")


def test_one_source_of_several_that_the_index_lacks_is_a_notice():
    found, (notice,) = fit_request(request(sources=["Reuters", "POST"]), counts("Post"))
    assert found.filters.sources == ("Reuters", "Post")
    assert (notice.code, notice.message) == (
        "source_unknown",
        "The archive holds no articles of source 'Reuters'. Its sources are Post.",
    )


def test_sections_are_fitted_as_sources_are():
    held = counts("Post").model_copy(update={"sections": ("politics", "sport")})
    found, (notice,) = fit_request(request(sections=["Politics", "arts"]), held)
    assert (found.filters.sections, notice.code) == (("politics", "arts"), "section_unknown")
    with pytest.raises(InputError, match="of section 'arts'") as refused:
        fit_request(request(sections=["arts"]), held)
    assert (refused.value.field, refused.value.hint) == ("sections", "Its sections are politics, sport.")
    with pytest.raises(InputError) as refused:
        fit_request(request(sections=["arts"]), held.model_copy(update={"sections": ()}))
    assert refused.value.hint == "Its articles have no sections."
    asked = request(sections=["arts"])
    assert fit_request(asked, counts("Post")) == (asked, ())


def test_no_source_is_refused_where_not_all_are_counted():
    asked = request(sources=["Reuters"])
    assert fit_request(asked, counts("Post", "Reuters", listed=1)) == (asked, ())


@pytest.mark.parametrize(
    ("period", "field", "hint"),
    [
        ({"published_from": "2021-05-07"}, "published_from", "2020-05-01 to 2021-05-06"),
        ({"published_to": "2020-04-30"}, "published_to", "2020-05-01 to 2021-05-06"),
    ],
)
def test_period_without_an_article_is_refused(period, field, hint):
    with pytest.raises(InputError, match="holds nothing published") as refused:
        fit_request(request(**period), counts("Post"))
    assert refused.value.field == field
    assert hint in (refused.value.hint or "")
    with pytest.raises(InputError, match="holds nothing published"):
        fit_request(request(published_from="2020-06-01"), counts("Post", dated=False))


@pytest.mark.parametrize(
    "period", [{"published_from": "2021-05-06"}, {"published_to": "2020-05-01"}, {"published_to": "2030-01-01"}]
)
def test_period_that_touches_the_index_is_searched(period):
    asked = request(**period)
    assert fit_request(asked, counts("Post")) == (asked, ())


def test_nothing_known_by_then_is_a_notice():
    held = counts("Post").model_copy(update={"first_seen_at": datetime(2026, 11, 28, 18, tzinfo=UTC)})
    early = parse_request({"text": "Who is it?", "as_of": "2026-11-27"})
    found, (notice,) = fit_request(early, held)
    assert (found, notice.code) == (early, "nothing_known_yet")
    assert "by 2026-11-27: it first saw one on 2026-11-28." in notice.message
    assert fit_request(parse_request({"text": "Who is it?", "as_of": "2026-11-28"}), held)[1] == ()
    assert fit_request(early, counts("Post"))[1] == ()


def test_empty_index_refuses_nothing():
    asked = request(sources=["Reuters"], published_to="2020-04-30")
    assert fit_request(asked, counts()) == (asked, ())
