"""Read the near copies, and the far-worded statements beside them."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from core.paths import DATASETS, ROOT
from core.sentences import sentence_spans
from core.types import Article, Model
from indexing.articles import parse_line

NEAR = DATASETS / "near_copies"
WRITTEN = NEAR / "written.jsonl"
"""Short articles written for the benchmark, each with a pair of statements."""
SAMPLE = DATASETS / "sample"


class NearCopy(Model):
    """A statement that copies a sentence, changed in one fact or in none."""

    id: str
    pair: str
    """Shared by the true and the false statement in the same wording."""
    kind: str
    """What was changed."""
    statement: str
    truth: Literal["true", "false", "open"]
    article_id: str
    start: int
    """Of the sentence in the article's body."""
    end: int


class FarStatement(Model):
    """A statement in words of its own, and the sentence that is nearest to it."""

    statement: str
    sentence: str
    truth: Literal["true", "false", "open"]


def read_near_copies() -> list[NearCopy]:
    """Return all near copies, true before false, pair by pair; kinds are dealt out evenly from the front."""
    pairs = sorted(_rows(NEAR / "near_copies.jsonl.gz"), key=lambda row: (row["id"].rsplit("-", 1)[1], row["id"]))
    return [_copy(row, side) for row in pairs for side in ("true", "false")]


def read_written_copies() -> list[NearCopy]:
    """Return the near copies of kinds that no program can make out of sentences, pair by pair; true before false."""
    return [_copy(_in_place(row), side) for row in _lines(WRITTEN) for side in ("true", "false")]


def read_sources() -> dict[str, Article]:
    """Return the articles of the near copies by the id that these name."""
    news = {row["id"]: as_article(row) for row in _rows(SAMPLE / "articles.jsonl.gz")}
    passages = {row["id"]: _passage(row) for row in _rows(NEAR / "passages.jsonl.gz")}
    return news | passages | {row["id"]: _story(row) for row in _lines(WRITTEN)}


def as_article(row: dict[str, Any]) -> Article:
    """Return a row as the article that an import would make of it."""
    return parse_line(json.dumps(row).encode())


def read_far_statements(*, most: int) -> Iterator[FarStatement]:
    """
    Yield the bundled statements that are worded far from their evidence.

    :param most: Statements of the Wikipedia pack, which is not in the wheel; the retold ones come whole.
    """
    for row in _lines(SAMPLE / "retold.jsonl"):
        if row.get("quote") and row["label"] in _TRUTHS:
            yield FarStatement(statement=row["claim"], sentence=row["quote"], truth=_TRUTHS[row["label"]])
    pack = next(ROOT.glob("training/**/mirrored_wikipedia.jsonl.gz"), None)
    rows = [] if pack is None else [row for row in _rows(pack) if row["split"] == "dev"]
    statements = [(row["passage"], one) for row in rows for one in row["statements"]]
    for passage, one in statements[:most]:
        yield FarStatement(statement=one["text"], sentence=_nearest(one["text"], passage), truth=_TRUTHS[one["label"]])


_TRUTHS: dict[str, Literal["true", "false", "open"]] = {"supports": "true", "refutes": "false", "neutral": "open"}


def _nearest(statement: str, passage: str) -> str:
    wanted = set(statement.lower().split())
    sentences = [passage[start:end] for start, end in sentence_spans(passage)]
    return max(sentences, key=lambda text: len(wanted & set(text.lower().split())), default=passage)


def _copy(row: dict[str, Any], side: str) -> NearCopy:
    truth = "true" if side == "true" else _TRUTHS.get(row["label"], "open")
    return NearCopy(
        id=f"{row['id']}-{side}",
        pair=row["id"],
        kind=row["kind"],
        statement=row[side],
        truth=truth,
        article_id=row["article_id"],
        start=row["start"],
        end=row["end"],
    )


def _passage(row: dict[str, Any]) -> Article:
    return as_article({"url": f"https://en.wikipedia.example/{row['id']}", **row, "published_at": "2016-01-01"})


def _in_place(row: dict[str, Any]) -> dict[str, Any]:
    """Return a written pair with its article and the place of its sentence."""
    start = row["body"].index(row["sentence"])
    return row | {"article_id": row["id"], "start": start, "end": start + len(row["sentence"])}


def _story(row: dict[str, Any]) -> Article:
    return as_article(
        {
            "url": f"https://news.example/{row['id']}",
            "headline": row["headline"],
            "body": row["body"],
            "published_at": "2020-03-04",
        }
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
