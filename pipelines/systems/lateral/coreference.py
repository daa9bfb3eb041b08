"""Whether a question can be understood without the text that it was made from. English."""

import re

from pipelines.claims.clauses import subject_span
from pipelines.claims.wording import told_names
from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.names.anaphora import unnamed
from pipelines.conflicts.names.places import is_place

_DEICTIC = re.compile(
    r"\b(?:(?:days?|weeks?|months?|years?|hours?|minutes?)\s+(?:later|earlier|before|after)\b(?!\s+(?:the|an?|his|her|its|[A-Z]))|"
    r"the\s+(?:same|next|following|previous)\s+(?:day|week|month|year|morning|evening|night)|so\s+far|by\s+then|thereafter|afterwards|at\s+(?:that|the)\s+time|"
    r"today|yesterday|tomorrow|tonight|here|now|currently|ago|(?:this|last|next)\s+(?:week|month|year|season|night)|"
    r"(?:last|next|on|this)\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)


_SAYS = re.compile(r"^The text says: (?P<claim>.+?[.!”\"])\s[A-Z][^.!]*\?$", re.DOTALL)
_LEADS_BACK = re.compile(
    r"^(?:similar|another|other|such|both|since\s+then|even|so|thus|then|also|there|here|topics|later|in\s+reply|instead|"
    r"(?:one|two|three|four|five|six)\s*(?:,|\w+ed|were|was)|said|similarly|rather|may|(?:under|in|at|after|before|during)\s+[A-Z]\w+\s+of|\w+\s+(?:more|others)|(?:over|about|nearly|all|more\s+than)\s+(?:a\s+)?(?:thousand|hundred|dozen|\d[\d,]*)\s+"
    r"(?:were|was|have|had|are|on)|[A-Z][\w ]+['’]s\s+(?:was|were|is|\w+ed))\b",
    re.IGNORECASE,
)
_BREAKS_OFF = re.compile(
    r"\b(?:that|this|since|it|none|one|them|there|herself|himself|so)[.!]$|\b(?:by|than|to|about|of)\s+(?!(?:1[0-9]|20)\d\d\b)\d[\d,]*[.!]$"
)
"""A statement that ends with what is told elsewhere, or with a number of nothing."""
_PRONOUN = re.compile(r"\b(?:he|she|it|they|them|him|her|his|its|their|we|us|our)\b", re.IGNORECASE)


_MANY = re.compile(
    r"\b(?:them|they|him|this\s+[a-z]+|the\s+same)\b|\bher\b(?=\W*$|\s+(?:since|in|on|at|to|for|and|with|as|from|by)\b)"
    r"|^(?:was|were|is|are|had|has)\b",
    re.IGNORECASE,
)
_DEFINITE = re.compile(
    r"(?<!, )\bthe\s+(?:[a-z]+\s+)?(?P<noun>[a-z]+)(?=[,.;!]|$|['’]s\b|\s+(?:and|or|but|was|were|is|are|has|had|"
    r"will|would|by|from|on|after|before|with|as|when|because|to\s+[a-z]\w*|home|back|that|into|onto|over|since|while|where|then|"
    r"again|this|last|paid|made|took|gave|held|lost|which|at\s+(?:about|around)|\w+ed|in\s+[a-zA-Z0-9][a-z0-9]*)\b)"
)
_KNOWN = frozenset(
    "world public police media internet sea sky earth sun moon past future economy country war government time first "
    "last year month week day euro".split()
)
"""What everybody knows by this name."""


def not_self_contained(question: str) -> str:
    """Return why a question cannot be understood without the text; empty: it can."""
    body = question.strip()
    if match := _SAYS.match(body):
        return needs_context(match["claim"]) or _unclear(match["claim"])
    return _unclear(body)


def needs_context(claim: str) -> str:
    """Return why a statement cannot be understood alone: its subject is not named, or it breaks off; empty: it can."""
    if match := _LEADS_BACK.match(claim) or _BREAKS_OFF.search(claim):
        return f"“{match.group().strip()}” needs what stands around it"
    span = subject_span(claim)
    subject = claim[span[0] : span[1]] if span else ""
    if re.match(r"(?:the|this|that|these|those|his|her|its|their|our)\b", subject, re.IGNORECASE) and not (
        re.search(r"\s[A-Z]|\s(?:of|in|at|for|between|from)\s+(?:the\s+)?[A-Z]", subject)
    ):
        return f"“{subject}” is not named"
    people = [name for name in told_names(claim) if not is_place(name.text)]
    first = min((name.start for name in people), default=len(claim))
    if match := _PRONOUN.search(claim[:first]) or _MANY.search(claim):
        return f"“{match.group()}” is not named"
    return ""


def leans_back(said: str) -> bool:
    """Say whether something is called "the ..." in a statement that may be known from the text alone."""
    return any(match["noun"].lower() not in _KNOWN for match in _DEFINITE.finditer(said))


def _unclear(body: str) -> str:
    if match := _DEICTIC.search(body):
        return f"“{match.group()}” depends on when it is read"
    if words := unnamed(body):
        return f"“{words}” is not named"
    if not analyse(body).names and not re.search(r"\d", body):
        return "it names nobody and nothing"
    return ""
