"""Passages that are parts of articles which do not ship: rows say where they stand and what a mirror changes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from training.data.packs import read_pack


def part_of(row: Mapping[str, Any], article: Mapping[str, str]) -> str:
    """Return the part of an article that a row's statements are about, white space made one space."""
    return " ".join(article["body"][row["start"] : row["end"]].split())


def edited(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """
    Replace pieces of a text.

    :param edits: Start and end in characters of the text, rising, and what stands there instead.
    """
    pieces, at = [], 0
    for start, end, other in edits:
        pieces += [text[at:start], other]
        at = end
    return "".join([*pieces, text[at:]])


def mirror_rows(root: Path, name: str, *, articles: str | None = None) -> list[dict[str, Any]]:
    """
    Read a pack of passages with mirrors, each row with its texts.

    :param articles: Pack that holds the articles, for rows that name a part of one (`article`, `start`, `end`), whether
        title and date stand before it (`headed`), and the `edits` that make the mirror; None: rows hold their texts.
    :returns: Rows with `passage`, perhaps `mirror`, and `source`.
    """
    rows = read_pack(root, name)
    if articles is None:
        return rows
    known = {row["id"]: row for row in read_pack(root, articles)}
    return [_with_texts(row, known[row["article"]], articles) for row in rows]


def _with_texts(row: dict[str, Any], article: Mapping[str, str], pack: str) -> dict[str, Any]:
    head = f"{article['title']} ({article['date'][:10]}). " if row["headed"] else ""
    passage = head + part_of(row, article)
    return {
        **row,
        "passage": passage,
        "mirror": edited(passage, row["edits"]),
        "source": f"{pack}: {row['article']}",
    }
