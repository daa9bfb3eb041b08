"""Sentences of a text, as character spans."""

from collections.abc import Iterator

import sentencex

PARAGRAPH_BREAK = "\n\n"


def paragraph_spans(text: str) -> Iterator[tuple[int, int]]:
    """
    Yield the half-open character span of each non-blank paragraph, in order, without surrounding blanks.

    :param text: Paragraphs separated by one blank line.
    """
    position = 0
    for part in text.split(PARAGRAPH_BREAK):
        stripped = part.strip()
        if stripped:
            start = position + part.index(stripped)
            yield start, start + len(stripped)
        position += len(part) + len(PARAGRAPH_BREAK)


def sentence_spans(text: str, *, language: str = "en") -> list[tuple[int, int]]:
    """
    Split a text into sentences. No sentence crosses a paragraph break.

    :param language: ISO 639-1 code of the rules to use; unknown codes fall back inside the library.
    :returns: Half-open character spans in order, without surrounding blanks; empty for a blank text.
    """
    spans: list[tuple[int, int]] = []
    for start, end in paragraph_spans(text):
        position = start
        for sentence in sentencex.segment(language, text[start:end]):
            stripped = sentence.strip()
            if not stripped:
                continue
            at = text.index(stripped, position, end)
            spans.append((at, at + len(stripped)))
            position = at + len(stripped)
    return spans
