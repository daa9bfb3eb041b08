"""Ask a statement back against its evidence: conflicts that the span reader can point to."""

from collections.abc import Sequence

from pipelines.conflicts.comparison import Surroundings, slot_conflict, wording_conflicts
from pipelines.conflicts.slots import same_matter, useful_slots
from pipelines.conflicts.wording.attributed_falsehood import disputed_answer
from pipelines.contracts.evidence import Conflict, Evidence, piece_premise
from pipelines.contracts.span_reader import SpanReader
from pipelines.injection.sanitise import is_tainted
from pipelines.reading.windows import sentences_of

MIN_SPAN_SCORE = -4.0
"""Logit of the span against "no answer" from which a span counts; the model says "no answer" too readily."""


_FOLLOWING = 120
"""Characters behind a sentence that may call it false."""
CLOZE = "cloze"
"""Name of what asks for numbers, years and names, beside the wording finders."""


def find_conflicts(
    reader: SpanReader,
    statement: str,
    evidence: Sequence[Evidence],
    *,
    max_slots: int,
    max_texts: int,
    without: frozenset[str] = frozenset(),
) -> list[Evidence]:
    """
    Put the conflicts of each piece of evidence beside it.

    Numbers, years and names are asked for in the best `max_texts` pieces; wording is compared in every sentence. A
    conflict found by asking belongs to the sentence that holds the answer, which need not have been picked: it is
    added then.

    :param evidence: Best first.
    :param without: Names of finders to leave out: `CLOZE`, or of `pipelines.conflicts.comparison`.
    :returns: The evidence in order, added sentences behind.
    """
    items = {(item.article.article_id, item.start): _with_wording(statement, item, without) for item in evidence}
    texts = list({(item.article.article_id, item.context_start): item for item in evidence if item.context}.values())
    texts = texts[:max_texts]
    wanted = 0 if CLOZE in without else max_slots
    slots = useful_slots(statement, [item.context for item in texts], limit=wanted)
    asked = [
        (slot, item)
        for slot in slots
        for item in texts
        if same_matter(statement, piece_premise(item), beside=slot.stated)
    ]
    readings = reader.read([(slot.question, item.context) for slot, item in asked])
    for (slot, item), reading in zip(asked, readings, strict=True):
        if reading.span_score < MIN_SPAN_SCORE or reading.end <= reading.start:
            continue
        sentence = _sentence(item, reading.start, reading.end)
        if is_tainted(sentence.article.body, sentence.start, sentence.end):
            continue
        span = item.context[reading.start : reading.end]
        if disputed_answer(statement, sentence.text, span):
            continue
        conflict = slot_conflict(slot, span, sentence.text, context=_around(item))
        if conflict is not None:
            key = (sentence.article.article_id, sentence.start)
            known = items.get(key, sentence)
            items[key] = known.model_copy(update={"conflicts": (*known.conflicts, conflict)})
    return list(items.values())


def _around(item: Evidence) -> str:
    """Return headline and context of an item, and the year of publication, which an article need not name."""
    published = item.article.published_at
    return f"{piece_premise(item)} {published.year if published else ''}"


def surroundings(item: Evidence) -> Surroundings:
    """Return what stands around a sentence in its article."""
    article = item.article
    return Surroundings(
        published=article.published_at.date() if article.published_at else None,
        article=f"{article.headline}. {article.body}",
        following=article.body[item.end : item.end + _FOLLOWING],
    )


def _with_wording(statement: str, item: Evidence, without: frozenset[str]) -> Evidence:
    found: list[Conflict] = wording_conflicts(statement, item.text, near=surroundings(item), without=without)
    return item.model_copy(update={"conflicts": (*item.conflicts, *found)}) if found else item


def _sentence(item: Evidence, start: int, end: int) -> Evidence:
    """Return the evidence of the sentence of an item's context that holds a span."""
    spans = [span for span in sentences_of(item.context) if span[0] < end and start < span[1]]
    first, last = (spans[0][0], spans[-1][1]) if spans else (0, len(item.context))
    base = item.context_start
    return item.model_copy(
        update={"start": base + first, "end": base + last, "text": item.context[first:last], "conflicts": ()}
    )
