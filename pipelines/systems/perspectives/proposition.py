"""The statement that a yes to the question would make, since models judge statements, not questions."""

import re

_MODAL = re.compile(
    r"^(should|shall|must|can|could|will|would|may|might|is|are|was|were|has|have|had|does|do|did)(?:n['\u2019]t)?\s+(.+)$",
    re.IGNORECASE,
)
_OPEN = re.compile(r"^(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)
_OPINION_LEAD = re.compile(
    r"^(?:do|did|does|are|is|would)\s+(?:you|people|we|they|critics|experts)\s+(?:think|believe|agree|say|feel)\s+"
    r"(?:that\s+)?",
    re.IGNORECASE,
)
_DETERMINERS = frozenset(
    [
        "the",
        "a",
        "an",
        "this",
        "that",
        "these",
        "those",
        "all",
        "any",
        "some",
        "every",
        "each",
        "no",
        "our",
        "their",
        "his",
        "her",
        "its",
        "my",
        "your",
    ]
)
_SPLITTERS = frozenset(["be", "been", "being", "not", "have", "has", "do"])
_DO = frozenset({"do", "does", "did"})


def proposition(query: str) -> str:
    """
    Turn a yes-or-no question round: "Should the city close the airport?" gives "The city should close the airport."

    "Shouldn't it?" expects the same yes as "Should it?". Where the subject ends is guessed from its first words, which
    is good enough for a model that reads both halves.
    A statement, and a question that yes does not answer, come back as they are, the latter without its mark.
    """
    text = " ".join(query.split()).rstrip("?？؟ ")
    text = _OPINION_LEAD.sub("", text)
    match = _MODAL.match(text)
    if _OPEN.match(text) or match is None:
        return _sentence(text)
    modal, words = match.group(1).lower(), match.group(2).split()
    end = _subject_end(words)
    middle = [] if modal in _DO else [modal]
    return _sentence(" ".join([*words[:end], *middle, *words[end:]]))


def is_yes_or_no(query: str) -> bool:
    """Tell whether yes or no could be an answer, or a side to a statement."""
    return _OPEN.match(query.strip()) is None


def _subject_end(words: list[str]) -> int:
    """Guess after how many words the verb of the question goes."""
    for index, word in enumerate(words[1:], start=1):
        if word.lower() in _SPLITTERS:
            return index
    start = 1 if words[0].lower() in _DETERMINERS else 0
    end = start + 1
    while end < len(words) - 1 and words[end][:1].isupper() and words[end - 1][:1].isupper():
        end += 1
    return min(end, len(words))


def _sentence(text: str) -> str:
    stripped = text.rstrip(".! ")
    return f"{stripped[:1].upper()}{stripped[1:]}."
