"""Sentences of a text, as character spans."""

import re
from collections.abc import Iterator

import sentencex

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_LINE = re.compile(r"\n")
_BLANK = re.compile(r"[^\S\n]")
"""Each becomes a plain space before splitting: the library panics at wider ones, such as U+00A0, beside a full stop."""


def paragraph_spans(text: str) -> Iterator[tuple[int, int]]:
    """
    Yield the half-open character span of each non-blank paragraph, in order, without surrounding blanks.

    :param text: Paragraphs separated by blank lines; a text without any blank line has one paragraph a line.
    """
    separator = _BLANK_LINE if _BLANK_LINE.search(text) else _LINE
    position = 0
    for part in separator.split(text):
        stripped = part.strip()
        if stripped:
            start = text.index(stripped, position)
            position = start + len(stripped)
            yield start, position


def sentence_spans(text: str, *, language: str = "en") -> list[tuple[int, int]]:
    """
    Split a text into sentences. No sentence crosses a paragraph break.

    :param language: ISO 639-1 code of the rules to use; unknown codes fall back inside the library.
    :returns: Half-open character spans in order, without surrounding blanks; empty for a blank text.
    """
    spans: list[tuple[int, int]] = []
    plain = _BLANK.sub(" ", text)
    for start, end in paragraph_spans(text):
        position = start
        for sentence in _segments(plain[start:end], language):
            stripped = sentence.strip()
            if not stripped:
                continue
            at = plain.index(stripped, position, end)
            spans.append((at, at + len(stripped)))
            position = at + len(stripped)
    return spans


def _segments(paragraph: str, language: str) -> list[str]:
    """Split a paragraph; one that the library breaks off at is one sentence."""
    try:
        return list(sentencex.segment(language, paragraph))
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of Rust code; no Exception, and cannot be imported
            raise
        return [paragraph]
