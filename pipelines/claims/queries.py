"""A single query: the statements or questions that it is made of, and why it cannot be checked as it stands."""

import re

from core.types import Model, QueryKind
from pipelines.claims.kinds import has_verb, marked_kind
from pipelines.claims.quotations import quotation_of
from pipelines.claims.referents import Discourse
from pipelines.claims.sentences import text_sentences
from pipelines.claims.types import NoClaim
from pipelines.claims.wording import told_names
from pipelines.query import detect_kind

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
    r"^\W*it(?:['’]s|\s+(?:is|was|has\s+been))\s+(?:\w+\s+){0,8}?(?:that|who|whose|to|whether|how|which|when|where)\b"
    r"|^\W*it\s+(?:takes?|took|rain(?:s|ed)|snow(?:s|ed)|seems?|appears?|(?:is|was|has\s+been)\s+(?:raining|snowing|hailing))\b|^\W*(?:this|that|these|those)\s+(?!(?:is|are|was|were|has|have|had|will|would|can|cannot|could|may|might|must|should|does|did|do)\b|\w+n['’]t|\w+ed\b)[a-z]+\b",
    re.IGNORECASE,
)


_ASKS = r"(?:(?:by|for|to|in|at|of|from|on|with)\s+)?(?:who|whom|whose|what|which|when|where|why|how)"
_NEXT_QUESTION = re.compile(
    rf"\?\s+(?:and\s+|but\s+)?(?=\S)|[,;]?\s+(?:and|but)\s+(?={_ASKS}\b)|;\s+(?={_ASKS}\b)", re.IGNORECASE
)
_TWO_WORDS = re.compile(
    r"^(?P<one>who|when|where|why|how)\s+and\s+(?P<two>who|when|where|why|how)\s+(?P<rest>\w+\s+\w.*)$", re.IGNORECASE
)
_LEAST_WORDS = 3


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
    Take a statement of several sentences into them.

    Pronouns of later sentences are put as the names of earlier ones where these are clear. A compound sentence stays
    whole: of the bundled retold statements in two clauses, nine true ones were verified as a whole, and four by their
    clauses, with two refuted.
    """
    discourse = Discourse()
    found: list[StatementPart] = []
    for sentence in text_sentences(query):
        if marked_kind(sentence.text) is not None:
            continue
        rewriting = discourse.rewrite(sentence.text)
        standalone = rewriting.text if found and not rewriting.unclear else sentence.text
        end = sentence.start + len(sentence.text)
        found.append(
            StatementPart(text=query[sentence.start : end], start=sentence.start, end=end, standalone=standalone)
        )
        discourse.read(sentence.text, rewritten=standalone)
    if not 1 < len(found) <= MOST_PARTS:
        text = query.strip()
        at = query.find(text)
        return (StatementPart(text=text, start=at, end=at + len(text), standalone=text),)
    return tuple(found)


def split_question(query: str) -> tuple[str, ...]:
    """
    Take a question into the questions that it asks; one question comes back as it is.

    Pronouns stay: who asks for the parts searches with the whole question.

    >>> split_question("When did the museum in Orr reopen and who designed its new wing?")
    ('When did the museum in Orr reopen?', 'Who designed its new wing?')
    >>> split_question("When and where was Mona Field born?")
    ('When was Mona Field born?', 'Where was Mona Field born?')
    """
    text = " ".join(query.split())
    if both := _TWO_WORDS.match(text):
        return tuple(f"{both[word].capitalize()} {both['rest'].rstrip(' ?')}?" for word in ("one", "two"))
    pieces = [piece.strip(" ?,;") for piece in _NEXT_QUESTION.split(text)]
    asks = {detect_kind(piece) for piece in pieces[:-1]} | {detect_kind(f"{pieces[-1]}?")}
    short = any(len(piece.split()) < _LEAST_WORDS for piece in pieces)
    if not 1 < len(pieces) <= MOST_PARTS or short or QueryKind.STATEMENT in asks:
        return (query,)
    return tuple(f"{piece[:1].upper()}{piece[1:]}?" for piece in pieces)


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
