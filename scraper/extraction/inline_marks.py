"""Settles marks inside lines before text is read: struck-out words, raised and lowered figures, readings, initials."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from scraper.extraction.style_sheets import STRIKES, Sheets
from scraper.extraction.text import clean_text

_STRUCK_CLASS = re.compile(r"(?:^|\s)(?:line-through|strike(?:-?through|d|-?out)?|struck(?:-?out)?)(?:$|\s)")
_UNDERSTRUCK = re.compile("(?:[^\\s\u0336\u0335](?:[\u0336\u0335])\\s*){2,}")
"""Letters each struck by a combining stroke."""
_RAISED = str.maketrans(
    "0123456789+-\u2212=()n",
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u207b\u207c\u207d\u207e\u207f",
)
_LOWERED = str.maketrans(
    "0123456789+-\u2212=()",
    "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u208a\u208b\u208b\u208c\u208d\u208e",
)
_FIGURES = re.compile("^[0-9+\u2212=()n-]+$")
_VERTICAL = re.compile(r"vertical-align\s*:\s*(super|sub|text-top|text-bottom)\b", re.IGNORECASE)
_LEVEL_CLASS = re.compile(r"(?:^|\s)(?:(super(?:script)?|sup)|(sub(?:script)?))(?:$|\s)", re.IGNORECASE)
_NOTE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:foot-?notes?|end-?notes?|note-?ref|fn-?ref|fnref|references?|citations?|cite|note|fn)(?:$|[\s_\d-])",
    re.IGNORECASE,
)
_NOTE_LINK = re.compile(r"#.*(?:fn|note|ref|cite|ftn|anm|nota|quelle|source|\d)|^#\w", re.IGNORECASE)
_NOTE_TARGET = re.compile(r"#(?:_?ftn|fn|foot-?note|note|cite|anm|fu\u00dfnote|sdfootnote)", re.IGNORECASE)
_NOTE_MARK = re.compile(
    "^(?:[\\[(]\\s*(?:\\d{1,3}|[a-z])(?:\\s*[,\u2013-]\\s*\\d{1,3})*\\s*[\\])]|[*\u2020\u2021\u00a7\u00b6#]{1,3}|\\d{1,3}\\))$"
)
_NOTE_NUMBERS = re.compile("^\\d{1,3}(?:\\s*[,;\u2013-]\\s*\\d{1,3})*$")
_CLOSED = re.compile('[.,;:!?\u2026"\u201d\u2019\u00bb\\])\u3002\uff0c\uff01\uff1f]$')
_WORD_BEFORE = re.compile(r"(?:(\d[\d.,]*)\s*)?\b([^\W\d_]{4,})$")
_PRICE = re.compile(
    "(?:[$\u20ac\u00a3\u00a5\u20b9\u20ba\u20bd]|\\b(?:kr|USD|EUR|GBP|NOK|SEK|DKK|CHF|CAD|AUD|Rs|R\\$|z\u0142)\\.?)\\s?\\d[\\d.,]*$"
)
_CURRENCY_BEHIND = re.compile(
    "^\\s?(?:[$\u20ac\u00a3\u20ba\u20bd]|(?:kr|EUR|USD|NOK|SEK|DKK|CHF|z\u0142|K\u010d|Ft|lei)\\b)"
)
_CAP_CLASS = re.compile(
    r"(?:^|[\s_-])(?:drop-?caps?|first-?letter|initial(?:s|e|-?letter|-?cap)?|lettrine|capolettera|letrina|anfang|has-drop-cap|cap)(?:$|[\s_-])",
    re.IGNORECASE,
)
_ONE_LETTER_WORDS = frozenset("AIOYEUaioyeu\u00c0\u00c5\u00d6\u00d3")
_CENTS, _MAX_NOTE_CHARS, _MAX_MARK_CHARS = 2, 12, 14
_OPENING = "\"'\u201c\u201e\u00ab\u201f\u2018\u201a\u00bf\u00a1("
_BLOCKS = frozenset({"p", "div", "section"})
_STRUCK, _LEVELS, _READINGS = (
    frozenset({"del", "s", "strike"}),
    frozenset({"sup", "sub"}),
    frozenset({"rt", "rp", "rtc"}),
)
_INLINE = frozenset({"span", "small", "b", "font", "i", "em"})
_MAY_BE_INITIAL = frozenset({"span", "div", "p", "b", "strong", "em", "i", "font", "big", "img"})
_MAX_INITIAL_CHARS = 3
MAX_STRUCK_SHARE = 0.5
"""Where more of the page is struck out than this, the mark means something else."""


def settle_inline_marks(tree: HtmlElement, *, sheets: Sheets) -> None:
    """Settle all marks, in place."""
    struck: list[HtmlElement] = []
    levels: list[tuple[HtmlElement, bool]] = []
    readings: list[HtmlElement] = []
    notes: list[HtmlElement] = []
    initials: list[HtmlElement] = []
    for element in tree.iter():
        tag = element.tag
        if tag in _READINGS:
            readings.append(element)
        elif tag in _STRUCK or (element.attrib and _is_struck(element, sheets)):
            struck.append(element)
        elif tag in _LEVELS:
            levels.append((element, tag == "sup"))
        elif tag == "a":
            notes.append(element)
        elif tag in _INLINE and element.attrib and (level := _level_of(element)) is not None:
            levels.append((element, level))
        if tag in _MAY_BE_INITIAL and _may_be_initial(element):
            initials.append(element)
    _drop_all(readings)
    _drop_struck(tree, struck)
    for element, raised in levels:
        _settle_level(element, raised=raised)
    _drop_all(link for link in notes if _is_bare_note(link))
    for element in initials:
        _join_initial(element)


def _is_struck(element: HtmlElement, sheets: Sheets) -> bool:
    if STRIKES.search(element.get("style", "")) or element.get("role") == "deletion":
        return True
    name = element.get("class")
    return bool(name) and (bool(_STRUCK_CLASS.search(name or "")) or sheets.strikes(element))


def _drop_struck(tree: HtmlElement, struck: list[HtmlElement]) -> None:
    if struck:
        total = len("".join(map(str, tree.itertext("p", "del", "s", "strike", "span", "li"))))
        if sum(len("".join(map(str, e.itertext()))) for e in struck) <= MAX_STRUCK_SHARE * max(total, 1):
            _drop_all(struck)
    if any("\u0336" in text for text in map(str, tree.itertext())):
        _drop_understruck(tree)


def _may_be_initial(element: HtmlElement) -> bool:
    """Say whether an element may hold an initial letter: nearly nothing else stands in it."""
    if element.tag == "img":
        return 0 < len(element.get("alt", "").strip()) <= _MAX_INITIAL_CHARS
    if len(element) > 1:
        return False
    length = 0
    for text in element.itertext():
        length += len(text.strip())
        if length > _MAX_INITIAL_CHARS:
            return False
    return length > 0


def _drop_understruck(tree: HtmlElement) -> None:
    for element in tree.iter():
        if element.text and "\u0336" in element.text:
            element.text = _UNDERSTRUCK.sub("", element.text)
        if element.tail and "\u0336" in element.tail:
            element.tail = _UNDERSTRUCK.sub("", element.tail)


def _level_of(element: HtmlElement) -> bool | None:
    """Say whether an element is raised (True) or lowered (False) by its style or class; None: neither."""
    style = _VERTICAL.search(element.get("style", ""))
    if style:
        return style[1].lower() in {"super", "text-top"} if len(_text(element)) <= _MAX_MARK_CHARS else None
    named = _LEVEL_CLASS.search(element.get("class", ""))
    if named and len(_text(element)) <= _MAX_MARK_CHARS:
        return named[1] is not None
    return None


def _settle_level(element: HtmlElement, *, raised: bool) -> None:
    """Write a raised or lowered text so that it does not melt with what stands before it, or drop a note's mark."""
    if element.getparent() is None:
        return
    text = _text(element)
    before = _text_before(element).rstrip("\u200b\u2060")
    if not text or len(text) > _MAX_MARK_CHARS:
        return
    if raised and _is_note(element, text, before):
        element.drop_tree()
        return
    cents = _as_cents(text, before, element.tail or "") if raised else ""
    written = cents or _as_level(text, before, raised=raised)
    if written != text:
        for child in list(element):
            element.remove(child)
        element.text = written
        element.drop_tag()


