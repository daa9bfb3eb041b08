"""
Doc[n], the form in which our answers cite: written, found, renumbered and taken away here alone.

How models cite, in many forms, is read by `pipelines/attribution/citations.py`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping

MOST_DIGITS = 9
"""Digits of a number that are read; no longer one was ever given."""
_CITED = re.compile(r"(\s*)Doc\[(\d+)\]")
_BEHIND_A_BLANK = re.compile(r"\sDoc\[(\d+)\]")
_ESCAPED = re.compile(r"Doc\\\[(\d+)\\\](?!\s*[(\[:])")
_BEFORE_STOP = re.compile(r"((?:\s*Doc\[\d+\])+)([.,;:!?]+)")
_STOP = re.compile(r"[.!?…]+[\"'”’)]*$")
_LOOSE = re.compile(r"\s*\[?\(?\bDoc(?:ument)?s?\s*\[?\s*\d+(?:\s*,\s*\d+)*\s*\]?\)?\]?", re.IGNORECASE)


def marker(number: int) -> str:
    """Return the citation of a document."""
    return f"Doc[{number}]"


def marked(text: str, numbers: Iterable[int]) -> str:
    """Return a sentence with its citations before the full stop that ends it; without any, as it is."""
    cited = " ".join(marker(number) for number in numbers)
    if not cited:
        return text
    body = text.rstrip()
    stop = _STOP.search(body)
    return f"{body[: stop.start()]} {cited}{stop.group()}" if stop else f"{body} {cited}"


def cited_numbers(text: str) -> list[int]:
    """Return the numbers that a text cites, in order, each as often as cited."""
    return [number_of(match[2]) for match in _CITED.finditer(text)]


def number_of(digits: str) -> int:
    """Read the digits of a citation."""
    return int(digits[:MOST_DIGITS])


def split_at_markers(text: str, *, known: Collection[int]) -> list[tuple[str, int]]:
    """
    Cut a text at its citations.

    :param known: Numbers to cut at; any other citation stays text.
    :returns: What stands before each citation, with its number; last the rest of the text, with 0.
    """
    pieces, position = [], 0
    for match in _CITED.finditer(text):
        if (number := number_of(match[2])) in known:
            pieces.append((text[position : match.start()], number))
            position = match.end()
    return [*pieces, (text[position:], 0)]


def replace_numbers(text: str, new: Callable[[int], int | None]) -> str:
    """
    Write each Doc[n] with another number, all at once, so that none is taken for another.

    :param new: Old number to new; None: the citation is dropped, with the blanks before it.
    """

    def replaced(match: re.Match[str]) -> str:
        number = new(number_of(match[2]))
        return f"{match[1]}{marker(number)}" if number is not None else ""

    return _CITED.sub(replaced, text)


def renumbered(text: str, numbers: Mapping[int, int | None]) -> str:
    """
    Write each Doc[n] with its new number.

    :param numbers: Old number to new; None: the citation is dropped. Others stay as they are.
    """
    return replace_numbers(text, lambda old: numbers.get(old, old))


def sub_markers(text: str, write: Callable[[re.Match[str]], str]) -> str:
    """Replace each citation that stands behind a blank; the match holds the blank, and the digits as group 1."""
    return _BEHIND_A_BLANK.sub(write, text)


def stops_first(text: str, *, known: Collection[int]) -> str:
    """Put a closing mark before the citations that it follows, as in print, if all of them are known."""

    def turned(match: re.Match[str]) -> str:
        return match[2] + match[1] if all(number in known for number in cited_numbers(match[1])) else match[0]

    return _BEFORE_STOP.sub(turned, text)


def unescaped(markdown: str) -> str:
    """Let the citations of escaped Markdown stand readable, where nothing behind them makes a link."""
    return _ESCAPED.sub(lambda match: f"Doc[{match[1]}]", markdown)


def without_markers(reply: str) -> str:
    """Take every citation out of a model's reply, in our form or one near it."""
    return _LOOSE.sub("", reply)
