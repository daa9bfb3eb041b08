"""
A corpus to search: BEIR's `corpus.jsonl` (`_id`, `title`, `text`), SciFact's (`doc_id`, `title`, `abstract`), abstracts
in sentences (`id`, `title`, `sentences`) or article lines (`url`, `headline`, `body`, ...).

All become the article lines that `looksy index --articles` reads.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.types import Model
from evaluation.data.formats.lines import fail, read_objects, text_field, text_list
from indexing.articles import parse_line

_HEADLINE_WORDS = 12
_NO_PLACE = "https://corpus.invalid/"


class CorpusArticle(Model):
    """One document of a corpus, before it is indexed."""

    id: str
    """As the judgements name it."""
    url: str
    headline: str
    body: str
    published_at: str | None = None
    section: str | None = None
    source: str | None = None


def read_corpus(path: Path) -> Iterator[CorpusArticle]:
    """
    Yield the documents of a corpus. One without title takes its first words for it; one without text, its title.

    :raises InputError: For a malformed line, a document with neither title nor text, or an id that stands twice.
    """
    for _, article in _numbered(path):
        yield article


def check_corpus(path: Path) -> None:
    """
    Make sure that every document can be indexed. It takes as long as indexing does.

    :raises InputError: For the first that cannot; the message names file and line.
    """
    for line, article in _numbered(path):
        try:
            parse_line(_article_line(article).encode())
        except InputError as error:
            fail(path, line, error.message, hint=error.hint)


def write_articles(articles: Iterator[CorpusArticle], path: Path) -> int:
    """Write a corpus as article lines; return how many."""
    count = 0
    with path.open("w", encoding="utf-8") as handle:
        for count, article in enumerate(articles, 1):  # noqa: B007 - returned
            handle.write(_article_line(article) + "\n")
    return count


def _article_line(article: CorpusArticle) -> str:
    return json.dumps(article.model_dump(exclude_none=True), ensure_ascii=False)


def _numbered(path: Path) -> Iterator[tuple[int, CorpusArticle]]:
    """Yield the documents with their lines."""
    seen: set[str] = set()
    for line, row in read_objects(path):
        article = _document(row, path, line)
        if article.id in seen:
            fail(path, line, f"document {article.id!r} stands twice")
        seen.add(article.id)
        yield line, article
    if not seen:
        fail(path, 1, "no documents", hint="Write one JSON object a line.")


def _document(row: dict[str, Any], path: Path, line: int) -> CorpusArticle:
    for name, sentences in (("doc_id", "abstract"), ("id", "sentences")):
        if sentences in row:
            text = " ".join(text_list(row, sentences, path=path, line=line))
            row = {"_id": row.get(name), "title": row.get("title"), "text": text}
    return _beir(row, path, line) if "_id" in row else _article(row, path, line)


def _beir(row: dict[str, Any], path: Path, line: int) -> CorpusArticle:
    name = text_field(row, "_id", path=path, line=line)
    title = text_field(row, "title", path=path, line=line, required=False).strip()
    text = text_field(row, "text", path=path, line=line, required=False).strip()
    if not title and not text:
        fail(path, line, f"document {name!r} has neither title nor text")
    headline = title or " ".join(text.split()[:_HEADLINE_WORDS])
    return CorpusArticle(id=name, url=_address(name), headline=headline, body=text or title)


def _article(row: dict[str, Any], path: Path, line: int) -> CorpusArticle:
    url = text_field(row, "url", path=path, line=line, required=False)
    name = text_field(row, "id", path=path, line=line, required=not url) or url
    optional = {
        key: text_field(row, key, path=path, line=line, required=False) or None
        for key in ("published_at", "section", "source")
    }
    return CorpusArticle(
        id=name,
        url=url or _address(name),
        headline=text_field(row, "headline", path=path, line=line),
        body=text_field(row, "body", path=path, line=line),
        **optional,
    )


def _address(name: str) -> str:
    """Make an address for a document that has none, in a domain that can never exist (RFC 2606)."""
    return _NO_PLACE + hashlib.sha256(name.encode()).hexdigest()[:24]
