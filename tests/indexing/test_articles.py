import gzip
import json
from collections import Counter
from datetime import UTC, datetime

import pytest

from core.errors import InputError
from indexing.articles import Place, parse_line, read_articles
from tests.sample_articles import make_article

FOREIGN = {"url": "https://www.news.example/a?utm_source=x", "headline": "Ships leave", "body": "They left.\n\nAll."}


def line(**fields):
    return json.dumps(FOREIGN | fields).encode()


def test_our_own_articles_come_back_unchanged(tmp_path):
    articles = [make_article("a", section="x", authors=("Ann",)), make_article("b", published_at=None)]
    path = tmp_path / "run.jsonl"
    path.write_text("".join(article.model_dump_json() + "\n" for article in articles))
    assert [read.article for read in read_articles(path)] == articles


def test_three_fields_are_enough():
    article = parse_line(line())
    assert (article.headline, article.body, article.source) == ("Ships leave", "They left.\n\nAll.", "news.example")
    assert article.published_at is None
    assert (datetime.now(UTC) - article.first_seen_at).total_seconds() < 60


def test_optional_fields_are_understood():
    article = parse_line(
        line(published_at="2021-05-04", section="Local", authors="Ann Bee, Bo Cee", language="en-GB", id=7, source="N")
    )
    assert article.published_at == article.first_seen_at == datetime(2021, 5, 4, tzinfo=UTC)
    assert (article.section, article.authors, article.language) == ("Local", ("Ann Bee", "Bo Cee"), "en")
    assert (article.external_id, article.source) == ("7", "N")


@pytest.mark.parametrize(
    ("authors", "expected"),
    [
        ([{"@type": "Person", "name": "Ann Bee"}, "Bo Cee"], ("Ann Bee", "Bo Cee")),
        ({"name": "Ann Bee, Jr."}, ("Ann Bee, Jr.",)),
        ([{"url": "https://n.example/ann"}, ["Bo"], None], ()),
    ],
)
def test_authors_may_be_objects_with_a_name(authors, expected):
    assert parse_line(line(authors=authors)).authors == expected


@pytest.mark.parametrize(
    ("given", "code"),
    [("eng", "en"), ("ger", "de"), ("deu-AT", "de"), (" EN_us ", "en"), ("no", "no"), ("fil", None), ("English", None),
     ("und", None), (["en"], None)],
)  # fmt: skip
def test_language_is_a_code_of_two_letters_or_counted_as_not_understood(given, code):
    ignored = Counter()
    assert parse_line(line(lang=given), ignored=ignored).language == code
    assert ignored == ({} if code else {"language": 1})


def test_common_other_names_are_understood():
    article = parse_line(
        json.dumps(
            {"url": "http://n.example/1", "title": "T", "text": "B", "datetime": "2021-05-04T10:00:00+08:00"}
        ).encode()
    )
    assert (article.headline, article.body) == ("T", "B")
    assert article.published_at == datetime(2021, 5, 4, 2, tzinfo=UTC)


def test_unknown_fields_are_ignored_and_counted():
    ignored = Counter()
    parse_line(line(mood="grim", section=None), ignored=ignored)
    assert ignored == {"mood": 1}


def test_the_same_story_under_a_tracking_link_is_one_article():
    assert parse_line(line()).article_id == parse_line(line(url="https://news.example/a")).article_id


def test_what_is_no_text_is_left_out_of_body_and_headline():
    article = parse_line(line(headline="A\n\tB\x00", body="x\x00\ud800y", id="n\ud800\n7"))
    assert (article.headline, article.body, article.external_id) == ("A B", "xy", "n 7")


def own_line(**fields):
    return json.dumps(make_article("a").model_dump(mode="json") | fields).encode()


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[1]", "not an article"),
        (b'"text"', "not an article"),
        (json.dumps({"url": "https://a.example", "body": "b"}).encode(), "headline is missing"),
        (line(body=""), "body is empty"),
        (line(body=" \n "), "body is empty"),
        (line(body=["a"]), "body is of type list"),
        (line(headline=5), "headline is of type int"),
        (line(url="javascript:alert(1)"), "url is 'javascript"),
        (line(url="https://"), "url is"),
        (line(url="https://[bad"), "url is"),
        (line(url="https://news.example:99999/a"), "url is 'https://news.example:99999/a' (Port out of range"),
        (line(url="https://trusted.example%2Fa@news.example/a"), "(with a user name)"),
        (line(url="https://news.example%2F.trusted.example/a"), "url is 'https://news.example%2F"),
        (line(published_at="yesterday"), "published_at is 'yesterday'"),
        (line(published_at=20200101), "published_at is 20200101"),
        (line(published_at="2020-13-45"), "published_at is"),
        (line(section={"a": 1}), "section is of type dict"),
        (own_line(section="\ud800"), "cannot be stored"),
        (own_line(url="javascript:alert(1)"), "url is 'javascript"),
        (own_line(url="https://trusted.example%2Fa@news.example/a"), "(with a user name)"),
        (own_line(published_at="0001-01-01T00:00:00+14:00"), "cannot be stored"),
    ],
)
def test_a_bad_line_is_named_with_its_fault(tmp_path, raw, message):
    path = tmp_path / "articles.jsonl"
    path.write_bytes(line() + b"\n\n" + raw + b"\n" + line() + b"\n")
    with pytest.raises(InputError) as caught:
        list(read_articles(path))
    assert f"{path}, line 3: " in caught.value.message
    assert message in caught.value.message


def test_compressed_files_are_read(tmp_path):
    path = tmp_path / "articles.jsonl.gz"
    path.write_bytes(gzip.compress(line() + b"\n" + line(url="https://b.example/")))
    assert len(list(read_articles(path))) == 2


@pytest.mark.parametrize(
    "content",
    [b"not gzip", gzip.compress(b"x" * 10_000)[:40], gzip.compress(b"x")[:10] + b"\xff" * 99],
    ids=["no gzip", "cut short", "damaged"],  # gzip writes the time of day, which names of tests must not hold
)
def test_a_broken_compressed_file_is_an_input_error(tmp_path, content):
    path = tmp_path / "articles.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"articles.jsonl.gz"):
        list(read_articles(path))


def test_a_missing_file_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match=r"none.jsonl cannot be read"):
        list(read_articles(tmp_path / "none.jsonl"))


def test_reading_goes_on_where_it_ended_and_waits_for_a_line_that_is_being_written(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(line() + b"\n" + line(url="https://b.example/")[:20])
    (first,) = read_articles(path)
    assert first.after.line == 1
    path.write_bytes(line() + b"\n" + line(url="https://b.example/") + b"\n")
    (second,) = read_articles(path, start=first.after)
    assert second.article.url == "https://b.example/"
    assert second.after == Place(path.stat().st_size, 2)
