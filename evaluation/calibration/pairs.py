"""
Make a corpus with questions out of written question packs, to fit on.

    python -m evaluation.calibration.pairs --pairs NEWS --pairs WIKIPEDIA --articles ARTICLES --out FOLDER

A pack's line has `id`, `passage`, `questions` (each `question`, `answer`), `unanswerable`, `split` and `source`
("pack: article or title"). Three kinds of question come of it:

- *answered*: of the packs' `dev` passages, which the model was not trained on. A question is put to the whole article
  its passage is from, where the articles hold it; every other such article is cut to the passage, since only then its
  unanswerable questions are known to be so. Passages of one title make one article.
- *near*: unanswerable questions on those passages: their people and events are there, the fact is not.
- *absent*: questions on `train` passages whose article is left out: neither people nor events are there.

The other `train` passages and articles are there to mislead.
"""

import argparse
import gzip
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

DISTRACTORS = 4000
PASSAGES = {"train": 600, "dev": 600}
ABSENT = 200
SEED = 7


def build(pairs: Iterable[Path], articles: Path, out: Path) -> None:
    """
    Write `articles.jsonl` and `queries.jsonl`, whose `split` is the kind of question.

    :param pairs: Question packs, JSON lines, gzip.
    :param articles: Articles with `id`, `title`, `body`, JSON lines, gzip.
    """
    chance = random.Random(SEED)
    texts = {row["id"]: row for row in read_pack(articles)}
    passages = [row for path in pairs for row in read_pack(path)]
    chance.shuffle(passages)
    bodies: dict[str, dict[str, Any]] = {}
    queries = []
    for row, whole in _chosen(passages, texts):
        name = _name(row)
        article = bodies.setdefault(name, _article(name, texts.get(name), whole=whole))
        if not whole and row["passage"] not in article["body"]:
            article["body"] = f"{article['body']}\n\n{row['passage']}".strip()
        if row["split"] == "dev":
            queries += [*_answered(row, kind="answered"), *([] if whole else _near(row))]
    rest = chance.sample(sorted(set(texts) - set(bodies)), k=min(DISTRACTORS, len(texts) - len(bodies)))
    bodies.update({name: _article(name, texts[name], whole=True) for name in rest})
    absent = [row for row in passages if row["split"] == "train" and _name(row) not in bodies and _name(row) in texts]
    queries += [query for row in absent[:ABSENT] for query in _answered(row, kind="absent")]
    out.mkdir(parents=True, exist_ok=True)
    _write(out / "articles.jsonl", bodies.values())
    _write(out / "queries.jsonl", queries)


def _chosen(passages: list[dict[str, Any]], texts: dict[str, Any]) -> Iterator[tuple[dict[str, Any], bool]]:
    """Choose passages, and whether their article stays whole; one passage of an article, all of a title."""
    left, taken = dict(PASSAGES), set()
    for row in passages:
        pack, name = row["source"].split(": ", 1)
        if name in taken or not left[row["split"]] or (name not in texts and pack != "squad"):
            continue
        left[row["split"]] -= 1
        if name in texts:
            taken.add(name)
            yield row, len(taken) % 2 == 0 and row["passage"] in texts[name]["body"]
        else:
            yield row, False


def _name(row: dict[str, Any]) -> str:
    return str(row["source"]).split(": ", 1)[1]


def _article(name: str, text: dict[str, Any] | None, *, whole: bool) -> dict[str, Any]:
    headline = text["title"] if text else name.replace("_", " ").replace("%27", "'")
    return {"url": f"https://example.org/{name}", "headline": headline, "body": text["body"] if text and whole else ""}


def _answered(row: dict[str, Any], *, kind: str) -> list[dict[str, Any]]:
    """Make queries of a passage's questions; an absent one has its answer too, which another article may hold."""
    return [
        {
            "kind": "question",
            "split": kind,
            "id": f"{row['id']}-{at}",
            "text": item["question"],
            "answers": [item["answer"]],
            "quote": row["passage"],
            "answerable": kind != "absent",
        }
        for at, item in enumerate(row["questions"])
    ]


def _near(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"kind": "question", "split": "near", "id": f"{row['id']}-u{at}", "text": question, "answerable": False}
        for at, question in enumerate(row["unanswerable"])
    ]


def read_pack(path: Path) -> list[dict[str, Any]]:
    """Read a pack: JSON lines, gzip."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Make a corpus with questions to fit on.")
    parser.add_argument("--pairs", type=Path, action="append", required=True)
    parser.add_argument("--articles", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    build(given.pairs, given.articles, given.out)


if __name__ == "__main__":
    main()
