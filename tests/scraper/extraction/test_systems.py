"""
Pages in the markup of content systems that newsrooms use, written before the rules that read them.

`gold.jsonl` also serves `looksy evaluate extraction --data`.
"""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core.types import Article
from scraper.extraction.extract import extract

PAGES = Path(__file__).parent / "pages" / "systems"
GOLD = [json.loads(line) for line in (PAGES / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
FETCHED = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize("gold", GOLD, ids=lambda gold: gold["file"])
def test_page_of_a_content_system_is_read(gold: dict[str, Any]) -> None:
    content = (PAGES / gold["file"]).read_bytes()
    article = extract(content, headers={}, url=gold["url"], fetched_at=FETCHED)
    assert isinstance(article, Article), article
    assert [text for text in article.body.split("\n\n") if text not in gold["may"]] == gold["body"].split("\n\n")
    assert article.headline == gold.get("headline", article.headline)
    assert list(article.authors) == gold["authors"]
    assert article.published_at is not None
    assert abs(article.published_at - datetime.fromisoformat(gold["published_at"])) < timedelta(minutes=1)
