"""A process that commits and says so, until it is killed: `python -m tests.indexing.embedded.committing FOLDER`."""

import sys
from dataclasses import replace

import numpy as np
from haystack import Document

from core.types import Article
from indexing.documents import article_documents
from indexing.stores.embedded.store import EmbeddedStore
from tests.sample_articles import long_body, make_article

PER_COMMIT = 7
DIMENSION = 16


def article(number: int) -> Article:
    """The article of a number; every third one is a new revision of the one before it."""
    name = f"n{number - 1 if number % 3 == 2 else number}"
    return make_article(name, headline=f"Story {number}", body=long_body(sentences=30, word=f"word{number}"))


def vector(number: int, position: int) -> np.ndarray:
    """The vector of a passage."""
    return np.random.default_rng((number, position)).random(DIMENSION, dtype=np.float32)


def documents(number: int) -> list[Document]:
    """The passages of an article, with vectors."""
    return [
        replace(document, embedding=vector(number, position).tolist())
        for position, document in enumerate(article_documents(article(number)))
    ]


def main(folder: str) -> None:
    """Commit from where the index ends, without end."""
    store = EmbeddedStore(folder)
    number = int(sys.argv[2])
    while True:
        with store.writer() as writer:
            for _ in range(5):
                for _ in range(PER_COMMIT):
                    writer.put(article(number), documents(number))
                    number += 1
                writer.commit()
                print(number, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
