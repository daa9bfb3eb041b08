import gzip
import json
from datetime import UTC

import pytest

from core.errors import InputError
from core.paths import SAMPLE
from core.settings import Settings
from evaluation.tasks.extraction.measures import author_values, overlap, page_values, time_values
from evaluation.tasks.extraction.run import evaluate_pages
from scraper.extraction.saved_pages import GoldPage
from scraper.extraction.times import parse_time
from scraper.samplesite.site import build_site
from scraper.samplesite.stories import read_stories


@pytest.mark.parametrize(
    ("text", "expected", "values"),
    [
        ("a b c d e", "a b c d e", (1.0, 1.0, 1.0)),
        ("a b c d e", "A, b; c: d e.", (1.0, 1.0, 1.0)),
        ("a b c d x y z w", "a b c d", (0.2, 1.0, 1 / 3)),
        ("a b c d", "a b c d a b c d", (1.0, 0.2, 1 / 3)),
        ("", "a b c d", (0.0, 0.0, 0.0)),
        ("a b", "a b", (1.0, 1.0, 1.0)),
    ],
)
def test_overlap_counts_runs_of_four_words(text, expected, values):
    assert overlap(text, expected) == pytest.approx(values)


@pytest.mark.parametrize(
    ("found", "expected", "values"),
    [
        ("2024-03-05T21:40:30Z", "2024-03-05 21:40:00+00:00", {"day": 1.0, "minute": 1.0}),
        ("2024-03-05T21:42:00Z", "2024-03-05 21:40:00+00:00", {"day": 1.0, "minute": 0.0}),
        ("2024-03-05T17:00:00Z", "2024-03-06 01:00:00+08:00", {"day": 1.0, "minute": 1.0}),
        ("2024-03-06", "2024-03-06 01:00:00+08:00", {"day": 1.0, "minute": 0.0}),
        ("2024-03-05", "2024-03-05", {"day": 1.0}),
        (None, "2024-03-05 10:00", {"day": 0.0, "minute": 0.0}),
    ],
)
def test_days_are_compared_in_the_zone_of_the_gold(found, expected, values):
    assert time_values(parse_time(found, zone=UTC) if found else None, expected) == values


def test_authors_are_compared_as_sets():
    assert author_values(("Ann Lee", "Bo Ek"), ("bo ek", "Ann Lee")) == {"authors_exact": 1.0, "authors_f1": 1.0}
    assert author_values(("Ann Lee",), ("Ann Lee", "Bo Ek")) == {
        "authors_exact": 0.0,
        "authors_f1": pytest.approx(2 / 3),
    }
    assert author_values((), ()) == {"authors_exact": 1.0, "authors_f1": 1.0}


def test_refused_page_misses_everything_that_was_expected():
    gold = GoldPage(
        file="a", url="https://a.test", headline="Rain", body="It rains in May again.", published_at="2024-03-05"
    )
    values = page_values(None, gold)
    assert set(values.values()) == {0.0}
    assert {"accepted", "body_f1", "headline_exact", "day"} <= set(values)


@pytest.fixture
def folder(tmp_path):
    stories = read_stories(SAMPLE / "articles.jsonl.gz")[:4]
    site = build_site(stories, base_url="http://site.test")
    gold = []
    for number, story in enumerate(stories):
        (tmp_path / f"{number}.html").write_bytes(site[story.path].content)
        gold.append(story.model_dump(mode="json", include={"url", "headline", "body", "authors"}))
        gold[-1] |= {"file": f"{number}.html", "published_at": str(story.published_at)}
    (tmp_path / "front.html").write_bytes(site["/section/politics"].content)
    gold.append(
        {"file": "front.html", "url": "https://site.test/section/politics", "headline": "Other", "body": "Other text."}
    )
    (tmp_path / "gold.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, gold)).encode()))
    return tmp_path


def test_folder_is_measured_and_refusals_are_listed(folder, tmp_path):
    _, report = evaluate_pages(folder, Settings(data_dir=tmp_path / "var"))
    assert report.run.data.items == 5
    (refused,) = report.tables[0].rows
    assert refused[0] == "front.html"
    assert refused[1].startswith("not_article")
    assert report.measures["accepted"].value == pytest.approx(0.8)
    assert report.measures["body_f1"].value == pytest.approx(0.8)
    assert report.measures["day"].value == 1.0
    assert report.measures["english/body_f1"].low <= report.measures["english/body_f1"].value
    assert report.per_item["0.html"]["headline_exact"] == 1.0
    assert report.timing.mean_ms > 0.1


def test_plain_gold_is_read_as_compressed_gold_is(folder, tmp_path):
    _, compressed = evaluate_pages(folder, Settings(data_dir=tmp_path / "var"))
    (folder / "gold.jsonl").write_bytes(gzip.decompress((folder / "gold.jsonl.gz").read_bytes()))
    (folder / "gold.jsonl.gz").unlink()
    _, plain = evaluate_pages(folder, Settings(data_dir=tmp_path / "var"))
    assert plain.per_item == compressed.per_item
    assert plain.run.data.items == 5


def test_a_page_that_changed_is_other_data(folder, tmp_path):
    _, before = evaluate_pages(folder, Settings(data_dir=tmp_path / "var"))
    (folder / "0.html").write_bytes((folder / "1.html").read_bytes())
    _, after = evaluate_pages(folder, Settings(data_dir=tmp_path / "var"))
    assert before.run.data.sha256 != after.run.data.sha256


def test_folder_without_gold_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match=r"gold\.jsonl\.gz"):
        evaluate_pages(tmp_path, Settings(data_dir=tmp_path / "var"))
