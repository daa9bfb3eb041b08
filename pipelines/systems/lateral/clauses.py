"""Sentences cut to clauses that can stand inside a question. English."""

import re

from pipelines.conflicts.lexicon import NOT_NAMES, WEEKDAYS

LONGEST_WORDS = 28
SHORTEST_WORDS = 4
_SAYING = r"(?:said|says|told|stated|added|announced|reported|wrote|claimed|confirmed|explained|according to)"
_SAID_BEHIND = re.compile(rf",\s+(?:[^,“\"]{{0,80}}\b{_SAYING}\b[^,]*|{_SAYING}\b[^,]*)$", re.IGNORECASE)
_SAID_BEFORE = re.compile(rf"^[^,“\"]{{1,80}}?\b{_SAYING}\b(?:\s+on\s+\w+day)?\s+that\s+", re.IGNORECASE)
_ACCORDING = re.compile(r"^according to [^,]{1,80},\s+", re.IGNORECASE)
_LINK = re.compile(
    r"^(?:however|but|and|meanwhile|moreover|also|still|yet|so|then|earlier|later|today|yesterday|now|instead|"
    r"additionally|furthermore|meantime|in addition|as a result|in fact|of course)\b,?\s+",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:shortly|soon|after|before|during|in|on|at|since|following|despite|with|as|when|while|until|by|among|under|"
    r"throughout|prior|earlier|later|over|for|due|beginning|thanks|because)\b[^,]{1,70},\s+",
    re.IGNORECASE,
)
_DAY = re.compile(
    rf"\s*,?\s+(?:on|last|this)\s+(?:{'|'.join(WEEKDAYS)})\b|\s+(?:today|yesterday|tonight)\b", re.IGNORECASE
)
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_STARTERS = NOT_NAMES - {"may", "march", "august"} | frozenset(
    [
        "officials",
        "police",
        "authorities",
        "people",
        "other",
        "others",
        "another",
        "such",
        "several",
        "residents",
        "scientists",
        "researchers",
        "experts",
        "critics",
        "supporters",
        "protesters",
        "government",
        "parliament",
    ]
)
_BREAK = re.compile(r"[,;:—–]\s|\s\(|\s(?:which|who|while|although|because)\s")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|did|does|won|lost|cost|met|took|gave|made|became|began|"
    r"fell|rose|left|said|told|came|went|found|held|kept|led|let|put|ran|sent|set|shot|sold|spent|stood|struck|"
    r"broke|brought|built|bought|caught|chose|cut|drew|drove|fled|flew|fought|got|grew|hit|hurt|knew|paid|quit|read|"
    r"sank|saw|shut|spoke|swore|taught|thought|threw|understood|wore|wrote|\w{3,}ed)\b",
    re.IGNORECASE,
)


def clause_of(sentence: str, *, text: str = "") -> str | None:
    """
    Return what a sentence states, as it can stand behind "that".

    Attributions, brackets, linking words, leading circumstances and days of the week are taken off; so is what follows
    the first break where the rest would be long.

    :param text: What the sentence stands in: it shows which words are names.
    :returns: Without a full stop; None where no clause with a verb of fitting length is left.
    """
    clause = _BRACKETS.sub("", " ".join(sentence.split())).rstrip(".!?…").strip()
    for pattern in (_LINK, _ACCORDING, _SAID_BEFORE, _SAID_BEHIND, _LINK, _LEAD, _DAY):
        clause = pattern.sub("", clause).strip(" ,;:")
    if len(clause.split()) > LONGEST_WORDS:
        clause = _first_part(clause)
    if any(mark in clause for mark in '“”"«»?()[]:—'):
        return None
    if not SHORTEST_WORDS <= len(clause.split()) <= LONGEST_WORDS or not _VERB.search(clause):
        return None
    return lower_first(clause, text=text)


def lower_first(clause: str, *, text: str = "") -> str:
    """Write the first letter small where the first word is a common one: in a list, or written small in the text."""
    found = re.match(r"[A-Z][a-z]*", clause)
    first = found.group() if found else ""
    if first.casefold() in _STARTERS or (first and re.search(rf"\b{first.casefold()}\b", text)):
        return f"{clause[:1].lower()}{clause[1:]}"
    return clause


def is_attributed(sentence: str) -> bool:
    """Say whether a sentence says who says so."""
    return bool(re.search(rf"\b{_SAYING}\b", sentence, re.IGNORECASE))


def _first_part(text: str) -> str:
    """Return the text up to the last break that leaves it short enough but not too short."""
    best = ""
    for match in _BREAK.finditer(text):
        part = text[: match.start()]
        if SHORTEST_WORDS < len(part.split()) <= LONGEST_WORDS and _VERB.search(part):
            best = part
    return best or text
