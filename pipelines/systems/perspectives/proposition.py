"""The statement that a yes to the question would make, and the one that a no would make. English."""

import re
from collections.abc import Callable

from pipelines.claims import polar_statement
from pipelines.claims.verbs import AUXILIARIES, finite_verbs

_MODAL = re.compile(
    r"^(should|shall|must|can|could|will|would|may|might|is|are|was|were|has|have|had|does|do|did)(?:n['’]t)?\s+(.+)$",
    re.IGNORECASE,
)
_OPEN = re.compile(r"^(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)
_OPINION_LEAD = re.compile(
    r"^(?:do|did|does|are|is|would)\s+(?:you|people|we|they|critics|experts)\s+(?:think|believe|agree|say|feel)\s+"
    r"(?:that\s+)?",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?<!\w)(?:'[^\"“”]{3,80}?'|\"[^\"]{3,80}\"|“[^”]{3,80}”|‘[^“”]{3,80}?’)(?!\w)")
_STANDS_FOR = "Qqq{}"
"""A name in the place of what is quoted, so that its verbs are not taken for those of the question."""
_DETERMINERS = frozenset(
    "the a an this that these those all any some every each no our their his her its my your".split()
)
_SPLITTERS = frozenset(["be", "been", "being", "not", "have", "has", "do"])
_DO = frozenset({"do", "does", "did"})
_NOT = re.compile(r"\b(?:not|never)\s+|n['’]t\b", re.IGNORECASE)


def proposition(query: str) -> str:
    """
    Turn a yes-or-no question round: "Should the city close the airport?" gives "The city should close the airport."

    "Shouldn't it?" expects the same yes as "Should it?". Where the subject ends is guessed from its first words where
    no verb is known, which is good enough for a model that reads both halves.
    A statement, and a question that yes does not answer, come back as they are, the latter without its mark.
    """
    text = " ".join(query.split()).rstrip("?？؟ ")
    text = _OPINION_LEAD.sub("", text)
    return _beside_quotes(text, _turned)


def denied(statement: str) -> str:
    """
    Deny a statement: "The city should close the airport." gives "The city should not close the airport."

    One that denies loses its "not"; one whose verb takes none is said not to be so.
    """
    return _beside_quotes(statement, _denied)


def is_yes_or_no(query: str) -> bool:
    """Tell whether yes or no could be an answer, or a side to a statement."""
    return _OPEN.match(query.strip()) is None


def _beside_quotes(text: str, change: Callable[[str], str]) -> str:
    """Change a text, what it quotes left as it is."""
    quoted = _QUOTED.findall(text)
    for place, words in enumerate(quoted):
        text = text.replace(words, _STANDS_FOR.format(place), 1)
    changed = change(text)
    for place, words in enumerate(quoted):
        changed = changed.replace(_STANDS_FOR.format(place), words, 1)
    return changed


def _denied(statement: str) -> str:
    if match := _NOT.search(statement):
        return _sentence(f"{statement[: match.start()]}{statement[match.end() :]}")
    verb = next((one for one in finite_verbs(statement) if one.word in AUXILIARIES), None)
    if verb is None:
        return f"It is not so that {statement[:1].lower()}{statement[1:]}" if statement else statement
    return f"{statement[: verb.end]} not{statement[verb.end :]}"


def _turned(text: str) -> str:
    match = _MODAL.match(text)
    if _OPEN.match(text) or match is None:
        return _sentence(text)
    if stated := polar_statement(f"{text}?"):
        return stated
    modal, words = match.group(1).lower(), match.group(2).split()
    end = _subject_end(words)
    middle = [] if modal in _DO else [modal]
    return _sentence(" ".join([*words[:end], *middle, *words[end:]]))


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
