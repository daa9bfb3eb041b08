"""A single statement that somebody asks about: its parts, and why it cannot be checked as it stands."""

import re

from core.types import Model
from pipelines.claims.clauses import split_sentence
from pipelines.claims.kinds import has_verb, marked_kind
from pipelines.claims.quotations import quotation_of
from pipelines.claims.referents import Discourse
from pipelines.claims.sentences import text_sentences
from pipelines.claims.types import NoClaim
from pipelines.claims.wording import told_names

MOST_PARTS = 12
"""Statements that one query is taken into; more are a text, which `looksy check` reads."""
_MISSING = {
    NoClaim.FRAGMENT: "it has no verb, so it states nothing. Write a whole sentence.",
    NoClaim.WISH: "it is a wish or an appeal. State what is, or was, the case.",
    NoClaim.OPINION: "it is an opinion. State the fact that it rests on.",
    NoClaim.GREETING: "it is a greeting.",
    NoClaim.QUESTION: "it is a question.",
}
_NAMELESS = re.compile(
    r"^\W*(?:(?:and|but|so|then|also|yes|no|indeed)\s+)*(?P<word>he|she|it|they|this|that|these|those|him|her|them|his|its|their|"
    r"(?:the\s+)?(?:former|latter))\b",
    re.IGNORECASE,
)
_EMPTY_IT = re.compile(
    r"^\W*it(?:['’]s|\s+(?:is|was|has\s+been))\s+(?:\w+\s+){0,8}?(?:that|who|whose|to|whether|how|which|when|where)\b"  # noqa: RUF001
    r"|^\W*it\s+(?:takes?|took|rain(?:s|ed)|snow(?:s|ed)|seems?|appears?|(?:is|was|has\s+been)\s+(?:raining|snowing|hailing))\b|^\W*(?:this|that|these|those)\s+(?!(?:is|are|was|were|has|have|had|will|would|can|cannot|could|may|might|must|should|does|did|do)\b|\w+n['’]t|\w+ed\b)[a-z]+\b",  # noqa: RUF001
    re.IGNORECASE,
)


class StatementPart(Model):
    """One statement of a query."""

    text: str
    """As it is written, `query[start:end]`."""
    start: int
    end: int
    standalone: str
    """With its subject, so that it can be judged alone."""


def split_statement(query: str) -> tuple[StatementPart, ...]:
    """
    Take a statement into the statements that it makes.

    Pronouns of later parts are put as the names of earlier ones where these are clear. A query that states one thing
    comes back as it is.
    """
    discourse = Discourse()
    found: list[StatementPart] = []
    for sentence in text_sentences(query):
        parts = [] if marked_kind(sentence.text) is not None else split_sentence(sentence.text)
        for part in parts:
            rewriting = discourse.rewrite(part.text)
            changed = bool(found) and not rewriting.unclear
            start, end = sentence.start + part.start, sentence.start + part.end
            standalone = rewriting.text if changed else part.text
            found.append(StatementPart(text=query[start:end], start=start, end=end, standalone=standalone))
            discourse.read(part.text, rewritten=standalone)
    if len(found) < 2 or len(found) > MOST_PARTS:  # noqa: PLR2004
        text = query.strip()
        at = query.find(text)
        return (StatementPart(text=text, start=at, end=at + len(text), standalone=text),)
    return tuple(found)


def why_uncheckable(query: str) -> str:
    """
    Return why a statement cannot be checked as it stands, as a clause behind a colon; empty: it can.

    Only what the words show counts: no verb, a wish, an opinion without a fact in it, a pronoun that nobody is named
    for. A statement about the future can be checked against what was announced.

    >>> why_uncheckable("He resigned yesterday.")
    '“He” is not named. Write who or what is meant.'
    """
    text = query.strip()
    quotation = quotation_of(text)
    if quotation is not None and quotation.speaker and not _NAMELESS.match(quotation.speaker):
        return ""
    if not has_verb(text):
        return _MISSING[NoClaim.FRAGMENT]
    match = _NAMELESS.match(text)
    if match and not _EMPTY_IT.match(text) and not _named_in_itself(text, match):
        return f"“{match['word']}” is not named. Write who or what is meant."
    kinds = [marked_kind(sentence.text) for sentence in text_sentences(text)]
    kind = kinds[0] if kinds and all(one is kinds[0] for one in kinds) else None
    return _MISSING.get(kind, "") if kind is not None and kind is not NoClaim.QUESTION else ""


def _named_in_itself(text: str, match: re.Match[str]) -> bool:
    """Say whether a possessive at the beginning is told later: "His wife says that Paul Reed has left"."""
    owns = match["word"].lower() in {"his", "her", "its", "their"}
    return owns and bool(told_names(text[match.end() :]))
