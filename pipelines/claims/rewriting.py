"""A sentence said so that it stands alone, step by step."""

import re
from dataclasses import dataclass

Step = tuple[str, list[tuple[str, str]], str]
"""The text, what was put in the place of what, and why it stays unclear; empty: it does not."""


@dataclass(frozen=True)
class Rewriting:
    """A sentence made to stand alone."""

    text: str
    replaced: tuple[tuple[str, str], ...] = ()
    unclear: str = ""
    """Why it does not stand alone, one sentence; empty: it does."""


def put(text: str, start: int, end: int, new: str) -> Step:
    """Put other words in the place of a stretch."""
    old = text[start:end]
    new = f"{new[:1].upper()}{new[1:]}" if start == 0 else new
    return text[:start] + new + text[end:], [(old, new)], ""


def is_quoted(text: str, at: int) -> bool:
    """Say whether a place stands in quotation marks."""
    return len(re.findall(r"[\"“”]", text[:at])) % 2 == 1


def quotes_masked(text: str) -> str:
    """Return a text of the same length without what stands in quotation marks."""
    return re.sub(r"[“\"][^”\"]*[”\"]", lambda match: "·" * len(match.group()), text)
