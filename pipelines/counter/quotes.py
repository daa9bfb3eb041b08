"""Which sentences a reply is grounded in: those that refute, then what else the articles say about the matter."""

import re
from collections.abc import Sequence

from core.types import Article, Relation
from pipelines.checks.grounding import word_share
from pipelines.findings import Evidence
from pipelines.neutralise import is_tainted
from pipelines.pieces import sentences_of

_PAUSE = re.compile(r"[,;:]\s|\s[–—-]\s")  # noqa: RUF001
MAX_QUOTES = 3
MIN_WORDS = 6
"""A shorter sentence says too little by itself."""
MIN_SHARE = 0.15
"""Share of the claim's content words that a further quote must have."""
ALIKE = 0.8
"""Share of content words from which two quotes say the same."""


def choose_quotes(claim: str, refuting: Sequence[Evidence], passages: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """
    Choose two or three quotes.

    :param refuting: Checked evidence that refutes the claim, surest first; not empty.
    :param passages: Whole passages about the claim, best first.
    :returns: The surest refuting sentences of different articles, then others; one alone where there is nothing else.
    """
    chosen: list[Evidence] = []
    one_an_article = {item.article.article_id: item for item in reversed(refuting)}
    for item in [*sorted(one_an_article.values(), key=lambda one: -one.score), *refuting]:
        _add(chosen, item)
    for item in _further(claim, refuting, passages):
        _add(chosen, item)
    return tuple(chosen[:MAX_QUOTES])


def _add(chosen: list[Evidence], item: Evidence) -> None:
    if not any(_alike(item, other) for other in chosen):
        chosen.append(item)


def _alike(item: Evidence, other: Evidence) -> bool:
    same_place = (
        item.article.article_id == other.article.article_id and item.start < other.end and other.start < item.end
    )
    return same_place or max(word_share(item.text, other.text), word_share(other.text, item.text)) >= ALIKE


def _further(claim: str, refuting: Sequence[Evidence], passages: Sequence[Evidence]) -> list[Evidence]:
    """Return sentences of the passages that share words with the claim, then the neighbours of what refutes."""
    sharing = [
        (word_share(claim, item.text), item)
        for passage in passages
        for item in _sentences(passage.article, passage.start, passage.end, relevance=passage.relevance)
    ]
    ranked = sorted((pair for pair in sharing if pair[0] >= MIN_SHARE), key=lambda pair: -pair[0] * pair[1].relevance)
    return [item for _, item in ranked] + [near for item in refuting for near in _neighbours(item)]


def _neighbours(item: Evidence) -> list[Evidence]:
    whole = _sentences(item.article, 0, len(item.article.body), relevance=item.relevance)
    after = [one for one in whole if one.start >= item.end][:1]
    before = [one for one in whole if one.end <= item.start][-1:]
    return after + before


def _sentences(article: Article, start: int, end: int, *, relevance: float) -> list[Evidence]:
    found = []
    for first, last in sentences_of(article.body[start:end]):
        text = article.body[start + first : start + last]
        if len(text.split()) < MIN_WORDS or text.endswith("?") or is_tainted(article.body, start + first, start + last):
            continue
        found.append(
            Evidence(
                article=article,
                start=start + first,
                end=start + last,
                text=text,
                relevance=relevance,
                relation=Relation.MENTIONS,
                score=relevance,
            )
        )
    return found


def shorten(item: Evidence, *, max_words: int) -> Evidence:
    """
    Cut a quote to a run of its words, around what conflicts with the claim; its text stays verbatim.

    :param max_words: Longest quote, > 0.
    """
    words = item.text.split()
    if len(words) <= max_words:
        return item
    wanted = item.conflicts[0].found.casefold().removeprefix("not ").rstrip("-") if item.conflicts else ""
    at = item.text.casefold().find(wanted) if wanted else 0
    before = len(item.text[: max(at, 0)].split())
    first = 0 if before < max_words - 2 else min(before - max_words // 2, len(words) - max_words)
    offset = _place(item.text, first)
    end = _place(item.text, first + max_words - 1)
    end += len(item.text[end:].split(maxsplit=1)[0])
    pauses = [match.start() for match in _PAUSE.finditer(item.text, offset, end)]
    least = max(offset + (end - offset) // 2, at + len(wanted))
    end = max((pause for pause in pauses if pause >= least), default=end)
    text = item.text[offset:end]
    return item.model_copy(update={"start": item.start + offset, "end": item.start + end, "text": text})


def _place(text: str, number: int) -> int:
    """Return where the word of this number begins."""
    position = 0
    for word in text.split()[:number]:
        position = text.index(word, position) + len(word)
    return position + len(text[position:]) - len(text[position:].lstrip())
