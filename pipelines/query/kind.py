"""Question or statement?"""

import re

from core.text import visible
from core.types import QueryKind

_AUXILIARY = (
    r"(?:(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|am)"
    r"|(?:is|are|was|were|does|did|has|have|had|could|would|should|must|ca|wo|sha)n['’]t)"
)
_WORD = rf"(?:who|whom|whose|what|which|when|where|why|how|{_AUXILIARY})"
_BEFORE = r"(?:(?:and|but|so|in|on|at|by|from|to|for|with|of|under)\s+)?"
_BEHIND = (
    r"(?:since|during|until|after|before|about|into|within|against|through|over)\s+(?:which|whom|whose|when|how\s+\w+)"
)
_ORDERS = r"do\s+not\b"
_ASKS = re.compile(
    rf"^(?:(?!{_ORDERS}){_BEFORE}{_WORD}|{_BEHIND}|don['’]t\s+(?:you|we|they|i|people))\b", re.IGNORECASE
)
_MARKED = re.compile("[?？؟⁉][!！]*$")
"""The question marks of several scripts."""
_ACRONYM = re.compile(rf"^(?i:{_BEFORE})(?:WHO|IS|MAY|WILL|CAN)\b")
"""WHO says, IS claims: a name, unless all of the text is in capitals."""
_SUBJECT = r"(?:the|an?|he|she|it|they|we|you|i|this|that|these|those|his|her|its|their|our|my|(?-i:[A-Z])\w+)"
_CLAUSE = re.compile(
    rf"^(?:(?:whoever|whatever|what\s+{_SUBJECT})\b.*,|(?:when|where|while)\s+(?!{_AUXILIARY}\b)(?!.*,\s*{_AUXILIARY}\b).*,)",
    re.IGNORECASE,
)
"""A clause, and what stands behind it; the comma of "What happened in Paris, France" ends none."""
_NAMED_MONTH = re.compile(r"^(?:May|Will)\s+(?:\d|[A-Z])")


def detect_kind(text: str) -> QueryKind:
    """
    Say whether a query asks or states.

    A question mark at the end decides; without one, a question word or auxiliary verb at the beginning does, unless it
    is the name of an organisation.
    """
    query = visible(text).strip().rstrip("\"'”’)»")
    if _MARKED.search(query):
        return QueryKind.QUESTION
    if query.endswith((".", "!")) or _CLAUSE.match(query) or _NAMED_MONTH.match(query):
        return QueryKind.STATEMENT
    if _ACRONYM.match(query) and not query.isupper():
        return QueryKind.STATEMENT
    return QueryKind.QUESTION if _ASKS.match(query) else QueryKind.STATEMENT
