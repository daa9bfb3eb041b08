"""One committed state of an embedded index, both halves."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import tantivy
from haystack import Document
from haystack.utils.filters import document_matches_filter
from tantivy import Occur, Query

from core.types import Article
from indexing.analysis import tantivy_analyser
from indexing.filters import parse_filters
from indexing.stores.embedded import filter_query
from indexing.stores.embedded.manifest import Manifest
from indexing.stores.embedded.rows import KEYWORDS, SUPERSEDED, Row, decode, schema
from indexing.stores.embedded.vectors import Matrix, Nearest, VectorReader

MARGIN = 16
"""Hits asked for beyond those wanted, so that ties at the end and superseded rows cost no second search."""

EXACT_ROWS = 20_000
"""A filter that leaves fewer rows than this is answered by comparing all of them."""

_Hits = list[tuple[float, tantivy.DocAddress]]


@dataclass(frozen=True, slots=True)
class Restriction:
    """
    Which rows a search may return.

    :param query: Conditions that the index answers; None: none but being current.
    :param check: Whether a document passes what the index cannot answer; None: nothing is left to check.
    """

    query: Query | None
    check: Callable[[Document], bool] | None

    @property
    def is_trivial(self) -> bool:
        """Everything current."""
        return self.query is None and self.check is None


def restrict(filters: dict[str, Any] | None, as_of: datetime | None) -> Restriction:
    """
    Make a restriction of a filter and a time.

    :raises BadFilterError: If the filter means nothing.
    """
    condition = parse_filters(filters)
    queries, unanswered = filter_query.translate(condition) if condition else ([], False)
    if as_of is not None:
        queries.append(filter_query.known_by(as_of))
    elif queries:
        queries.append(filter_query.current())
    check = (lambda document: document_matches_filter(filters, document)) if filters and unanswered else None
    return Restriction(filter_query.conjunction(queries) if queries else None, check)


class View:
    """
    Searches one commit; later commits do not change what it returns.

    :param searcher: Of tantivy, at that commit.
    :param folder: Of the index.
    """

    def __init__(self, searcher: tantivy.Searcher, folder: Path) -> None:
        self.searcher = searcher
        self.folder = folder
        self.manifest = read_manifest(searcher)
        self.vectors = VectorReader(folder, self.manifest)

    def keyword_search(self, query: str, *, top_k: int, restriction: Restriction) -> list[Document]:
        """Rank by BM25, ties by passage id."""
        words = keyword_query(query)
        return [] if words is None else self._ranked(words, top_k, restriction)

    def vector_search(self, vector: Matrix, *, top_k: int, restriction: Restriction) -> list[Document]:
        """Rank by cosine, ties by passage id. Where few rows are allowed, those alone are compared."""
        allowed = restriction.query or filter_query.current()
        if restriction.query is not None and self.count(allowed) <= EXACT_ROWS:
            return self._nearest_allowed(vector, allowed, top_k, restriction)
        limit = top_k + MARGIN
        while True:
            hits = self.vectors.search(vector, limit)
            found = self._first_allowed(hits, allowed, top_k, restriction)
            if len(found) == top_k or limit >= self.vectors.total:
                return found
            limit = min(limit * 4, self.vectors.total)

    def _nearest_allowed(self, vector: Matrix, allowed: Query, top_k: int, restriction: Restriction) -> list[Document]:
        addresses = [address for _, address in self.addresses(allowed)]
        keys = [int(key) for key in self.searcher.fast_field_values("key", addresses) if key is not None]
        limit = len(keys) if restriction.check is not None else top_k + MARGIN
        return self._first_allowed(self.vectors.search_among(vector, keys, limit), allowed, top_k, restriction)

    def _first_allowed(self, hits: Nearest, allowed: Query, top_k: int, restriction: Restriction) -> list[Document]:
        """Read the rows of vectors, and return the first documents that a search may return."""
        keys = [key for key, _ in hits]
        rows = self.rows(filter_query.conjunction([Query.term_set_query(schema(), "key", keys), allowed]))
        by_key = {row.key: row for row in rows if restriction.check is None or restriction.check(row.document)}
        passed = [(by_key[key], score) for key, score in hits if key in by_key]
        passed.sort(key=lambda pair: (-pair[1], pair[0].document.id))
        return [scored(row, score) for row, score in passed[:top_k]]

    def _ranked(self, words: Query, top_k: int, restriction: Restriction) -> list[Document]:
        """Search for more and more until nothing that was not seen can belong to the first `top_k`."""
        query = words
        if restriction.query is not None:
            query = Query.boolean_query([(Occur.Must, words), (Occur.Must, filter_query.unscored(restriction.query))])
        limit = top_k + MARGIN
        while True:
            hits: _Hits = self.searcher.search(query, limit, count=False).hits
            complete = len(hits) < limit
            visible = self._current(hits) if restriction.query is None else hits
            if restriction.check is not None:
                visible = [hit for hit in visible if restriction.check(self.row(hit[1]).document)]
            if complete or _is_decided(visible, hits[-1][0], top_k):
                return [scored(row, score) for row, score in self._best(visible, top_k)]
            limit *= 4

    def _current(self, hits: _Hits) -> _Hits:
        superseded = self.searcher.fast_field_values(SUPERSEDED, [address for _, address in hits])
        return [hit for hit, moment in zip(hits, superseded, strict=True) if moment is None]

    def _best(self, hits: _Hits, top_k: int) -> list[tuple[Row, float]]:
        """Return the first rows in order of score and id; only those, and their ties, are read."""
        if len(hits) > top_k:
            last = hits[top_k - 1][0]
            hits = [hit for hit in hits if hit[0] >= last]
        rows = [(self.row(address), score) for score, address in hits]
        rows.sort(key=lambda pair: (-pair[1], pair[0].document.id))
        return rows[:top_k]

    def row(self, address: tantivy.DocAddress) -> Row:
        """Read one row."""
        return decode(self.searcher.doc(address))

    def rows(self, query: Query) -> list[Row]:
        """Read all rows that match, in no order."""
        return [self.row(address) for _, address in self.addresses(query)]

    def addresses(self, query: Query) -> _Hits:
        """Find all rows that match."""
        if not self.searcher.num_docs:
            return []
        return self.searcher.search(query, self.searcher.num_docs, count=False).hits

    def count(self, query: Query) -> int:
        """Count the rows that match."""
        return int(self.searcher.search(query, 1, count=True).count)  # type: ignore[attr-defined]

    def rows_of_article(self, article_id: str) -> list[Row]:
        """Read the rows of all revisions of an article."""
        return self.rows(Query.term_query(schema(), "article", article_id, "basic"))

    def revisions(self, article_ids: Sequence[str]) -> list[Article]:
        """Read all revisions of some articles, oldest first; of each, only the row that carries it."""
        named = Query.term_set_query(schema(), KEYWORDS["article_id"], article_ids)
        rows = self.rows(filter_query.conjunction([named, filter_query.first_passages()]))
        found = filter(None, (row.article() for row in rows))
        return sorted(found, key=lambda article: (article.first_seen_at, article.revision))

    def articles(self) -> Iterator[Article]:
        """Read all revisions of all articles, in the order of `EvidenceStore.iter_articles`."""
        addresses = [address for _, address in self.addresses(filter_query.first_passages())]
        seen = self.searcher.fast_field_values("first_seen", addresses)
        revisions = self.searcher.fast_field_values("revision", addresses)
        for place in sorted(range(len(addresses)), key=lambda place: (seen[place] or 0, revisions[place] or 0)):
            article = self.row(addresses[place]).article()
            if article is not None:
                yield article

    def row_by_id(self, passage_id: str) -> Row | None:
        """Read the row of a passage."""
        hits = self.searcher.search(Query.term_query(schema(), "id", passage_id, "basic"), 1, count=False).hits
        return self.row(hits[0][1]) if hits else None

    def filter_documents(self, restriction: Restriction) -> list[Document]:
        """Return all documents that pass, in order of id, with their vectors."""
        query = filter_query.conjunction([filter_query.passages(), restriction.query or filter_query.current()])
        rows = self.rows(query)
        passed = [row for row in rows if restriction.check is None or restriction.check(row.document)]
        passed.sort(key=lambda row: row.document.id)
        return [self.with_vector(row) for row in passed]

    def with_vector(self, row: Row) -> Document:
        """Return the row's document with its embedding."""
        if row.key is None:
            return row.document
        return replace(row.document, embedding=self.vectors.get(row.key).tolist())


