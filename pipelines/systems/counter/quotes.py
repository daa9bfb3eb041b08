"""Which sentences a reply is grounded in: those that refute, then what else the articles say about the matter."""

import re
from collections.abc import Iterable, Sequence

from core.types import Article, Relation
from pipelines.attribution.grounding import word_share
from pipelines.attribution.support import Judge
from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.names.anaphora import opens_unnamed
from pipelines.conflicts.names.names import mentions
from pipelines.contracts.evidence import Evidence
from pipelines.injection.sanitise import is_tainted
from pipelines.reading.windows import sentence_around, sentences_of

MAX_QUOTES = 3
MIN_WORDS = 6
"""A shorter sentence says too little by itself."""
MAX_WORDS = 45
"""A longer sentence is too long beside one that refutes."""
CLOSE = 0.2
"""How close to the claim a second quote must be."""
CLOSER = 0.5
"""How close a third must be."""
MOST_JUDGED = 6
"""Further quotes that are weighed."""
SUPPORTING = 0.5
"""Probability of supporting the claim from which a further quote would undo the reply."""
_NAMED = 0.2
"""What mentioning a name of the claim counts beside the share of its words."""
ALIKE = 0.8
"""Share of content words from which two quotes say the same."""
_BEGINS = re.compile(r"[\"'“‘(\[]*[^\W_]")
_ENDS = re.compile(r"[.!?…][\"'”’)\]]*$")
_PAIRS = (("“", "”"), ("(", ")"), ("[", "]"))


def choose_quotes(
    claim: str, refuting: Sequence[Evidence], passages: Sequence[Evidence], *, judge: Judge | None = None
) -> tuple[Evidence, ...]:
    """
    Choose up to three quotes, each of whole sentences.

    :param refuting: Checked evidence that refutes the claim, surest first; not empty.
    :param passages: Whole passages about the claim, best first.
    :param judge: Says how surely a sentence supports the claim; further quotes that rather do are left out. None: all
        may be taken.
    :returns: Refuting sentences of different articles, surest first, those that do not open with a pronoun before
        the others, then what else the articles say about the matter. Only the first may open with a
        pronoun; then the sentence before it comes first, where that is clear, and no quote that refutes is left out
        for it.
    """
    whole = [_whole(item) for item in refuting]
    firsts = {item.article.article_id: item for item in reversed(whole)}
    order = sorted(firsts.values(), key=lambda one: (bool(opens_unnamed(one.text)), -one.score))
    chosen: list[Evidence] = []
    further = _not_supporting(claim, _further(claim, whole, passages)[:MOST_JUDGED], judge)
    for item in [*order, *whole, *further]:
        if chosen and (opens_unnamed(item.text) or any(_alike(item, other) for other in chosen)):
            continue
        if len(chosen) < MAX_QUOTES - 1 or item.relation is Relation.REFUTES or _closeness(claim, item) >= CLOSER:
            chosen.append(item)
    lead = _lead_in(chosen[0])
    if lead is not None:
        first = next((item for item in chosen if _overlap(item, lead)), lead)
        rest = (item for item in chosen if item.relation is Relation.REFUTES or not _alike(item, lead))
        chosen = [first, *(item for item in rest if item is not first)]
    return tuple(chosen[:MAX_QUOTES])


def _whole(item: Evidence) -> Evidence:
    """Widen evidence to whole sentences; one that would take in a sentence that talks to a machine stays as it is."""
    body = item.article.body
    start, end = sentence_around(body, item.start, item.end)
    if (start, end) == (item.start, item.end) or is_tainted(body, start, end):
        return item
    return item.model_copy(update={"start": start, "end": end, "text": body[start:end]})


def _lead_in(item: Evidence) -> Evidence | None:
    """Return the sentence before one that opens with a pronoun, if it opens with none and is of the same paragraph."""
    if not opens_unnamed(item.text):
        return None
    before = [one for one in _sentences(item.article, 0, item.start, relevance=item.relevance) if one.end <= item.start]
    if not before or "\n" in item.article.body[before[-1].end : item.start]:
        return None
    return (
        None if opens_unnamed(before[-1].text) or item.article.body[before[-1].end : item.start].strip() else before[-1]
    )


def _alike(item: Evidence, other: Evidence) -> bool:
    shares = word_share(item.text, other.text), word_share(other.text, item.text)
    return _overlap(item, other) or max(shares) >= ALIKE


def _overlap(item: Evidence, other: Evidence) -> bool:
    return item.article.article_id == other.article.article_id and item.start < other.end and other.start < item.end


def _further(claim: str, refuting: Sequence[Evidence], passages: Sequence[Evidence]) -> list[Evidence]:
    """Return sentences about the claim that are clear by themselves and do not say what it got wrong, best first."""
    wrong = {conflict.stated.casefold() for item in refuting for conflict in item.conflicts}
    home = {item.article.article_id for item in refuting}
    found = [
        *(one for item in passages for one in _sentences(item.article, item.start, item.end, relevance=item.relevance)),
        *(
            one
            for item in refuting
            for one in _sentences(item.article, 0, len(item.article.body), relevance=item.score)
        ),
    ]
    shares = [
        (_closeness(claim, one) * one.relevance, one)
        for one in found
        if _closeness(claim, one) >= CLOSE
        and (one.article.article_id in home or not analyse(claim).names or _mentions_name(claim, one))
        and not opens_unnamed(one.text)
        and not any(stated in one.text.casefold() for stated in wrong)
    ]
    return [one for _, one in sorted(shares, key=lambda pair: -pair[0])]


def _not_supporting(claim: str, found: Sequence[Evidence], judge: Judge | None) -> list[Evidence]:
    if judge is None or not found:
        return list(found)
    supports = judge([(claim, item.text) for item in found])
    return [item for item, value in zip(found, supports, strict=True) if value < SUPPORTING]


def _closeness(claim: str, item: Evidence) -> float:
    return word_share(claim, item.text) + _NAMED * _mentions_name(claim, item)


def _mentions_name(claim: str, item: Evidence) -> bool:
    return any(mentions(name.keys, item.text) for name in analyse(claim).names)


def _sentences(article: Article, start: int, end: int, *, relevance: float) -> Iterable[Evidence]:
    """Yield the sentences of a part of an article that can be quoted by themselves."""
    for first, last in sentences_of(article.body[start:end]):
        text = article.body[start + first : start + last]
        if is_quotable(text) and not is_tainted(article.body, start + first, start + last):
            yield Evidence(
                article=article,
                start=start + first,
                end=start + last,
                text=text,
                relevance=relevance,
                relation=Relation.MENTIONS,
                score=relevance,
            )


def is_quotable(text: str) -> bool:
    """Say whether a text is a whole statement of fair length: capital letter to full stop, quotations closed."""
    if not MIN_WORDS <= len(text.split()) <= MAX_WORDS or text.endswith("?"):
        return False
    first = _BEGINS.match(text)
    if first is None or first.group()[-1].islower() or not _ENDS.search(text):
        return False
    return text.count('"') % 2 == 0 and all(text.count(left) == text.count(right) for left, right in _PAIRS)
