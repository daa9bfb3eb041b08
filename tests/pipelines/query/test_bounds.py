"""What is said of the index where a request bounds its evidence."""

from datetime import UTC, datetime

import pytest

from core.requests import parse_request
from core.types import QueryKind, Request, Result, Searched, Status, Verdict
from pipelines.query.bounds import bounds_of
from pipelines.rendering.missing_evidence import missing_for_question, missing_for_statement
from pipelines.rendering.render import heading
from pipelines.systems.verify.system import refusal, within_bounds

SEARCHED = Searched(
    queries=("x",),
    articles=3,
    passages=9,
    sources=("Post",),
    first_published_at=datetime(2021, 5, 1, tzinfo=UTC),
    last_published_at=datetime(2021, 5, 6, tzinfo=UTC),
    snapshot_id="s",
)


def request(**fields) -> Request:
    return parse_request({"text": "Who is it?"} | fields)


@pytest.mark.parametrize(
    ("fields", "bounds"),
    [
        ({}, ""),
        ({"as_of": "2020-01-01"}, "known by 2020-01-01"),
        ({"as_of": "2020-01-01T18:30:00+08:00"}, "known by 2020-01-01 10:30 UTC"),
        ({"filters": {"published_from": "2020-01-01", "published_to": "2020-01-31"}},
         "published from 2020-01-01, published to 2020-01-31"),
        ({"filters": {"sources": ["Post", "Times"], "sections": ["sports"], "languages": ["en"]}},
         "of Post or Times, in section sports, in language en"),
        ({"filters": {"sources": ["A", "B", "C", "D"]}}, "of A or B or C or others"),
    ],
)  # fmt: skip
def test_bounds_are_said_in_words(fields, bounds):
    assert bounds_of(request(**fields)) == bounds


def test_refusal_says_what_of_the_index_could_be_evidence():
    everything = refusal(SEARCHED, request())
    assert everything.endswith("Searched: 3 articles of Post, published 2021-05-01 to 2021-05-06.")
    bounded = refusal(SEARCHED, request(as_of="2020-01-01"))
    assert bounded == f"{everything} Of these, only articles known by 2020-01-01 could be evidence."


@pytest.mark.parametrize("missing", [missing_for_question(()), missing_for_statement(Verdict.UNVERIFIED, ())])
def test_no_article_is_said_to_be_missing_of_the_bounds_alone(missing):
    assert within_bounds(missing, request()) == missing
    (line,) = within_bounds(missing, request(as_of="2020-01-01"))
    assert line.startswith("No article in the archive within the bounds of the request ")


def test_heading_says_nothing_of_the_whole_index_where_it_was_not_searched():
    def of(asked: Request) -> str:
        made = Result(
            system="verify",
            request=asked,
            kind=QueryKind.QUESTION,
            status=Status.NO_EVIDENCE,
            verdict=Verdict.UNVERIFIED,
            answer="",
            searched=SEARCHED,
            run_id="r",
        )
        return heading(made)

    assert of(request()) == "Unverified: nothing relevant in the archive"
    assert of(request(as_of="2020-01-01")) == "Unverified: nothing relevant was found"
