"""
Near copies of sentences of articles: one fact or word exchanged, in the statement, in the passage, or in both.

The edits are those of `looksy benchmark conflicts`, over other articles: a number, name, place, role, quantifier,
stage, direction, attribution or negation. Each edit gives pairs in which neither text alone gives the label away
(Kaushik, Hovy, Lipton 2020, "Learning the Difference that Makes a Difference with Counterfactually-Augmented Data").
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.sentences import sentence_spans
from evaluation.benchmarks.near_copies.facts import PERSON, fact_edits
from evaluation.benchmarks.near_copies.source import FALSE, Draw, Edit, Source, is_fit
from evaluation.benchmarks.near_copies.wording import wording_edits
from training.data.examples import NEITHER, SUPPORTS, Example, Group
from training.data.packs import read_pack
from training.data.sources.minimal_pairs import told_of

_STRANGERS = 40
"""Articles whose people may take the place of an article's own."""
_SENTENCES = 25
"""Of an article, from its beginning: what comes later is seldom news."""


def near_copy_groups(
    root: Path,
    packs: Sequence[str],
    *,
    without: Sequence[str] = (),
    most: int = 1000,
    of_an_article: int = 3,
    headlines: float = 0.6,
    alone: float = 0.6,
) -> list[Group]:
    """
    Exchange one fact or word of sentences that can stand alone.

    :param packs: Articles: rows with `id`, `title`, `body` and `date`.
    :param without: Packs whose rows name articles (`article`, or at the end of `source`) to leave out.
    :param most: Edits of a kind at most.
    :param of_an_article: Edits of an article at most.
    :param headlines: Share (0 to 1) of unedited passages that stand behind *headline (date)*, as the pipeline asks.
    :param alone: Share of passages that are the sentence alone; the others have their neighbours around them.
    :returns: Groups of four where the edit makes a statement false: true and false one before the passage, then before
        the edited one. Groups of three where it leaves it open: both before the passage, the edited statement before
        the edited passage, which says it.
    """
    taken = {_article_of(row) for name in without for row in read_pack(root, name)}
    rows = [row for name in packs for row in read_pack(root, name) if row["id"] not in taken]
    chance = random.Random("near copies")
    chance.shuffle(rows)
    people = [sorted({match.group() for match in PERSON.finditer(row["body"])}) for row in rows]
    made: dict[str, int] = {}
    groups: list[Group] = []
    for row, own in zip(rows, people, strict=True):
        others = tuple(name for one in chance.sample(people, min(_STRANGERS, len(people))) for name in one)
        found = [one for one in _edits(row, own, others, chance) if one[1].false not in row["body"]]
        chance.shuffle(found)
        found.sort(key=lambda one: made.get(one[1].kind, 0))  # scarce kinds first
        for place, edit in found[:of_an_article]:
            if made.get(edit.kind, 0) < most:
                made[edit.kind] = made.get(edit.kind, 0) + 1
                groups.append(_group(row, place, edit, chance, headed=headlines, alone=alone))
    return groups


def _edits(
    row: Mapping[str, Any], people: Sequence[str], others: tuple[str, ...], chance: random.Random
) -> Iterator[tuple[tuple[int, int], Edit]]:
    """Yield edits of an article's sentences, each with the place of its sentence in the body."""
    body = row["body"]
    source = Source(row["id"], row["title"], body, int(row["date"][:4]), tuple(people))
    for start, end in sentence_spans(body)[:_SENTENCES]:
        if is_fit(body[start:end]):
            draw = Draw(text=body[start:end], source=source, rng=chance, others=others)
            for edit in (*fact_edits(draw), *wording_edits(draw)):
                if edit.true != edit.false:
                    yield (start, end), edit


def _group(
    row: Mapping[str, Any], place: tuple[int, int], edit: Edit, chance: random.Random, *, headed: float, alone: float
) -> Group:
    body = row["body"]
    before, after = ("", "") if chance.random() < alone else _neighbours(body, place)
    passage = " ".join(f"{before} {body[slice(*place)]} {after}".split())
    edited = " ".join(f"{before} {edit.false} {after}".split())
    if chance.random() < headed:
        passage = f"{row['title']} ({row['date'][:10]}). {passage}"
    if edit.label == FALSE:
        return Group((*told_of(edit.true, edit.false, passage), *told_of(edit.false, edit.true, edited)[::-1]))
    return Group(
        (
            Example(edit.true, passage, relation=SUPPORTS, relevant=True),
            Example(edit.false, passage, relation=NEITHER, relevant=True),
            Example(edit.false, edited, relation=SUPPORTS, relevant=True),
        )
    )


def _neighbours(body: str, place: tuple[int, int]) -> tuple[str, str]:
    """Return the sentences before and behind one, empty where there is none."""
    spans = sentence_spans(body)
    at = spans.index(place)
    before = body[slice(*spans[at - 1])] if at else ""
    after = body[slice(*spans[at + 1])] if at + 1 < len(spans) else ""
    return before, after


def _article_of(row: Mapping[str, Any]) -> str:
    return str(row.get("article") or row.get("source", "").rpartition(": ")[2])
