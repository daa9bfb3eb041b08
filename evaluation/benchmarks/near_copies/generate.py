"""
Make the near copies: `python -m evaluation.benchmarks.near_copies.generate`.

Each sentence that can stand alone is edited in one fact at a time. The unedited, or harmlessly restated, sentence is
the true statement; the edited one is the false statement. Safe by construction: what is put in stands nowhere else in
the article. `EXCLUDED` names the pairs that a reader found wrong all the same.
"""

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from core.paths import DATASETS, ROOT
from core.sentences import sentence_spans
from evaluation.benchmarks.near_copies.facts import PERSON, fact_edits
from evaluation.benchmarks.near_copies.read import NEAR, as_article
from evaluation.benchmarks.near_copies.source import Draw, Edit, Source, is_fit
from evaluation.benchmarks.near_copies.wording import wording_edits

SEED = 20281129
MOST_OF_A_KIND = 110
"""Pairs of a kind."""
MOST_OF_AN_ARTICLE = 8
_SCARCE = frozenset({"role", "stage", "number"})
"""Kinds that few sentences allow: taken before others."""
_TRAILING = re.compile(
    r", (?:[A-Z][\w'.]+|the [a-z ]{3,30}|police|officials|authorities)(?: [A-Z][\w'.]+){0,3} said(?: on \w+day)?\.$"
)
_LEADING = re.compile(
    r"^(?:However|Meanwhile|Moreover|Also|Additionally|Furthermore|In addition|For example|Thus|Therefore|Later), (?=\w)"
)


def main() -> None:
    """Write the near copies and the passages that they are made of."""
    sample = list(_sample_sources())
    wikipedia = list(_wikipedia_sources())
    pairs = make_pairs([*sample, *wikipedia])
    used = {pair["article_id"] for pair in pairs}
    _write("near_copies.jsonl.gz", pairs)
    _write(
        "passages.jsonl.gz",
        [
            {"id": one.article_id, "headline": one.headline, "body": one.body}
            for one in wikipedia
            if one.article_id in used
        ],
    )


def make_pairs(sources: list[Source], *, seed: int = SEED) -> list[dict[str, Any]]:
    """
    Return pairs of statements, at most `MOST_OF_A_KIND` of a kind.

    :param sources: Articles to take sentences from; the first are preferred.
    """
    people = {source.article_id: source.people for source in sources}
    by_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for source in sources:
        rng = Random(f"{seed} {source.article_id}")
        others = tuple(one for name in rng.sample(sorted(people), min(40, len(people))) for one in people[name])
        rows = [row for start, end in sentence_spans(source.body) for row in _rows(source, start, end, rng, others)]
        rng.shuffle(rows)
        rows.sort(key=lambda row: row["kind"] not in _SCARCE)
        for row in rows[:MOST_OF_AN_ARTICLE]:
            by_kind[row["kind"]].append(row)
    rng = Random(seed)
    pairs = []
    for kind, rows in sorted(by_kind.items()):
        rng.shuffle(rows)
        rows.sort(key=lambda row: row["article_id"].startswith("wiki-"))  # news first
        pairs += [{"id": f"{kind}-{number:03d}", **row} for number, row in enumerate(rows[:MOST_OF_A_KIND], start=1)]
    return [pair for pair in pairs if pair["id"] not in EXCLUDED]


def _rows(source: Source, start: int, end: int, rng: Random, others: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    sentence = source.body[start:end]
    text = _restated(sentence, rng)
    if not is_fit(text) or not is_fit(sentence):
        return
    draw = Draw(text=text, source=source, rng=rng, others=others)
    for edit in (*fact_edits(draw), *wording_edits(draw)):
        if edit.true != edit.false and _is_new(edit, source):
            yield {
                "kind": edit.kind,
                "true": " ".join(edit.true.split()),
                "false": " ".join(edit.false.split()),
                "label": edit.label,
                "article_id": source.article_id,
                "start": start,
                "end": end,
            }


def _is_new(edit: Edit, source: Source) -> bool:
    return edit.false not in source.body and "  " not in edit.false and len(edit.false) > 20


def _restated(sentence: str, rng: Random) -> str:
    """Leave out, half of the time, who said it at the end, and always a word that ties a sentence to the last one."""
    short = _LEADING.sub("", sentence)
    if rng.random() < 0.5:
        short = _TRAILING.sub(".", short)
    return short[:1].upper() + short[1:]


def _sample_sources() -> Iterator[Source]:
    with gzip.open(DATASETS / "sample" / "articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            year = int(row["published_at"][:4]) if row.get("published_at") else None
            article = as_article(row)
            yield _source(row["id"], article.headline, article.body, year)


def _wikipedia_sources() -> Iterator[Source]:
    pack = next(ROOT.glob("training/**/mirrored_wikipedia.jsonl.gz"))
    with gzip.open(pack, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            title = row["source"].removeprefix("squad: ").replace("_", " ")
            if number % 2 == 0:
                yield _source(f"wiki-{row['id']}", title, row["passage"], None)


def _source(article_id: str, headline: str, body: str, year: int | None) -> Source:
    people = tuple(sorted({match.group() for match in PERSON.finditer(body)}))
    return Source(article_id=article_id, headline=headline, body=body, year=year, people=people)


def _write(name: str, rows: list[dict[str, Any]], folder: Path = NEAR) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    (folder / name).write_bytes(gzip.compress(text.encode(), mtime=0))


EXCLUDED: frozenset[str] = frozenset()
"""Pairs that a reader found mislabelled."""


if __name__ == "__main__":
    main()
