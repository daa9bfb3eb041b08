"""Sentences of a manuscript: without list marks, headings' marks and speakers' labels, with their offsets."""

import re
from collections.abc import Iterator

from core.sentences import sentence_spans
from core.types import Model

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_ITEM = re.compile(r"\s*(?:[-*•‣◦▪+]\s+|[–—]\s+|\(?\d{1,2}[.)]\s+|#{1,6}\s+|>\s*|\|\s*)")
_EDGE_MARKS = re.compile(r"^[\s*_~`|#>]+|[\s*_~`|]+$")
_LABEL = re.compile(r"^(?P<who>[A-Z][^\W\d_.]*\.?(?:[ '’-][A-Z]?[^\W\d_]*\.?){0,4})\s*:\s+(?=\S)")
_NO_SPEAKER = re.compile(
    r"\b(?:note|notes|update|correction|summary|conclusion|example|fact|facts|source|sources|question|answer|result|"
    r"results|background|warning|tip|reason|verdict|claim|example|first|second|finally|here|following|points)\b",
    re.IGNORECASE,
)
_COUNTER = re.compile(r"\s+\(?\d{1,3}\s?/\s?(?:\d{1,3})?\)?$|^\(?\d{1,3}\s?/\s?\d{0,3}\)?\s+")
_ENDS = re.compile(r"[.!?…:;][\"'”’»)\]*_]*$")
_WRAPPED = 45
"""Characters from which a line without an end mark is taken to go on in the next."""


_LONGEST_LINE = 10_000
"""Characters; the splitter's time grows faster than a line."""
_STOP = re.compile(r"[.!?][\"'”’»)]*\s")
_LINK = re.compile(r"!?\[(?P<label>[^\[\]\n]{0,300})\]\((?!\s)[^()\s]{1,500}\)")
_MARKUP = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]{0,300})?/?>|\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|~~|`")


def without_markup(text: str) -> str:
    """Return the words of a text that is written in Markdown or HTML: links as their labels, no emphasis, no tags."""
    return _MARKUP.sub("", _LINK.sub(lambda match: match["label"], text))


class Sentence(Model):
    """A sentence of a text."""

    start: int
    end: int
    text: str
    """`given[start:end]`."""
    paragraph: int
    """Counted from 0."""
    speaker: str = ""
    """Name in the label before it, "Mr Falk:", or before an earlier sentence of the paragraph; empty: none."""
    is_heading: bool = False
    """A line of its own without an end mark."""


def text_sentences(text: str) -> list[Sentence]:
    """Split a text into sentences in order; what is only marks is left out."""
    found: list[Sentence] = []
    for number, (start, end) in enumerate(_paragraphs(text)):
        speaker = ""
        for line_start, line_end in _lines(text, start, end):
            for at, to in _spans(text, line_start, line_end):
                one = _sentence(text, at, to, number)
                if one is None:
                    continue
                speaker = one.speaker or speaker
                is_heading = one.is_heading and (at, to) == (line_start, line_end)
                found.append(one.model_copy(update={"speaker": speaker, "is_heading": is_heading}))
    return found


def _spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a line; one that is longer than any writer's is read in stretches."""
    while start < end:
        stop = min(end, start + _LONGEST_LINE)
        if stop < end:  # behind the last sentence of the stretch, if it has one
            marks = [match.end() for match in _STOP.finditer(text, start, stop)]
            stop = marks[-1] if marks else stop
        for at, to in sentence_spans(text[start:stop].replace("\n", " ")):
            yield start + at, start + to
        start = stop


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    for match in _BLANK_LINE.finditer(text):
        yield position, match.start()
        position = match.end()
    yield position, len(text)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the lines of a paragraph, those joined that a program has wrapped."""
    begun: int | None = None
    last = start
    for match in re.finditer(r"[^\n]+", text[start:end]):
        at, to = start + match.start(), start + match.end()
        if not match.group().strip():
            continue
        item = _ITEM.match(match.group())
        if begun is not None and (item or not _goes_on(text[begun:last])):
            yield begun, last
            begun = None
        begun = at + (item.end() if item else 0) if begun is None else begun
        last = to
    if begun is not None:
        yield begun, last


def _goes_on(line: str) -> bool:
    tail = line.rstrip().rpartition("\n")[2]
    return len(tail) >= _WRAPPED and not _ENDS.search(tail)


def _sentence(text: str, start: int, end: int, paragraph: int) -> Sentence | None:
    """Trim a sentence; None: nothing is left."""
    speaker = ""
    for pattern in (_EDGE_MARKS, _COUNTER, _EDGE_MARKS):
        start, end = _trimmed(text, start, end, pattern)
    label = _LABEL.match(text[start:end])
    if label and not _NO_SPEAKER.search(label["who"]) and _is_name(label["who"]):
        speaker, start = label["who"], start + label.end()
    words = text[start:end]
    if not re.search(r"[^\W\d_]", words):
        return None
    is_heading = not _ENDS.search(words)
    return Sentence(start=start, end=end, text=words, paragraph=paragraph, speaker=speaker, is_heading=is_heading)


def _is_name(label: str) -> bool:
    return all(word[:1].isupper() for word in label.split())


def _trimmed(text: str, start: int, end: int, pattern: re.Pattern[str]) -> tuple[int, int]:
    for match in pattern.finditer(text[start:end]):
        if match.start() == 0:
            start += match.end()
        elif start + match.end() == end:
            end = start + match.start()
    return start, max(start, end)