def _as_level(text: str, before: str, *, raised: bool) -> str:
    if not any(char.isdigit() for char in text):
        return text
    if not raised and not before[-1:].isdigit():
        return text  # CO2, H2O, x1
    if _FIGURES.match(text):
        return text.translate(_RAISED if raised else _LOWERED)
    if before[-1:].isalnum():
        return f"^({text})" if raised else f"_({text})"
    return text


def _as_cents(text: str, before: str, behind: str) -> str:
    """Return the cents of a price with their point; empty: the figure is not a price."""
    if not (text.isdecimal() and len(text) == _CENTS):
        return ""
    if not (_PRICE.search(before) or (before[-1:].isdigit() and _CURRENCY_BEHIND.match(behind))):
        return ""
    whole = re.search(r"\d[\d.,]*$", before)
    return ("," if whole and "." in whole[0] else ".") + text


def _is_note(element: HtmlElement, text: str, before: str) -> bool:  # noqa: PLR0911 - a kind each
    """Say whether a raised text is the mark of a note."""
    if len(text) > _MAX_NOTE_CHARS:
        return False
    if _NOTE_MARK.match(text):
        return True
    links = [*element.iter("a"), *element.iterancestors("a")]
    if any(_NOTE_LINK.search(link.get("href", "")) and "#" in link.get("href", "") for link in links):
        return True
    names = f"{element.get('class', '')} {element.get('id', '')} {element.get('role', '')} {' '.join(e.get('class', '') + ' ' + e.get('role', '') for e in element)}"
    if _NOTE_CLASS.search(names) or "noteref" in names:
        return True
    if not _NOTE_NUMBERS.match(text):
        return False
    if not text.isdecimal():
        return bool(before)
    word = _WORD_BEFORE.search(before)
    return bool(_CLOSED.search(before)) or (word is not None and word[1] is None)


