import gzip
import json

import pytest

from core.errors import InputError
from core.paths import SAMPLE
from core.types import Article
from scraper.extraction.saved_pages import extract_folder, extract_saved, read_gold, saved_page_line
from scraper.rejection import RejectionReason
from scraper.samplesite.site import build_site
from scraper.samplesite.stories import read_stories


@pytest.fixture
def folder(tmp_path):
    stories = read_stories(SAMPLE / "articles.jsonl.gz")[:3]
    site = build_site(stories, base_url="http://site.test")
    gold = []
    for number, story in enumerate(stories):
        name = f"page{number}.html.gz"
        (tmp_path / name).write_bytes(gzip.compress(site[story.path].content))
        gold.append({"file": name, "url": story.url, "headline": story.headline, "topics": ["ignored"]})
    (tmp_path / "empty.html").write_bytes(b" ")
    gold.append({"file": "empty.html", "url": "https://site.test/empty"})
    (tmp_path / "gold.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, gold)).encode()))
    return tmp_path


def test_each_page_of_a_folder_gives_one_line_with_its_file(folder):
    lines = [json.loads(saved_page_line(*row)) for row in extract_folder(folder)]
    assert [line["file"] for line in lines] == [page.file for page in read_gold(folder)]
    assert [line.get("headline") for line in lines[:3]] == [page.headline for page in read_gold(folder)][:3]
    assert lines[3]["reason"] == RejectionReason.EMPTY


def test_plain_and_compressed_pages_read_the_same(folder):
    plain = folder / "plain.html"
    plain.write_bytes(gzip.decompress((folder / "page0.html.gz").read_bytes()))
    url = read_gold(folder)[0].url
    outcomes = [extract_saved(path, url=url) for path in (plain, folder / "page0.html.gz")]
    assert all(isinstance(outcome, Article) for outcome in outcomes)
    assert outcomes[0].content_hash == outcomes[1].content_hash


def test_missing_page_and_missing_gold_are_input_errors(tmp_path):
    with pytest.raises(InputError, match=r"gone\.html"):
        extract_saved(tmp_path / "gone.html", url="https://site.test/a")
    with pytest.raises(InputError, match=r"gold\.jsonl\.gz"):
        list(extract_folder(tmp_path))


@pytest.mark.parametrize("line", ['{"url": "https://a"}', "nonsense", '{"file": "../x.html", "url": "https://a"}'])
def test_unusable_gold_is_an_input_error(tmp_path, line):
    (tmp_path / "gold.jsonl.gz").write_bytes(gzip.compress(line.encode()))
    with pytest.raises(InputError, match=r"gold\.jsonl\.gz"):
        read_gold(tmp_path)


def test_broken_gzip_is_an_input_error(tmp_path):
    page = tmp_path / "page.html.gz"
    page.write_bytes(gzip.compress(b"x" * 1000)[:20])
    with pytest.raises(InputError, match=r"page\.html\.gz"):
        extract_saved(page, url="https://site.test/a")


def test_gold_may_begin_with_a_byte_order_mark(tmp_path):
    (tmp_path / "gold.jsonl").write_text('{"file": "a.html", "url": "https://a"}', "utf-8-sig")
    assert [page.file for page in read_gold(tmp_path)] == ["a.html"]


def test_lines_end_at_line_feeds_alone(tmp_path):
    rows = [{"file": f"{n}.html", "url": "https://a", "body": "a\u2028b\u0085c"} for n in range(2)]
    (tmp_path / "gold.jsonl").write_text("\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    assert [page.body for page in read_gold(tmp_path)] == ["a\u2028b\u0085c"] * 2


@pytest.mark.parametrize("date", ["2020", "2020-05", "5 March 2020", 2020])
def test_date_that_is_none_is_named_with_its_line(tmp_path, date):
    rows = [{"file": "a", "url": "https://a", "published_at": given} for given in ("2020-05-17", None, "", date)]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(InputError, match=r"gold\.jsonl, line 4: published_at is"):
        read_gold(tmp_path)
