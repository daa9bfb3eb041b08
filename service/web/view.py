"""A result as the page shows it: the answer cut at its citations, each quote in its context."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from core.types import Article, QueryKind, Quote, Reference, Relation, Result, Section, Status, Verdict
from pipelines.attribution import markers
from pipelines.rendering.render import asked_elsewhere, conflict_line, repeat, strength
from pipelines.rendering.sections import cited_numbers

MAX_CONTEXT_CHARS = 600
ASIDES = frozenset({"candidate", "score"})
"""Kinds of sections that are folded away: what was weighed and not chosen, and how it was weighed."""
_NO_ANSWERS = ASIDES | {"alone", "certainty", "round", "sources"}
"""Kinds of sections that say how an answer was made; readers are not asked whether they helped."""
_PARAGRAPH_BREAK = "\n\n"
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of what follows: in an article they would make 50 look like 05, and run on after it."""
WORDS = {
    Verdict.VERIFIED: "Verified",
    Verdict.REFUTED: "Refuted",
    Verdict.CONFLICTING: "Conflicting",
    Verdict.UNVERIFIED: "Unverified",
}
_MEANINGS = {
    (Verdict.VERIFIED, QueryKind.QUESTION): "The articles in the archive answer this.",
    (Verdict.VERIFIED, QueryKind.STATEMENT): "The articles in the archive support this.",
    (Verdict.REFUTED, QueryKind.STATEMENT): "The articles in the archive contradict this.",
    (Verdict.CONFLICTING, QueryKind.STATEMENT): "Some articles in the archive support this, others contradict it.",
    (Verdict.CONFLICTING, QueryKind.QUESTION): "The articles in the archive give different answers.",
    (Verdict.UNVERIFIED, QueryKind.QUESTION): "The articles in the archive do not answer this.",
    (Verdict.UNVERIFIED, QueryKind.STATEMENT): "The articles in the archive do not settle this.",
}
_MEANINGS_ELSEWHERE = {
    (Verdict.VERIFIED, QueryKind.QUESTION): "What was found answers this.",
    (Verdict.VERIFIED, QueryKind.STATEMENT): "What was found supports this.",
    (Verdict.REFUTED, QueryKind.STATEMENT): "What was found contradicts this.",
    (Verdict.CONFLICTING, QueryKind.STATEMENT): "Some of what was found supports this, some contradicts it.",
    (Verdict.CONFLICTING, QueryKind.QUESTION): "What was found gives different answers.",
    (Verdict.UNVERIFIED, QueryKind.QUESTION): "What was found does not answer this.",
    (Verdict.UNVERIFIED, QueryKind.STATEMENT): "What was found does not settle this.",
}
"""Of results that rest on another search engine than our index."""
RELATION_WORDS = {Relation.SUPPORTS: "supports", Relation.REFUTES: "contradicts", Relation.MENTIONS: "mentions"}


@dataclass(frozen=True)
class Piece:
    """A piece of the answer: text, or the number of a citation."""

    text: str
    number: int | None = None


@dataclass(frozen=True)
class QuoteView:
    """A quote with what stands around it in its article; `before` and `after` are empty where that is not known."""

    quote: Quote
    relation: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class ReferenceView:
    """A cited article with its quotes."""

    reference: Reference
    quotes: tuple[QuoteView, ...]
    is_cited: bool
    is_indexed: bool
    """Whether it was found in our index, which can show it; else by another search engine."""

    @property
    def settles(self) -> bool:
        """Whether a quote supports or contradicts."""
        return any(item.quote.relation is not Relation.MENTIONS for item in self.quotes)

    @property
    def telling(self) -> tuple[QuoteView, ...]:
        """Quotes that support or contradict; where there is none, the first."""
        found = tuple(item for item in self.quotes if item.quote.relation is not Relation.MENTIONS)
        return found or self.quotes[:1]

    @property
    def mentions(self) -> tuple[QuoteView, ...]:
        """The other quotes."""
        telling = self.telling
        return tuple(item for item in self.quotes if item not in telling)


@dataclass(frozen=True)
class SectionView:
    """A part of a structured answer, its texts cut at their citations."""

    section: Section
    number: int
    """In the result, from 1."""
    pieces: tuple[Piece, ...]
    lines: tuple[tuple[Piece, ...], ...]

    @property
    def is_answer(self) -> bool:
        """Whether a reader may be asked if it helped."""
        return bool(self.pieces) and self.section.kind not in _NO_ANSWERS


@dataclass(frozen=True)
class ResultView:
    """What the template of a result needs."""

    result: Result
    tone: str
    """verified, refuted, conflicting, unverified, failed, or plain where nothing is judged: chooses colour and icon."""
    word: str
    meaning: str
    strength: str
    """How sure the verdict is, in words; empty where nothing was settled."""
    conflicts: tuple[str, ...]
    """What a refutation rests on, a line each."""
    asked: str
    """What was asked; a long one is cut."""
    pieces: tuple[Piece, ...]
    groups: tuple[tuple[SectionView, ...], ...]
    """Sections; those of one kind that stand together are a group."""
    cited: tuple[ReferenceView, ...]
    """What answer and sections rest on, and what else supports or contradicts."""
    others: tuple[ReferenceView, ...]
    """The rest of what was read."""
    has_answers: bool
    """Whether a section is an answer by itself."""
    numbered: tuple[ReferenceView, ...]
    """Those whose number stands in a text, and can be opened there."""


