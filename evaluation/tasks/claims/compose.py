"""Texts composed from statements whose truth is known, with sentences between them that state nothing."""

import random
from collections.abc import Iterator, Sequence
from itertools import cycle

from evaluation.data.formats.claims import Claim
from evaluation.data.formats.marked_texts import Mark, MarkedSentence, MarkedText

STATEMENTS_A_TEXT = 15
_PARAGRAPH = 3
"""Statements of a paragraph; an empty sentence stands before each but the first of it."""
_SEED = 30


def compose_texts(statements: Sequence[Claim], empty: Sequence[str]) -> list[MarkedText]:
    """
    Put statements into texts, in an order that is drawn once and for all, so that true, false and open ones mix.

    :param empty: Sentences that are not claims; each is used about as often as the others.
    :returns: Texts of about `STATEMENTS_A_TEXT` statements each; every statement once.
    """
    order = random.Random(_SEED)
    statements = order.sample(list(statements), len(statements))
    fillers = cycle(order.sample(list(empty), len(empty)))
    count = max(1, round(len(statements) / STATEMENTS_A_TEXT))
    return [_text(f"composed-{at + 1}", statements[at::count], fillers) for at in range(count)]


def empty_sentences(texts: Sequence[MarkedText]) -> list[str]:
    """Return the sentences of marked texts that are not claims."""
    found = [text.text[one.start : one.end] for text in texts for one in text.sentences if one.mark is Mark.NONE]
    return list(dict.fromkeys(one for one in found if one.endswith((".", "!", "?"))))


def _text(name: str, statements: Sequence[Claim], fillers: Iterator[str]) -> MarkedText:
    sentences: list[MarkedSentence] = []
    text = ""

    def add(words: str, mark: Mark, label: str, claim: Claim | None = None) -> None:
        nonlocal text
        start = len(text)
        text += words
        verdict = claim.label if claim else None
        sentences.append(MarkedSentence(start=start, end=len(text), mark=mark, label=label, verdict=verdict))

    for number, claim in enumerate(statements):
        if number and number % _PARAGRAPH == 0:
            text += "\n\n"
        elif number:
            text += " "
            add(next(fillers), Mark.NONE, "empty")
            text += " "
        add(claim.text.strip(), Mark.CLAIM, claim.id, claim)
    return MarkedText(id=name, text=text, sentences=tuple(sentences))
