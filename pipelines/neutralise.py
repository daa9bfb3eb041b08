"""
Articles and queries as data for a chat model: what could pass for a prompt's own structure is made harmless.

This is the second line of defence. The first is that no verdict follows from what a model says; see docs/answering.md.
"""
# ruff: noqa: E501, RUF001  (one pattern a line; letters that look like others)

import re
import unicodedata
from functools import lru_cache

from core.sentences import paragraph_spans, sentence_spans
from pipelines.escape import visible

_LOOKALIKES = str.maketrans("аеорсухіјѕԁԛАВЕКМНОРСТХІЈЅαοενικρτυ", "aeopcyxijsdqABEKMHOPCTXIJSaoevikptu")
"""Cyrillic and Greek letters that look like Latin ones, for finding orders written with them."""

_SPECIAL_TOKENS = re.compile(
    r"<\|[^|<>\n]{1,40}\|>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|<(?:bos|eos|pad|unk)>"
    r"|<｜[^｜\n]{1,40}｜>|^#{2,4}\s*(?:system|user|human|assistant|instruction|response)s?\s*:?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_ROLE = re.compile(r"(?:^|(?<=[.!?\n]\s)|(?<=\n))(\s*)(system|user|human|assistant|tool)(\s*):", re.IGNORECASE)
_MARKER = re.compile(r"\b(docs?\.?|documents?)\s*[\[(]\s*([^\])\n]{1,20})[\])]", re.IGNORECASE)
_BARE_MARKER = re.compile(r"[\[【]\s*((?:docs?\.?\s*|documents?\s*|\^)?\d[\d,\s;-]{0,12})[\]】]", re.IGNORECASE)
_FENCE = re.compile(r"`{3,}|~{3,}|^-{3,}$|^={3,}$", re.MULTILINE)
_TAG = re.compile(r"</?(?:document|query|evidence|system|instructions?|answer)\b[^<>\n]{0,80}>", re.IGNORECASE)
_MARKUP = re.compile(
    r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>|!?\[[^\]\n]*\]\s?\((?!\s)[^)\n]+\)|&lt;\s*/?[a-z]+|\|\s*:?-{3,}|^\s{0,3}#{1,6}\s+\S|\b(?:javascript|data):\S|\{[{%]",
    re.IGNORECASE,
)
_HIDDEN = re.compile("[a-zA-Z][\u200b-\u200d\u2060\ufeff][a-zA-Z]|[\u202d\u202e]|[\U000e0020-\U000e007f]")
"""Letters parted by nothing, text turned round, tag characters. Marks of right-to-left scripts are not among them."""
_STRUCTURE = (_SPECIAL_TOKENS, _ROLE, _MARKER, _TAG, _MARKUP)