def view_result(result: Result, articles: Mapping[tuple[str, str], Article]) -> ResultView:
    """
    Make the view of a result.

    :param articles: Article id and content hash to revision; those that are missing leave quotes without context.
    """
    known = {reference.number for reference in result.references}
    pieces = cut_answer(result.answer, known=known)
    numbers = _rested_on(result)
    is_indexed = not asked_elsewhere(result)
    views = [
        _reference(reference, articles, is_cited=reference.number in numbers, is_indexed=is_indexed)
        for reference in result.references
    ]
    sections = [_section(section, number, known) for number, section in enumerate(result.sections, start=1)]
    return ResultView(
        result=result,
        tone=tone_of(result.status, result.verdict),
        word=_word(result),
        meaning=_meaning(result),
        strength=strength(result),
        conflicts=tuple(conflict_line(one) for one in result.conflicts),
        asked=repeat(result.request.text),
        pieces=pieces,
        groups=tuple(tuple(group) for _, group in groupby(sections, key=lambda view: view.section.kind)),
        cited=tuple(view for view in views if view.is_cited or view.settles),
        others=tuple(view for view in views if not view.is_cited and not view.settles),
        has_answers=any(section.is_answer for section in sections),
        numbered=tuple(view for view in views if view.reference.number in cited_numbers(result)),
    )


def cut_answer(answer: str, *, known: set[int]) -> tuple[Piece, ...]:
    """
    Cut an answer at its citations.

    :param known: Numbers of the references; any other citation stays text.
    """
    pieces: list[Piece] = []
    for text, number in markers.split_at_markers(markers.stops_first(answer, known=known), known=known):
        pieces += [Piece(text)] if text else []
        pieces += [Piece("", number)] if number else []
    return tuple(pieces)


def context_of(body: str, start: int, end: int, *, max_chars: int = MAX_CONTEXT_CHARS) -> tuple[str, str]:
    """
    Return what stands before and after a quote in its paragraph, at most `max_chars` on either side.

    :param start: Of the quote in the body; `end` likewise.
    """
    first = body.rfind(_PARAGRAPH_BREAK, 0, start)
    first = 0 if first < 0 else first + len(_PARAGRAPH_BREAK)
    last = body.find(_PARAGRAPH_BREAK, end)
    last = len(body) if last < 0 else last
    before, after = body[first:start], body[end:last]
    if len(before) > max_chars:
        before = "… " + before[-max_chars:].split(" ", 1)[-1]
    if len(after) > max_chars:
        after = after[:max_chars].rsplit(" ", 1)[0] + " …"
    return before, after


def tone_of(status: Status, verdict: Verdict | None) -> str:
    """Return what chooses colour and icon, see `ResultView.tone`."""
    if status is Status.FAILED:
        return "failed"
    return verdict.value if verdict else "plain"


def in_order(value: object) -> object:
    """Return what a template shows, a text without `_TURNS`; scripts from right to left turn their words themselves."""
    return _TURNS.sub("", value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _word(result: Result) -> str:
    if result.status is Status.FAILED:
        return "No result"
    return WORDS[result.verdict] if result.verdict else result.system.replace("_", " ").capitalize()


def _rested_on(result: Result) -> set[int]:
    """Return the references that the answer and the texts of its sections rest on; their lines may name others."""
    texts = [result.answer, *[section.text for section in result.sections]]
    cited = {number for text in texts for number in markers.cited_numbers(text)}
    return cited.union(*[section.numbers for section in result.sections])


def _section(section: Section, number: int, known: set[int]) -> SectionView:
    lines = tuple(cut_answer(line, known=known) for line in section.lines)
    return SectionView(section, number, cut_answer(section.text, known=known), lines)


def _reference(
    reference: Reference, articles: Mapping[tuple[str, str], Article], *, is_cited: bool, is_indexed: bool
) -> ReferenceView:
    quotes = []
    for quote in reference.quotes:
        article = articles.get((reference.article_id, quote.content_hash))
        before, after = context_of(article.body, quote.start, quote.end) if article else ("", "")
        quotes.append(QuoteView(quote, RELATION_WORDS[quote.relation], before, after))
    return ReferenceView(reference, tuple(quotes), is_cited, is_indexed)


def _meaning(result: Result) -> str:
    if result.failure is not None:
        return result.failure.message
    is_elsewhere = asked_elsewhere(result)
    nothing = "Nothing that was found" if is_elsewhere else "Nothing in the archive"
    if result.status is Status.NO_EVIDENCE and result.verdict is None:
        return f"{nothing} bears on this."
    if result.status is Status.NO_EVIDENCE and result.kind is QueryKind.QUESTION:
        return f"{nothing} answers this."
    if result.status is Status.NO_EVIDENCE:
        return f"{nothing} bears on this. That does not mean that it is false."
    if result.verdict is None:
        return ""
    return (_MEANINGS_ELSEWHERE if is_elsewhere else _MEANINGS).get((result.verdict, result.kind), "")
