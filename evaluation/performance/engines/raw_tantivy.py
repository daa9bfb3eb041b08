"""tantivy as its documentation shows it: the stock English analyser, the query parser, stored fields."""

from datetime import datetime
from pathlib import Path

import tantivy
from tantivy import FieldType, Occur, Query

from evaluation.performance.engines.base import Batch


class RawTantivy:
    """One field for the headline and one for the text, both searched."""

    on_disk = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        builder.add_text_field("headline", stored=True, tokenizer_name="en_stem")
        builder.add_text_field("text", stored=True, tokenizer_name="en_stem")
        builder.add_text_field("source", stored=True, tokenizer_name="raw")
        builder.add_date_field("published", stored=True, indexed=True, fast=True)
        self._schema = builder.build()

    def create(self) -> None:
        self._index = tantivy.Index(self._schema, path=str(self._folder))
        self._writer = self._index.writer(256_000_000)

    def add(self, batch: Batch) -> None:
        for article, documents in batch:
            for document in documents:
                entry = tantivy.Document(
                    id=document.id, headline=article.headline, text=document.content or "", source=article.source
                )
                if article.published_at is not None:
                    entry.add_date("published", article.published_at)
                self._writer.add_document(entry)

    def finish(self) -> None:
        self._writer.commit()
        self._writer.wait_merging_threads()

    def open(self) -> None:
        self._index = tantivy.Index(self._schema, path=str(self._folder))
        self._searcher = self._index.searcher()

    def search(self, text: str, *, top_k: int, published_from: datetime | None = None) -> list[str]:
        query, _ = self._index.parse_query_lenient(text, ["headline", "text"])
        if published_from is not None:
            later = Query.range_query(self._schema, "published", FieldType.Date, published_from, None)
            query = Query.boolean_query([(Occur.Must, query), (Occur.Must, later)])
        hits = self._searcher.search(query, top_k, count=False).hits
        return [self._searcher.doc(address).to_dict()["id"][0] for _, address in hits]

    def close(self) -> None:
        pass

    def destroy(self) -> None:
        pass
