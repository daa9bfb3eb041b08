"""Untrusted input to requests: one clear error each."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.requests import check_text, parse_request, parse_time
from core.types import MAX_QUERY_CHARS, QueryKind


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({}, "text"),
        ({"text": ""}, "text"),
        ({"text": " \n\t "}, "text"),
        ({"text": "?!…"}, "text"),
        ({"text": 3}, "text"),
        ({"text": b"who"}, "text"),
        ({"text": ["who"]}, "text"),
        ({"text": "a" * (MAX_QUERY_CHARS + 1)}, "text"),
        ({"text": "who\x00did it"}, "text"),
        ({"text": "who \ud800 did it"}, "text"),
        ({"text": "who \ufdd0 did it"}, "text"),
        ({"text": "who \U0001ffff did it"}, "text"),
        ({"text": "who?", "as_of": "next week"}, "as_of"),
        ({"text": "who?", "as_of": "2026-02-30"}, "as_of"),
        ({"text": "who?", "as_of": "0001-01-01T00:00:00+14:00"}, "as_of"),
        ({"text": "who?", "filters": {"published_from": "yesterday"}}, "published_from"),
        ({"text": "who?", "top_k": 0}, "top_k"),
        ({"text": "who?", "top_k": 101}, "top_k"),
        ({"text": "who?", "kind": "riddle"}, "kind"),
        ({"text": "who?", "colour": "red"}, "colour"),
        ({"text": "who?", "kind": "riddle", "colour": "red"}, "colour"),
        ({"text": "who?", "filters": {"colour": "red"}}, "filters.colour"),
    ],
)
def test_bad_input_names_the_field(data: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_request(data)
    assert caught.value.field == field
    assert field.rsplit(".", maxsplit=1)[-1] in caught.value.message


def test_longest_query_is_accepted() -> None:
    assert len(parse_request({"text": "a" * MAX_QUERY_CHARS}).text) == MAX_QUERY_CHARS


def test_text_is_normalised_and_none_means_not_given() -> None:
    request = parse_request({"text": "  Who\n\ndid   cafe\u0301? ", "kind": None, "as_of": None})
    assert request.text == "Who did café?"
    assert request.kind is None


def test_a_day_bounds_to_its_last_moment() -> None:
    request = parse_request({"text": "who?", "kind": "question", "as_of": "2020-01-31"})
    assert request.kind is QueryKind.QUESTION
    assert request.as_of == datetime(2020, 1, 31, 23, 59, 59, 999999, tzinfo=UTC)


@pytest.mark.parametrize("day", ["20200131", "2020-W05-5", "2020W055"])
def test_a_day_in_another_form_bounds_to_its_last_moment_too(day: str) -> None:
    request = parse_request({"text": "who?", "as_of": day, "filters": {"published_from": day, "published_to": day}})
    last = datetime(2020, 1, 31, 23, 59, 59, 999999, tzinfo=UTC)
    assert (request.as_of, request.filters.published_to) == (last, last)
    assert request.filters.published_from == datetime(2020, 1, 31, tzinfo=UTC)


@pytest.mark.parametrize("time", ["20200131T00", "2020W05T10"])
def test_a_time_is_no_day(time: str) -> None:
    assert parse_time(time, field="as_of", end_of_day=True) == datetime.fromisoformat(time).replace(tzinfo=UTC)


def test_languages_are_asked_for_as_articles_have_them() -> None:
    request = parse_request({"text": "who?", "filters": {"languages": ["EN", "de-AT", "fra"]}})
    assert request.filters.languages == ("en", "de", "fr")


@pytest.mark.parametrize("tag", ["English", "", 7])
def test_a_language_that_no_article_can_have_is_refused(tag: object) -> None:
    with pytest.raises(InputError, match="not a language code") as refused:
        parse_request({"text": "who?", "filters": {"languages": ["en", tag]}})
    assert refused.value.field == "languages"


def test_one_name_where_a_list_is_expected_is_told_as_such() -> None:
    with pytest.raises(InputError, match=r"filters\.sources is 'BBC': it should be a list"):
        parse_request({"text": "who?", "filters": {"sources": "BBC"}})


def test_a_time_keeps_its_zone() -> None:
    expected = datetime(2020, 1, 31, 10, 30, tzinfo=UTC)
    assert parse_time("2020-01-31T18:30:00+08:00", field="as_of", end_of_day=True) == expected
    assert parse_time(datetime(2020, 1, 31, 18, 30, tzinfo=timezone(timedelta(hours=8))), field="as_of") == expected


@given(st.text(max_size=MAX_QUERY_CHARS * 2))
def test_any_text_is_accepted_or_refused_as_input(text: str) -> None:
    try:
        cleaned = check_text(text)
    except InputError:
        return
    assert cleaned == check_text(cleaned)


@pytest.mark.parametrize("character", ["\U0001fa77", "\U0001fae9", "\uf8ff", "\U000e1000"])
def test_characters_that_our_unicode_does_not_know_are_text(character: str) -> None:
    assert parse_request({"text": f"who did it {character}"}).text == f"who did it {character}"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Bridge opens\n\nBy J. Doe\n\nIt  opened.\tIt rained.", "Bridge opens\n\nBy J. Doe\n\nIt opened. It rained."),
        ("It opened.\r\nIt rained.\r\n \r\n\r\nNobody came.\n", "It opened.\n\nIt rained.\n\nNobody came."),
        ("The bridge, which was\nclosed, opened\non Monday.", "The bridge, which was closed, opened on Monday."),
        ("“It opened.”\nIt rained.", "“It opened.”\n\nIt rained."),
    ],
)  # fmt: skip
def test_long_text_keeps_its_paragraphs_and_no_lines_that_were_wrapped(text, cleaned):
    assert check_text(text, max_chars=MAX_QUERY_CHARS + 1) == cleaned
    assert check_text(text) == " ".join(text.split())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"top_k": "many"}, "top_k is 'many': it should be a whole number"),
        ({"top_k": 1000}, "top_k is '1000': it should be at most 100"),
        ({"top_k": 0}, "top_k is '0': it should be at least 1"),
        ({"kind": "poem"}, "kind is 'poem': it should be 'question' or 'statement'"),
    ],
)
def test_what_a_field_expects_is_said_in_plain_words(given: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_request({"text": "Who?", **given})
    assert str(raised.value) == said
