"""Questions beside passages that answer them, and beside passages that do not."""

import hashlib
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from training.data.examples import Example, Group
from training.data.packs import read_pack
from training.data.sources.counterfactual_passages import TRAIN, row_title, wikipedia_title

NO_ANSWER = (0, 0)
HELD_OUT_TITLES = 44
_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“])")


def held_out_titles(titles: Sequence[str]) -> frozenset[str]:
    """Return the titles kept for measuring: the 44 whose names hash lowest."""
    ranked = sorted(set(titles), key=lambda title: hashlib.sha256(title.encode()).hexdigest())
    return frozenset(ranked[:HELD_OUT_TITLES])


def squad_groups(
    root: Path,
    pack: str,
    *,
    held_out: bool = False,
    unanswerable: float = 0.4,
    trimmed: float = 0.6,
    headlines: float = 0.0,
) -> list[Group]:
    """
    Read SQuAD's questions.

    :param held_out: Only the titles kept for measuring; else all others.
    :param unanswerable: Share (0 to 1) of questions that are also put to another paragraph of the same article that
        shares words with the question and does not hold the answer.
    :param trimmed: Share of paragraphs cut to the answer's sentence and its neighbours.
    :param headlines: Share of questions whose passages stand behind the article's title, with an answer and without.
    """
    articles = read_pack(root, pack)
    kept = held_out_titles([article["title"] for article in articles])
    chance = random.Random("squad")
    heading = random.Random("squad headlines")
    groups: list[Group] = []
    for article in articles:
        if (article["title"] in kept) is held_out:
            title = article["title"].replace("_", " ")
            found = _article_groups(article, chance, unanswerable=unanswerable, trimmed=trimmed)
            groups.extend(_behind(group, title, heading, share=headlines) for group in found)
    return groups


def written_groups(
    root: Path,
    packs: Sequence[str],
    *,
    splits: Sequence[str] = TRAIN,
    headlines: float | None = None,
    titles: str | None = None,
) -> list[Group]:
    """
    Read written questions, those that their passage answers and those that it does not.

    :param headlines: Share (0 to 1) of questions whose passage stands behind the article's title, with an answer and
        without; None: those without an answer whose passage is from Wikipedia, and no others, as the recipes up to the
        sixth version had it.
    :param titles: As for `mirror_groups`.
    """
    known = {row["id"]: row["title"] for row in read_pack(root, titles)} if titles else {}
    chance = random.Random("written")
    groups: list[Group] = []
    for row in (row for name in packs for row in read_pack(root, name) if row["split"] in splits):
        answered, unanswered = _written(row)
        if headlines is None:
            title, share = wikipedia_title(row["source"]), 1.0
            groups.extend(answered)
        else:
            title, share = row_title(row, known), headlines
            groups.extend(_behind(group, title, chance, share=share) for group in answered)
        groups.extend(_behind(group, title, chance, share=share) for group in unanswered)
    return groups


def _written(row: dict[str, Any]) -> tuple[list[Group], list[Group]]:
    """Take the questions of a row: those with an answer in the passage, and those without."""
    passage = row["passage"]
    answered = []
    for item in row["questions"]:
        start = passage.find(item["answer"])
        if start >= 0:
            span = (start, start + len(item["answer"]))
            answered.append(Group((Example(item["question"], passage, span=span, relevant=True),)))
    return answered, [Group((Example(question, passage, span=NO_ANSWER),)) for question in row["unanswerable"]]


def _behind(group: Group, title: str, chance: random.Random, *, share: float) -> Group:
    """Set a question's passage behind a title, in a share of cases; an answer's place moves with it."""
    if not title or chance.random() >= share:
        return group
    (example,) = group.examples
    head = f"{title}. "
    span = example.span
    if span and span != NO_ANSWER:
        span = (span[0] + len(head), span[1] + len(head))
    return Group((replace(example, passage=head + example.passage, span=span),))


def _article_groups(
    article: dict[str, Any], chance: random.Random, *, unanswerable: float, trimmed: float
) -> Iterator[Group]:
    words = {text: set(text.lower().split()) for text in (part["context"] for part in article["paragraphs"])}
    for paragraph in article["paragraphs"]:
        for question in paragraph["qas"]:
            answer = question["answers"][0]
            if question.get("n_occurrences", 1) > 1:
                continue
            span = (answer["answer_start"], answer["answer_start"] + len(answer["text"]))
            passage = paragraph["context"]
            if chance.random() < trimmed:
                passage, span = around(passage, span)
            yield Group((Example(question["question"], passage, span=span, relevant=True),))
            if chance.random() < unanswerable:
                other = _near(question["question"], answer["text"], paragraph["context"], words)
                if other:
                    yield Group((Example(question["question"], other, span=NO_ANSWER, relevant=False),))


def around(passage: str, span: tuple[int, int], *, neighbours: int = 1) -> tuple[str, tuple[int, int]]:
    """Cut a passage to the sentences that a span touches and their neighbours; the span moves with it."""
    starts = [0, *(match.end() for match in _BREAK.finditer(passage))]
    ends = [*starts[1:], len(passage)]
    touched = [index for index in range(len(starts)) if starts[index] < span[1] and ends[index] > span[0]]
    first = starts[max(0, touched[0] - neighbours)]
    last = ends[min(len(ends) - 1, touched[-1] + neighbours)]
    return passage[first:last].rstrip(), (span[0] - first, span[1] - first)


def _near(question: str, answer: str, own: str, words: Mapping[str, set[str]]) -> str:
    """
    Return the other paragraph that shares most words with the question and lacks the answer; or nothing.

    :param words: Paragraph to its words.
    """
    asked = set(question.lower().split())
    for text in sorted(words, key=lambda text: len(asked & words[text]), reverse=True):
        if text != own and answer.lower() not in text.lower():
            return text
    return ""
