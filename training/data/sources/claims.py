"""Claims and the abstracts they are to find: Check-COVID."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.tasks.counter.measures import bm25_table
from models.reranker import Embed, Floats
from training.data.packs import read_pack

CLAIMS, ABSTRACTS = "check_covid_claims", "check_covid_abstracts"


@dataclass(frozen=True)
class Pool:
    """Claims over a pool of abstracts, ready to be ranked."""

    queries: Floats
    """(claims, dimension)."""
    texts: Floats
    """(abstracts, dimension)."""
    bm25: Floats
    """(claims, abstracts)."""
    gold: np.ndarray[tuple[int], np.dtype[np.int64]]
    """(claims,): the abstract that each claim was written about."""
    splits: tuple[str, ...]
    """Of each claim: train, dev or test. Splits share no abstract."""


def read_pool(data: Path, embed: Embed) -> Pool:
    """
    Embed claims and abstracts, and rank all abstracts for each claim by BM25.

    :param data: The data root.
    """
    claims, abstracts = read_pack(data, CLAIMS), read_pack(data, ABSTRACTS)
    texts = [f"{row['title']}. {' '.join(row['sentences'])}" for row in abstracts]
    asked = [row["claim"] for row in claims]
    numbers = {row["id"]: number for number, row in enumerate(abstracts)}
    return Pool(
        queries=embed(asked),
        texts=embed(texts),
        bm25=bm25_table(asked, texts),
        gold=np.array([numbers[row["gold_abstract"]] for row in claims]),
        splits=tuple(row["split"] for row in claims),
    )
