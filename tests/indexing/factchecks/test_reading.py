"""ClaimReview in all its forms, and JSON lines."""

import json
from datetime import date
from typing import Any

import pytest

from core.errors import InputError
from indexing.factchecks.reading import read_fact_checks
from indexing.factchecks.types import FactCheck, Refusal


def review(**changes: Any) -> dict[str, Any]:
    return {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "url": "https://checks.example/bridge",
        "claimReviewed": "The bridge in Oslo has fallen.",
        "headline": "No, the bridge stands",
        "datePublished": "2020-01-31T10:00:00+01:00",
        "author": {"@type": "Organization", "name": "Checks"},
        "reviewRating": {"@type": "Rating", "ratingValue": 1, "bestRating": 5, "alternateName": "False"},
        "itemReviewed": {"@type": "Claim", "author": {"@type": "Person", "name": "A. Politician"}},
    } | changes


def read(document: Any) -> list[FactCheck | Refusal]:
    content = document if isinstance(document, bytes) else json.dumps(document).encode()
    return list(read_fact_checks(content, name="file"))


def only(document: Any) -> FactCheck:
    (entry,) = read(document)
    assert isinstance(entry, FactCheck), entry
    return entry


FORMS = {
    "one": lambda one: one,
    "list": lambda one: [one],
    "graph": lambda one: {"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, one]},
    "feed": lambda one: {
        "@type": "DataFeed",
        "dataFeedElement": [{"@type": "DataFeedItem", "url": "https://other.example/", "item": [one]}],
    },
    "lines": lambda one: (json.dumps(one) + "\n" + json.dumps(one) + "\n").encode(),
    "page": lambda one: f'<html><script type="application/ld+json">{json.dumps(one)}</script></html>'.encode(),
    "array of pages": lambda one: [[{"@graph": [{"mainEntity": one}]}]],
}


@pytest.mark.parametrize("form", FORMS)
def test_a_claim_review_is_read_in_every_form(form: str) -> None:
    entry = read(FORMS[form](review()))[0]
    assert isinstance(entry, FactCheck)
    assert entry.claim == "The bridge in Oslo has fallen."
    assert entry.title == "No, the bridge stands"
    assert (entry.verdict, entry.publisher, entry.claimant) == ("False", "Checks", "A. Politician")
    assert (entry.url, entry.date) == ("https://checks.example/bridge", date(2020, 1, 31))
    assert entry.id == only(review()).id


def test_what_is_pointed_to_is_followed() -> None:
    graph = [
        review(author={"@id": "#us"}, reviewRating={"@id": "#rating"}),
        {"@id": "#us", "@type": "Organization", "name": "Checks"},
        {"@id": "#rating", "ratingValue": "2", "bestRating": "7"},
    ]
    entry = only({"@graph": graph})
    assert (entry.publisher, entry.verdict) == ("Checks", "2 of 7")


def test_names_of_the_vocabulary_and_values_are_read() -> None:
    entry = only(
        {
            "@type": "http://schema.org/ClaimReview",
            "http://schema.org/claimReviewed": [{"@value": "It rains.", "@language": "en"}],
            "http://schema.org/url": {"@id": "https://checks.example/rain"},
        }
    )
    assert (entry.claim, entry.url, entry.publisher) == ("It rains.", "https://checks.example/rain", "checks.example")


def test_the_address_of_the_feed_item_counts_where_the_review_has_none() -> None:
    without = {name: value for name, value in review().items() if name != "url"}
    entry = only({"dataFeedElement": [{"url": "https://checks.example/item", "item": without}]})
    assert entry.url == "https://checks.example/item"


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"claimReviewed": " "}, "claimReviewed"), ({"url": None}, "url"), ({"url": "mailto:a@b.example"}, "url")],
)
def test_a_review_without_claim_or_address_is_refused(changes: dict[str, Any], field: str) -> None:
    (entry,) = read(review(**changes))
    assert isinstance(entry, Refusal)
    assert (entry.field, entry.place) == (field, "item 1")


def test_lines_are_read_and_a_bad_one_stops_no_other() -> None:
    rows = [
        json.dumps({"id": 7, "claim": "It rains.", "title": "Rain", "verdict": "True", "url": "https://a.example/1"}),
        "{broken",
        "",
        json.dumps({"id": "8", "title": "Only a title"}),
        json.dumps({"claim": "No id."}),
        json.dumps({"id": "9", "claim": "Bad date.", "date": "yesterday"}),
        json.dumps([1]),
        json.dumps({"id": "10", "claim": "Good date.", "date": "3 March 2020", "publisher": None}),
    ]
    entries = read("\n".join(rows).encode())
    assert [entry.id if isinstance(entry, FactCheck) else entry.place for entry in entries] == [
        "7", "line 2", "8", "line 5", "line 6", "line 7", "10",
    ]  # fmt: skip
    assert entries[2].claim == "Only a title"
    assert entries[6].date == date(2020, 3, 3)
    assert [entry.field for entry in entries if isinstance(entry, Refusal)] == [None, "id", "date", None]


def test_an_array_of_rows_is_read() -> None:
    assert only([{"id": "1", "claim": "It rains."}]).claim == "It rains."


@pytest.mark.parametrize("content", [b"", b" \n", b"words", b"{}", b"[]", b"7", b"<html></html>", b'{"a": [1'])
def test_a_file_without_fact_checks_is_refused_as_a_whole(content: bytes) -> None:
    with pytest.raises(InputError) as caught:
        read(content)
    assert caught.value.field == "file"
    assert "ClaimReview" in str(caught.value.hint)


def test_utf16_and_byte_order_marks_are_read() -> None:
    text = json.dumps(review(claimReviewed="Žižkov has fallen."), ensure_ascii=False)
    assert only(text.encode("utf-16")).claim == only(text.encode("utf-8-sig")).claim == "Žižkov has fallen."
