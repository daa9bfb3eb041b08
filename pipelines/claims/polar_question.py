"""A question that is answered by yes or no, as the statement that it asks about. English."""

import re

from core.antonyms import antonyms
from core.types import QueryKind
from pipelines.claims.verbs import BE, HAVE, MODALS, is_participle, verb_forms
from pipelines.query.kind import detect_kind

_ASKED = re.compile(
    r"^(?:true\s+or\s+false\s*[:,–-]\s*|(?:is|was)\s+it\s+(?:really\s+)?(?:true|correct|right|the\s+case|a\s+fact)\s+that\s+)"
    r"(?P<said>.+)$",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"^(?P<said>.+?)(?:,\s*(?:right|correct|true|yes|no)|,\s*(?:true\s+or\s+false)"
    r"|,\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)(?:n['’]t)?\s+(?:he|she|it|they|there))\s*\?$",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"^(?:(?:and|but|so)\s+)?(?P<aux>is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must)"
    r"(?:n['’]t)?\s+(?:not\s+)?(?P<rest>\S.*)$",
    re.IGNORECASE,
)
_NO_POLAR = re.compile(
    r"^(?:you|we|i|there)\b|\b(?:or|who|whom|whose|what|when|where|why|how)\b|\bwhich\s+(?:of|one)\b", re.IGNORECASE
)
"""You and I are nobody in an article; "A or B?" is a choice; what follows a question word is asked for."""
_WORD = re.compile(r"[^\s,;]+")
_OPENS = frozenset("a an the its his her their our my this that these those no some any each every another".split())
_LINKS = frozenset("of to for in on at by with from as between against over under about near and".split())
_SIDE = frozenset("ever already really still now also yet actually currently just".split())
_PLACES = _LINKS - {"of", "and"}
"""What says where something is, or what is to come: "in hospital", "to resign"."""
_ANY = re.compile(r"\b(?P<any>any)(?P<who>body|one|thing)\b", re.IGNORECASE)
_SHORTEST = 4
_SHORT_SUBJECT = 5
"""Words of a subject that a place stands behind: "the prime minister of Denmark | at the summit"."""


def polar_statement(question: str) -> str:
    """
    Return what a yes/no question asks about, as a statement; empty where it is no such question or not clear.

    >>> polar_statement("Has Wenna Sorrel resigned as trade minister?")
    'Wenna Sorrel has resigned as trade minister.'
    >>> polar_statement("Did voters in Brenholm agree to join the union?")
    'Voters in Brenholm agreed to join the union.'
    >>> polar_statement("Who has resigned?")
    ''
    """
    text = " ".join(question.split())
    if match := _ASKED.match(text) or _TAG.match(text):
        said = match["said"].rstrip(" ?.!")
        return _closed(said) if len(said) >= _SHORTEST and detect_kind(said) is QueryKind.STATEMENT else ""
    match = _FIRST.match(text.rstrip(" ?.!"))
    if match is None or not text.endswith("?") or _NO_POLAR.search(match["rest"]):
        return ""
    return _declared(match["aux"].lower(), match["rest"])


def _declared(auxiliary: str, rest: str) -> str:
    """Put the auxiliary behind the subject, or the verb in its tense."""
    words = [match.group() for match in _WORD.finditer(rest)]
    places = list(_WORD.finditer(rest))
    at = _predicate_at(auxiliary, words)
    if auxiliary in {"do", "does", "did"}:
        if at is None:  # a verb that is not known: "Voters in Brenholm rejoice" is clear enough
            return _closed(rest)
        verb = words[at].lower()
        start, end = places[at].span()
        return _closed(f"{rest[:start]}{_inflected(verb, auxiliary)}{rest[end:]}")
    if at is None:
        return ""
    start = places[at].start()
    return _closed(f"{rest[:start]}{auxiliary} {rest[start:]}")


def _predicate_at(auxiliary: str, words: list[str]) -> int | None:
    """Return the number of the word that begins what is asked of the subject; None: it is not clear."""
    low = [word.lower() for word in words]
    if low and low[0] in {"it", "he", "she", "they"}:
        return 1 if len(low) > 1 else None
    later = range(1, len(words))
    first = next((at for at in later if _begins(auxiliary, low, words, at)), None)
    if first is not None or auxiliary not in BE:
        return first
    place = next((at for at in later if low[at] in _PLACES), None)
    is_short = place is not None and place <= _SHORT_SUBJECT
    is_whole = low[0] in _OPENS or all(word in _LINKS or not words[at].islower() for at, word in enumerate(low[:place]))
    return place if is_short and is_whole else None


def _begins(auxiliary: str, low: list[str], words: list[str], at: int) -> bool:
    """Say whether a predicate surely begins with a word."""
    word, before, behind = low[at], low[at - 1], low[at + 1] if at + 1 < len(low) else ""
    if before in _OPENS | _LINKS or not (words[at].islower() or word in _OPENS):
        return False
    if word == "not" or _is_adverb(word):
        return True
    if auxiliary in HAVE:
        return word == "been" or is_participle(word)
    if auxiliary in BE:
        is_quality = word in antonyms() and word not in _LINKS and behind in _LINKS | {"", "than"}
        return word in _OPENS or is_quality or is_participle(word) or (word.endswith("ing") and behind != "to")
    bases = verb_forms().bases
    is_noun = auxiliary not in MODALS and behind in bases  # "the police report show"
    return word in {"be", "have", "do"} or (word in bases and not is_noun)


def _is_adverb(word: str) -> bool:
    return word in _SIDE or word.endswith("ly")


def _inflected(base: str, auxiliary: str) -> str:
    forms = verb_forms()
    if auxiliary == "do":
        return base
    if auxiliary == "does":
        return forms.third_of(base)
    return forms.past_of(base)


def _closed(text: str) -> str:
    text = _ANY.sub(lambda match: f"{'S' if match['any'][0] == 'A' else 's'}ome{match['who']}", text.strip(" ,;"))
    return f"{text[:1].upper()}{text[1:]}."