def _is_bare_note(link: HtmlElement) -> bool:
    """Say whether a link is a note's mark without being raised: [1], linked to a note of the page."""
    href, text = link.get("href", ""), _text(link)
    is_numbered = text.isdecimal() and (_NOTE_CLASS.search(link.get("class", "")) or _NOTE_TARGET.match(href))
    return href.startswith("#") and bool(_NOTE_MARK.match(text) or is_numbered) and bool(_text_before(link).strip())


def _join_initial(element: HtmlElement) -> None:
    """Join an initial letter with the word that it begins."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tag == "img":
        text = _initial(element.get("alt", "").strip())
        if text and not _text_before(element).strip() and (element.tail or "").lstrip()[:1].islower():
            element.tail = text + (element.tail or "").lstrip()
            element.drop_tree()
        return
    text = _initial(_text(element))
    if not text:
        return
    marked = any(_CAP_CLASS.search(e.get("class", "")) for e in (element, *element)) or "float" in element.get(
        "style", ""
    )
    if element.tag in _BLOCKS:
        _join_block(element, text, marked=marked)
    else:
        _join_inline(element, text, marked=marked)


def _join_inline(element: HtmlElement, text: str, *, marked: bool) -> None:
    tail = element.tail or ""
    following = element.getnext()
    if not marked and element.getparent().tag not in {"p", "div"}:
        return
    if _text_before(element).strip():
        return
    behind = tail
    if not tail.strip() and following is not None and isinstance(following.tag, str):
        behind = tail + (following.text or "")
    if not behind.lstrip()[:1].islower() or not tail[:1].isspace():
        return  # already joined, or no word's beginning
    if text[-1] in _ONE_LETTER_WORDS and not ("\n" in tail and marked):
        return
    element.tail = tail.lstrip()


def _join_block(element: HtmlElement, text: str, *, marked: bool) -> None:
    """Move the initial of a block of its own into the paragraph behind it."""
    following = element.getnext()
    behind = (element.tail or "").strip()
    if behind:
        if marked and behind[0].islower():
            element.tail = text + (element.tail or "").lstrip()
            element.drop_tree()
        return
    if following is None or following.tag not in _BLOCKS:
        return
    inner = "".join(map(str, following.itertext())).lstrip()
    if inner[:1].islower() and (marked or len(inner) > _MAX_MARK_CHARS):
        target = following
        while not (target.text or "").strip() and len(target):
            target = target[0]
        target.text = text + (target.text or "").lstrip()
        element.drop_tree()


def _initial(text: str) -> str:
    """Return an initial, with the quotation mark before it; empty if the text is none."""
    bare = text.lstrip(_OPENING)
    return text if len(bare) == 1 and bare.isupper() else ""


def _text(element: HtmlElement) -> str:
    return clean_text("".join(map(str, element.itertext())))


def _text_before(element: HtmlElement) -> str:
    """Return the text that stands right before an element in its block."""
    current = element
    for _ in range(4):
        previous, parent = current.getprevious(), current.getparent()
        if previous is not None and isinstance(previous.tag, str):
            if previous.tail:
                return str(previous.tail)
            if previous.tag in {"br", *_BLOCKS}:
                return ""
            inner = "".join(map(str, previous.itertext()))
            if inner:
                return inner
            current = previous
            continue
        if parent is None:
            return ""
        if parent.text or parent.tag in _BLOCKS or parent.tag in {"li", "td", "h1", "h2", "h3", "article"}:
            return parent.text or ""
        current = parent
    return ""


def _drop_all(elements: "list[HtmlElement] | Iterator[HtmlElement]") -> None:
    for element in list(elements):
        if element.getparent() is not None:
            element.drop_tree()
