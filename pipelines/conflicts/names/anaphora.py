"""What a text means without naming it: "he", "the company". English."""

import re

from pipelines.conflicts.analysis import analyse

_PRONOUNS = "he she it they him her them his hers its their theirs we us our i me my you your this these those"
_PRONOUN = re.compile(rf"\b(?:{'|'.join(_PRONOUNS.split())})\b", re.IGNORECASE)
_ROLES = (
    "minister president mayor governor senator chancellor king queen prince pope bishop judge spokesman "
    "spokeswoman spokesperson officer chief director chairman chairwoman manager coach player singer actor author "
    "suspect victim defendant accused company firm club team party union agency ministry government council "
    "committee court city town country state region group organisation organization bank university school "
    "hospital police authorities official officials man woman men women boy girl child children couple family "
    "driver pilot crew plan bill law deal decision report study ruling announcement statement attack accident "
    "crash storm fire event incident move"
)
_ROLE = re.compile(rf"\b(?:the|that|this)\s+(?:{'|'.join(_ROLES.split())})\b", re.IGNORECASE)
_BELONGS = re.compile(r"^\s+(?:of|in|for|at|on|to|from|between|with|that|who|which|by|where)\s+(?:the\s+)?\S|^['’]s\b")


_LINKS = (
    "and but so yet or also then later however meanwhile still instead though although while when as after before "
    "afterwards earlier moreover furthermore therefore thus nevertheless nonetheless according to in addition"
)
_OPENS = re.compile(
    rf"^[\"'“‘(\[]*(?:(?:{'|'.join(_LINKS.split())}),?\s+)*"
    r"(?P<who>he|she|it|they|him|her|his|its|their|theirs|this|that|these|those|such|both|we|our|i|my|"
    r"the\s+(?:former|latter))\b",
    re.IGNORECASE,
)
_EMPTY_IT = re.compile(r"^\s+(?:is|was|has\s+been)\s+(?:\w+\s+){1,2}(?:that|to|whether|how)\b", re.IGNORECASE)
"""It is recommended that, it was hard to: such an "it" means nothing that was named."""


def unnamed(text: str) -> str:
    """
    Return the first words of a text that mean somebody or something which it does not name; empty: there are none.

    A pronoun behind a name means that name. "The minister" is clear where a name or what it belongs to follows.
    """
    found = analyse(text).names
    for match in _PRONOUN.finditer(text):
        if not any(name.end <= match.start() for name in found):
            return match.group()
    roles = (match for match in _ROLE.finditer(text) if not _is_named(match, text))
    return next((match.group() for match in roles), "")


def _is_named(role: re.Match[str], text: str) -> bool:
    """Say whether a name stands before a role or right behind it, or what it belongs to follows."""
    found = analyse(text).names
    beside = any(name.end <= role.start() or 0 <= name.start - role.end() <= 1 for name in found)
    return beside or _BELONGS.match(text[role.end() :]) is not None


def opens_unnamed(sentence: str) -> str:
    """
    Return the pronoun that a sentence opens with ("But they ..."), or the role of somebody it never names; empty: none.

    A pronoun further on may mean what the sentence itself has said: "rescuers ended their work".
    """
    if match := _OPENS.match(sentence):
        is_empty = match["who"].casefold() == "it" and _EMPTY_IT.match(sentence[match.end() :])
        return "" if is_empty else match["who"]
    role = _ROLE.match(sentence)
    return role.group() if role and not _is_named(role, sentence) else ""
