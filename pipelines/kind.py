"""Question or statement?"""

import re

from core.types import QueryKind

_QUESTION_WORDS = (
    "who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|"
    "should|shall|may|might|must"
)
_BEFORE = r"(?:(?:and|but|so|in|on|at|by|from|to|for|with|of|under)\s+)?"
_ASKS = re.compile(rf"^{_BEFORE}(?:{_QUESTION_WORDS})\b", re.IGNORECASE)
_ACRONYM = re.compile(rf"^(?i:{_BEFORE})(?:WHO|IS|MAY|WILL|CAN)\b")
"""WHO says, IS claims: a name, unless all of the text is in capitals."""
_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must)"
_CLAUSE = re.compile(rf"^(?:what|who|whoever|whatever|when|where|while)\b(?!\s+{_AUXILIARY}\b).*,", re.IGNORECASE)
_NAMED_MONTH = re.compile(r"^(?:May|Will)\s+(?:\d|[A-Z])")


def detect_kind(text: str) -> QueryKind:
    """
    Say whether a query asks or states.

    A question mark at the end decides; without one, a question word or auxiliary verb at the beginning does, unless it
    is the name of an organisation.
    """
    query = text.strip().rstrip("\"'”’)»")  # noqa: RUF001 - closing marks
    if query.endswith(("?", "？", "؟")):  # noqa: RUF001 - the question marks of other scripts
        return QueryKind.QUESTION
    if query.endswith((".", "!")) or _CLAUSE.match(query) or _NAMED_MONTH.match(query):
        return QueryKind.STATEMENT
    if _ACRONYM.match(query) and not query.isupper():
        return QueryKind.STATEMENT
    return QueryKind.QUESTION if _ASKS.match(query) else QueryKind.STATEMENT
