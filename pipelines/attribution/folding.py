"""
Text without the differences that do not change a quotation, with a way back to the original characters.

Folded: Unicode compatibility forms (NFKC, per letter with its accents), kinds of quotation mark and dash, runs of
blanks, soft hyphens and zero-width characters. Case and every word are kept.
"""

import unicodedata
from dataclasses import dataclass

_SAME = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´ʼ＇", "'"),
        **dict.fromkeys("“”„‟″«»＂", '"'),
        **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    }
)


@dataclass(frozen=True)
class FoldedText:
    """A folded text and, for each of its characters, where it came from."""

    text: str
    starts: tuple[int, ...]
    """Index in the original of the first character behind each folded one."""
    ends: tuple[int, ...]
    """Index in the original behind the last character behind each folded one."""

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open span of the original behind a non-empty half-open span of the folded text."""
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> FoldedText:
    """Fold a text; see the module for what that changes."""
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        for letter in _fold_cluster(text[start:end]):
            if letter == " " and (not letters or letters[-1] == " "):
                continue
            letters.append(letter)
            starts.append(start)
            ends.append(end)
    if letters and letters[-1] == " ":
        letters, starts, ends = letters[:-1], starts[:-1], ends[:-1]
    return FoldedText("".join(letters), tuple(starts), tuple(ends))


def _clusters(text: str) -> list[tuple[int, int]]:
    """Return the spans of letters together with the combining marks that follow them."""
    spans: list[tuple[int, int]] = []
    for index, character in enumerate(text):
        if spans and unicodedata.combining(character):
            spans[-1] = (spans[-1][0], index + 1)
        else:
            spans.append((index, index + 1))
    return spans


def _fold_cluster(cluster: str) -> str:
    if cluster.isascii() and not cluster.isspace() and cluster.isprintable() and cluster != "`":
        return cluster
    if all(unicodedata.category(character) in {"Cf", "Cc"} and not character.isspace() for character in cluster):
        return ""
    folded = unicodedata.normalize("NFKC", cluster.translate(_SAME)).translate(_SAME)
    return " " if folded.isspace() else folded