def scored(row: Row, score: float) -> Document:
    """Return the row's document with a score; the document is fresh, so it is changed in place."""
    return replace(row.document, score=score)


def read_manifest(searcher: tantivy.Searcher) -> Manifest:
    """Return the manifest of the commit that the searcher sees; of an index without commits, an empty one."""
    hits = searcher.search(Query.term_query(schema(), "kind", "manifest", "basic"), 1, count=False).hits
    if not hits:
        return Manifest()
    return Manifest.model_validate_json(searcher.doc(hits[0][1]).get_first("manifest"))  # type: ignore[arg-type]


@cache
def _analyser() -> tantivy.TextAnalyzer:
    return tantivy_analyser()


def keyword_query(text: str) -> Query | None:
    """Look for any of the words of a text; a word that is repeated counts as often. None: it has no words."""
    words = Counter(_analyser().analyze(text.encode("utf-8", "replace").decode()))
    if not words:
        return None
    terms = [
        (Occur.Should, term if count == 1 else Query.boost_query(term, float(count)))
        for term, count in ((Query.term_query(schema(), "text", word, "freq"), count) for word, count in words.items())
    ]
    return terms[0][1] if len(terms) == 1 else Query.boolean_query(terms)


def _is_decided(kept: Sequence[tuple[float, Any]], last_score: float, top_k: int) -> bool:
    """Say whether the first `top_k` of what was kept, ties included, are above everything that was not seen."""
    return len(kept) >= top_k and kept[top_k - 1][0] > last_score
