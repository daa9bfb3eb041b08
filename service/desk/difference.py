"""A readable difference of two revisions of an article: paragraph by paragraph, then word by word."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import StrEnum

from core.types import Article, Model

MAX_PARAGRAPHS = 2000
"""Beyond so many, paragraphs are compared in their order alone."""
MAX_WORDS = 1500
"""A longer paragraph is shown as a whole, before and after."""
LEAST_ALIKE = 0.35
"""Share of words that two paragraphs must have in common to be shown as one that was changed."""
LOOK_AHEAD = 50
"""Paragraphs among which the changed form of one is looked for."""
_PARAGRAPH = re.compile(r"\n\s*\n|\n")
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_Opcode = tuple[str, int, int, int, int]
"""Of difflib: what to do, and the bounds in the old and in the new."""


class Edit(StrEnum):
    """What became of a piece of text."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


class Piece(Model):
    """A piece of a paragraph."""

    edit: Edit
    text: str


class Block(Model):
    """A paragraph that differs, as pieces in reading order; or, with `skipped`, paragraphs that are the same."""

    pieces: tuple[Piece, ...] = ()
    skipped: int = 0


def compare_revisions(old: Article, new: Article) -> tuple[Block, ...]:
    """Return the difference of headline and body; empty if there is none."""
    blocks = list(_blocks(_paragraphs(old), _paragraphs(new)))
    return tuple(blocks) if any(block.pieces for block in blocks) else ()


def _paragraphs(article: Article) -> list[str]:
    return [article.headline, *[part.strip() for part in _PARAGRAPH.split(article.body) if part.strip()]]


def _blocks(old: list[str], new: list[str]) -> Iterator[Block]:
    for tag, start, end, from_, to in _opcodes(old, new, most=MAX_PARAGRAPHS):
        if tag == "equal":
            yield Block(skipped=end - start)
        else:
            yield from _changed(old[start:end], new[from_:to])


def _changed(old: list[str], new: list[str]) -> Iterator[Block]:
    """Pair paragraphs that are alike in their order; the others were removed or added."""
    words = [_words(after) for after in new]
    at = 0
    for before in old:
        own = _words(before)
        near = range(at, min(at + LOOK_AHEAD, len(new)))
        found = next((place for place in near if _are_alike(own, words[place])), None)
        if found is None:
            yield Block(pieces=(Piece(edit=Edit.REMOVED, text=before),))
            continue
        yield from (_added(after) for after in new[at:found])
        yield Block(pieces=tuple(_pieces(before, new[found])))
        at = found + 1
    yield from (_added(after) for after in new[at:])


def _added(text: str) -> Block:
    return Block(pieces=(Piece(edit=Edit.ADDED, text=text),))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.casefold().split())


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= LEAST_ALIKE * max(len(one), len(other), 1)


def _pieces(before: str, after: str) -> Iterator[Piece]:
    """Yield what stays and what differs of a paragraph, in reading order."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    for is_same, start, end, from_, to in _joined(_opcodes(old, new, most=MAX_WORDS), old):
        if is_same:
            yield Piece(edit=Edit.SAME, text="".join(old[start:end]))
            continue
        if end > start:
            yield Piece(edit=Edit.REMOVED, text="".join(old[start:end]))
        if to > from_:
            yield Piece(edit=Edit.ADDED, text="".join(new[from_:to]))


def _joined(opcodes: Sequence[_Opcode], old: Sequence[str]) -> list[tuple[bool, int, int, int, int]]:
    """Join differences that nothing but blanks and marks lies between; say of each piece whether it is the same."""
    found: list[tuple[bool, int, int, int, int]] = []
    for place, (tag, start, end, from_, to) in enumerate(opcodes):
        is_between = 0 < place < len(opcodes) - 1 and not any(map(str.isalnum, "".join(old[start:end])))
        is_same = tag == "equal" and not is_between
        if found and not is_same and not found[-1][0]:
            found[-1] = (False, found[-1][1], end, found[-1][3], to)
        else:
            found.append((is_same, start, end, from_, to))
    return found


def _opcodes(old: list[str], new: list[str], *, most: int) -> Sequence[_Opcode]:
    """Return difflib's operations; of texts that are too long, all of the old and all of the new."""
    if max(len(old), len(new)) > most:
        return [("replace", 0, len(old), 0, len(new))]
    return SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
