"""bm25s: BM25 in numpy, over a corpus that does not change."""

from datetime import datetime
from pathlib import Path

import bm25s
import numpy as np

from evaluation.performance.engines.base import Batch


class Bm25sEngine:
    """Lucene's variant of BM25; a date filter is a mask over all passages."""

    on_disk = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def create(self) -> None:
        self._ids: list[str] = []
        self._texts: list[str] = []
        self._published: list[float] = []

    def add(self, batch: Batch) -> None:
        for article, documents in batch:
            for document in documents:
                self._ids.append(document.id)
                self._texts.append(f"{article.headline}\n{document.content}")
                self._published.append(article.published_at.timestamp() if article.published_at else 0.0)

    def finish(self) -> None:
        self._index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        self._index.index(bm25s.tokenize(self._texts, stopwords="en", show_progress=False), show_progress=False)
        self._index.save(str(self._folder / "bm25s"), corpus=self._texts)
        self._times = np.array(self._published)

    def open(self) -> None:
        pass

    def search(self, text: str, *, top_k: int, published_from: datetime | None = None) -> list[str]:
        tokens = bm25s.tokenize([text], stopwords="en", show_progress=False)
        mask = None if published_from is None else (self._times >= published_from.timestamp()).astype(np.float32)
        places, _ = self._index.retrieve(tokens, k=top_k, weight_mask=mask, show_progress=False)
        return [self._ids[int(place)] for place in places[0]]

    def close(self) -> None:
        pass

    def destroy(self) -> None:
        pass
