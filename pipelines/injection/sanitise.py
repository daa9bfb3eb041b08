"""
Articles and queries as data for a chat model: what could pass for a prompt's own structure is made harmless, and what
speaks to a machine is not evidence.

This is the second line of defence. The first is that no verdict follows from what a model says; see docs/answering.md.
"""

import re
from functools import lru_cache

from core.sentences import paragraph_spans, sentence_spans
from core.text import visible
from core.types import Article
from core.urls import hostname
from pipelines.injection.foreign_text import is_english, is_foreign
from pipelines.injection.obfuscation import is_disguised, is_hidden, undisguised
from pipelines.injection.patterns import is_unmistakable, speaks_to_machine

_SPECIAL_TOKENS = re.compile(
    r"<\|[^|<>\n]{1,40}\|>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|<(?:bos|eos|pad|unk)>"
    r"|<｜[^｜\n]{1,40}｜>|^#{2,4}\s*(?:system|user|human|assistant|instruction|response)s?\s*:?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_ROLE = re.compile(r"(?:^|(?<=[.!?\n]\s)|(?<=\n))([^\S\n]*)(system|user|human|assistant|tool)(\s*):", re.IGNORECASE)
_MARKER = re.compile(r"\b(docs?\.?|documents?)\s*[\[(]\s*([^\])\n]{1,20})[\])]", re.IGNORECASE)
_INSIDE_MARKER = re.compile(r"[\[(【]\s*(docs?\.?|documents?)\s*(\d[\d,\s;-]{0,12})[\])】]", re.IGNORECASE)
_BARE_MARKER = re.compile(r"[\[【]\s*((?:docs?\.?\s*|documents?\s*|\^)?\d[\d,\s;-]{0,12})[\]】]", re.IGNORECASE)
_FENCE = re.compile(r"`{3,}|~{3,}|^-{3,}$|^={3,}$", re.MULTILINE)
_TAG = re.compile(r"</?(?:document|query|evidence|system|instructions?|answer)\b[^<>\n]{0,80}>", re.IGNORECASE)
_MARKUP = re.compile(
    r"</?[a-z][a-z0-9]*(?:\s[^<>]{0,300})?/?>|!?\[[^\]\n]{0,200}\]\s?\((?!\s)[^)\n]{1,300}\)|&lt;\s*/?[a-z]+|\|\s*:?-{3,}|^\s{0,3}#{1,6}\s+\S|\b(?:javascript|data):\S|\{[{%]",
    re.IGNORECASE,
)
_STRUCTURE = (_ROLE, _MARKER, _INSIDE_MARKER, _TAG, _MARKUP)
_MARKS = frozenset("<[({:#|&!")
_TOKEN_MARKS = frozenset("<[#")
"""No pattern fits a text without one of these."""
MAX_SENTENCE_CHARS = 2_000
"""A longer one is not a sentence."""
_NEARBY = 3
"""Sentences over which an order may be spread."""


def as_data(text: str) -> str:
    """
    Return the text as a chat model may see it: its words, without the shape of a prompt.

    Chat tokens, role labels, fences, tags and document markers are broken up; invisible characters are gone.
    """
    clean = visible(text)
    for pattern in (_SPECIAL_TOKENS, _TAG):
        clean = pattern.sub(lambda match: re.sub(r"[<>|\[\]｜#/]", " ", match.group()).strip(), clean)
    clean = _ROLE.sub(r"\1\2\3 -", clean)
    clean = _MARKER.sub(r"\1 \2", clean)
    clean = _INSIDE_MARKER.sub(r"\1 \2", clean)
    clean = _BARE_MARKER.sub(r"(\1)", clean)
    return _FENCE.sub(" ", clean).strip()


def looks_like_instruction(sentence: str) -> bool:
    """
    Say whether a text speaks to a machine rather than to a reader.

    Orders to a model, answers handed to it, verdicts on "this claim", chat tokens, role labels, document markers, markup,
    code and disguised letters do. Such a sentence is not evidence: news about such sentences is lost with them, and a
    plain false statement is not caught.
    """
    if len(sentence) > MAX_SENTENCE_CHARS or is_disguised(sentence) or _has_tokens(sentence):
        return True
    shown = undisguised(sentence)
    if speaks_to_machine(_line(shown)):
        return True
    return bool(_MARKS.intersection(shown)) and any(pattern.search(shown) for pattern in _STRUCTURE)


def is_hostile(article: Article) -> bool:
    """
    Say whether an article is not a source at all.

    Its text orders a machine to drop its orders, or holds chat tokens or hidden letters; or what stands in its headline,
    source, section or authors speaks to a machine.
    """
    fields = (article.headline, article.source, article.section or "", *article.authors)
    return _is_poisoned(article.body) or any(looks_like_instruction(field) for field in fields if field)


def shown_headline(article: Article) -> str:
    """Return the headline by which an article is named to readers; its host where that talks to a machine."""
    return hostname(article.url) if looks_like_instruction(article.headline) else article.headline


def is_tainted(body: str, start: int, end: int) -> bool:
    """
    Say whether a part of an article's text is not evidence.

    From the first sentence of a paragraph that speaks to a machine, or is in another language than the article, to the
    end of that paragraph: orders run on. All of an article that is hostile as a whole.
    """
    if _is_poisoned(body):
        return True
    return any(first < end and start < last for first, last in tainted_spans(body, start, end))


def tainted_spans(body: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the tainted spans, half-open and in order, of the paragraphs that a part reaches into."""
    english = _is_english(body)
    spans = []
    for first, last in _paragraphs(body):
        if first < end and start < last and (at := _taint(body[first:last], english)) is not None:
            spans.append((first + at, last))
    return spans


@lru_cache(maxsize=4096)
def _taint(paragraph: str, english: bool) -> int | None:
    """Return where in a paragraph something begins to speak to a machine; None: nowhere."""
    sentences = sentence_spans(paragraph)
    for index, (start, end) in enumerate(sentences):
        text = paragraph[start:end]
        if looks_like_instruction(text) or (english and is_foreign(text)):
            return start
        together = paragraph[start : sentences[min(index + _NEARBY, len(sentences)) - 1][1]]
        if end < len(paragraph) and speaks_to_machine(_line(undisguised(together))):
            return start
    return None


@lru_cache(maxsize=1024)
def _paragraphs(body: str) -> tuple[tuple[int, int], ...]:
    return tuple(paragraph_spans(body))


@lru_cache(maxsize=1024)
def _is_english(body: str) -> bool:
    return is_english(body)


@lru_cache(maxsize=1024)
def _is_poisoned(body: str) -> bool:
    return is_hidden(body) or _has_tokens(body) or is_unmistakable(_line(undisguised(body)))


def _has_tokens(text: str) -> bool:
    return bool(_TOKEN_MARKS.intersection(text)) and bool(_SPECIAL_TOKENS.search(text))


def _line(text: str) -> str:
    return " ".join(text.split())