_OBJECT = r"(?:instructions?|prompts?|rules?|documents?|context|guidelines?|directions|evidence|sources?)"
_MACHINE = r"(?:language\s+models?|ai\s+(?:models?|assistants?|systems?|readers?|agents?)|chatbots?|llms?|fact[- ]?check(?:ers?|ing))"
_JUDGED = r"(?:verified|refuted|fact[- ]?checked|confirmed\s+(?:as\s+)?(?:true|false)|supported|debunked|unverified)"
_CLAIM = r"(?:claims?|statements?|answers?|news|query|question)"
_INSTRUCTIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Drop what you were told.
        rf"\b(?:ignore|disregard|forget|override|bypass)\b.{{0,30}}\b(?:previous|prior|above|earlier|all|other|your|any|the)\b.{{0,20}}\b{_OBJECT}\b",
        r"\b(?:new|updated|real|actual|hidden|secret)\s+(?:system\s+)?(?:instructions?|prompt)\s*(?:\b(?:is|are|follow)\b|:)",
        r"\b(?:system|developer)\s+(?:prompt|message|override|note)\b",
        rf"\bend\s+of\s+(?:the\s+)?{_OBJECT}\b|\bEND\s+(?:EVIDENCE|EXCERPTS|PHRASES|DOCUMENTS)\b",
        r"\breader'?s?\s+(?:query|question|statement)\b|\b(?:only|one)\s+correct\s+answer\s+(?:is|:)"
        r"|\bindexed\s+articles\s+do\s+not\s+answer\b",
        # You are somebody else now.
        r"\b(?:you\s+are|act\s+as|pretend\s+to\s+be)\s+(?:now\s+)?(?:an?\s+)?(?:\w+\s+){0,2}(?:ai|assistant|chatbot|language\s+model|llm|dan)\b",
        rf"\b(?:dear|attention|note\s+to|to\s+(?:the|any|all))\s+(?:\w+\s+)?{_MACHINE}",
        rf"\b{_MACHINE}\s+(?:\w+\s+){{0,4}}(?:must|should|shall|have\s+to|are\s+(?:instructed|required))\b",
        # Say this.
        r"(?:^|[.!?:,;]\s+|\b(?:please|must\s+always|always|now|then)\s+)"
        r"(?:answer|respond|reply|output|print)\b.{0,30}\b(?:only|exactly|yes|no|with|verified|that)\b",
        rf"(?:^|[.!?:,;]\s+|\b(?:please|must|should|always|now|just|and)\s+)(?:say|write|state|conclude|return|report)\s+(?:only|exactly|that\s+(?:the|this)\s+{_CLAIM})\b",
        rf"\b(?:this|that|following|user'?s?)\s+{_CLAIM}\s+(?:is|has\s+been|have\s+been|was|are)\s+(?:\w+\s+){{0,2}}{_JUDGED}\b",
        rf"\b{_CLAIM}\s+(?:is|are)\s+(?:hereby|now|already|fully)\s+{_JUDGED}\b",
        r"\bnews\s+(?:un)?verified\s*!",
        rf"\bmark\b.{{0,30}}\b(?:as|it)\s+(?:\w+\s+)?(?:{_JUDGED}|true|false)\b",
        rf"\b(?:verdict|label|status)\s*[:=]\s*[\"']?(?:{_JUDGED}|true|false|supports?|refutes?)\b",
        r"\bcite\b.{0,30}\b(?:docs?|documents?|this\s+(?:article|page))\b",
        # Do this.
        r"(?:^|[.!?:,;]\s+|\b(?:please|must|should|then|now|and)\s+)"
        r"(?:fetch|visit|open|call|curl|wget|post|send|load|browse|execute|run|render|include|insert)\b.{0,60}(?:https?://|\b(?:url|markdown|html|script)\b)",
        r"\b(?:reveal|print|repeat|show|leak)\b.{0,30}\b(?:(?:system\s+)?prompt|your\s+instructions|api\s+key|environment\s+variables?)\b",
    )
)  # fmt: skip


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
    clean = _BARE_MARKER.sub(r"(\1)", clean)
    return _FENCE.sub(" ", clean).strip()


def looks_like_instruction(sentence: str) -> bool:
    """
    Say whether a sentence talks to a machine rather than to a reader.

    Orders to a model, verdicts on "this claim", chat tokens, role labels, document markers and markup do. Such a sentence
    is no evidence: news about such sentences is lost with them, and a plain false statement is not caught.
    """
    if _HIDDEN.search(sentence):
        return True
    shown = unicodedata.normalize("NFKC", visible(sentence)).translate(_LOOKALIKES)
    line = " ".join(shown.split())
    return any(pattern.search(line) for pattern in _INSTRUCTIONS) or any(
        pattern.search(shown) for pattern in _STRUCTURE
    )


@lru_cache(maxsize=2048)
def tainted_spans(body: str) -> tuple[tuple[int, int], ...]:
    """
    Return the half-open spans of an article that are no evidence, in order.

    From the first sentence of a paragraph that talks to a machine to the end of that paragraph: orders run on.
    """
    spans = []
    sentences = sentence_spans(body)
    for paragraph_start, paragraph_end in paragraph_spans(body):
        for start, end in sentences:
            if paragraph_start <= start < paragraph_end and looks_like_instruction(body[start:end]):
                spans.append((start, paragraph_end))
                break
    return tuple(spans)


def is_tainted(body: str, start: int, end: int) -> bool:
    """Say whether a part of an article reaches into a tainted span."""
    return any(first < end and start < last for first, last in tainted_spans(body))
