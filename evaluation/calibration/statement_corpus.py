"""
Make a corpus with statements out of written packs, to fit on.

Of the packs' `dev` passages that have a mirror, every other one is replaced by it, so that a statement's wording does
not give its label away: under the mirror, other facts hold. Some `train` passages are there to mislead.
"""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evaluation.calibration.pairs import read_pack

DISTRACTORS = 800
SEED = 5
ARTICLES, CLAIMS = "articles.jsonl", "claims.jsonl"


def build(packs: Sequence[Path], titles: Path, out: Path) -> None:
    """
    Write `articles.jsonl` and `claims.jsonl`; each claim names its article, and passages are told apart by it.

    :param packs: JSON lines, gzip; see `evaluation.calibration.relations`.
    :param titles: Articles with `id` and `title`, JSON lines, gzip: the headlines of the passages.
    """
    chance = random.Random(SEED)
    headlines = {row["id"]: row["title"] for row in read_pack(titles)}
    rows = [row for pack in packs for row in read_pack(pack)]
    chance.shuffle(rows)
    judged = [row for row in rows if row["split"] == "dev" and "mirror" in row]
    articles = [_article(row, headlines, mirrored=at % 2 == 1) for at, row in enumerate(judged)]
    misleading = [row for row in rows if row["split"] == "train"][:DISTRACTORS]
    articles += [_article(row, headlines, mirrored=False) for row in misleading]
    claims = [claim for at, row in enumerate(judged) for claim in _claims(row, mirrored=at % 2 == 1)]
    out.mkdir(parents=True, exist_ok=True)
    for name, lines in ((ARTICLES, articles), (CLAIMS, claims)):
        (out / name).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _article(row: dict[str, Any], headlines: dict[str, str], *, mirrored: bool) -> dict[str, Any]:
    name = row["source"].split(": ", 1)[1]
    return {
        "id": row["id"],
        "url": f"https://example.org/{row['id']}",
        "headline": headlines.get(name) or name.replace("_", " ").replace("%27", "'"),
        "body": row["mirror"] if mirrored else row["passage"],
    }


def _claims(row: dict[str, Any], *, mirrored: bool) -> Iterator[dict[str, Any]]:
    for number, statement in enumerate(row["statements"]):
        label = statement.get("mirror_label") if mirrored else statement["label"]
        if label is not None:
            yield {
                "id": f"{row['id']}-{number}",
                "claim": statement["text"],
                "label": label,
                "article_ids": [row["id"]],
            }
