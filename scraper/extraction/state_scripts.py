"""The text of a story that stands in the state of the page's scripts, where the HTML shows little of it."""

import json
import re
from collections.abc import Iterator, Sequence

import lxml.etree
import lxml.html

from scraper.extraction.page import Page
from scraper.extraction.text import block_text, clean_label, fold, text_weight

_ASSIGNED = re.compile(
    r"^\s*(?:(?:var|let|const)\s+)?(?:window\.|self\.|globalThis\.)?[\w.$\[\]\"']{1,80}\s*=\s*(?=[{\[])"
)
_PARSED = re.compile(r"=\s*JSON\.parse\(\s*(?P<text>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')\s*\)")
_FLIGHT = re.compile(r"self\.__next_f\.push\(\s*(\[.*\])\s*\)\s*;?\s*$", re.DOTALL)
_FLIGHT_ROW = re.compile(r"^[0-9a-f]{1,6}:(?=[\[{\"])", re.MULTILINE)
_HTML = re.compile(r"<(?:p|div|h[1-6]|li|br|blockquote)\b", re.IGNORECASE)
_TEXT_KEYS = frozenset(
    {
        "body",
        "content",
        "text",
        "html",
        "paragraph",
        "paragraphs",
        "articlebody",
        "bodytext",
        "blocks",
        "elements",
        "value",
        "children",
        "copy",
        "rendered",
        "data",
        "markup",
        "innerhtml",
        "content_elements",
        "story",
        "items",
        "nodes",
        "components",
        "maintext",
        "fulltext",
        "bodyhtml",
        "props",
    }
)
_NOT_TEXT = frozenset(
    {
        "headline",
        "title",
        "seotitle",
        "description",
        "summary",
        "caption",
        "credit",
        "alt",
        "teaser",
        "related",
        "recommended",
        "comments",
        "newsletter",
        "author",
        "authors",
        "byline",
        "tags",
        "seo",
        "meta",
        "navigation",
        "footer",
        "copyright",
    }
)
_TITLE_KEYS = ("headline", "title", "name", "seoTitle", "pageTitle", "headlines", "heading")
_SENTENCE_END = re.compile("[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)]*$")
_PROSE_TAGS = frozenset({"p", "li", "blockquote", "h2", "h3"})
MAX_SCRIPT_CHARS = 3_000_000
MAX_VALUES = 60_000
MAX_DEPTH = 60
MIN_SENTENCE_WEIGHT = 40


def read_state_text(page: Page, *, titles: Sequence[str]) -> list[str]:
    """
    Return the paragraphs of the story that the page's scripts hold: those of the object that bears the page's headline.

    :param titles: What the page calls itself.
    :returns: Empty if no script holds the story.
    """
    known = {fold(title) for title in titles} - {""}
    best: list[str] = []
    flights: list[str] = []
    for script in page.tree.iter("script"):
        text = script.text or ""
        if not text or len(text) > MAX_SCRIPT_CHARS or "ld+json" in script.get("type", ""):
            continue
        flight = _FLIGHT.search(text)
        if flight:
            flights.append(flight[1])
            continue
        for state in _states(text):
            best = max(best, _story(state, known), key=_weight)
    return max(best, _flight_text(flights, known), key=_weight)


def _states(text: str) -> Iterator[object]:
    """Yield the JSON values of a script: all of it, what it assigns, what it parses."""
    stripped = text.strip()
    if stripped[:1] in "{[":
        yield from _load(stripped.rstrip(";"))
        return
    assigned = _ASSIGNED.match(text)
    if assigned:
        yield from _load(text[assigned.end() :], whole=False)
    for match in _PARSED.finditer(text):
        quoted = match["text"]
        inner = quoted if quoted[0] == '"' else json.dumps(re.sub(r"\\(['\\])", r"\1", quoted[1:-1]))
        for string in _load(inner):
            if isinstance(string, str):
                yield from _load(string)


def _load(text: str, *, whole: bool = True) -> Iterator[object]:
    try:
        yield json.loads(text, strict=False) if whole else json.JSONDecoder(strict=False).raw_decode(text)[0]
    except (ValueError, RecursionError):
        return


def _story(state: object, known: set[str]) -> list[str]:
    """Return the prose of the smallest object that bears one of the headlines and holds most text."""
    best: list[str] = []
    for node in _titled(state, known):
        found = list(_prose(node))
        if _weight(found) > _weight(best):
            best = found
    return best


def _titled(state: object, known: set[str]) -> Iterator[dict[str, object]]:
    """Yield the objects that bear a headline, and, where it stands in a part of its own, the objects around it."""
    stack: list[tuple[object, tuple[dict[str, object], ...]]] = [(state, ())]
    left = MAX_VALUES
    while stack and left:
        left -= 1
        value, outer = stack.pop()
        if isinstance(value, list):
            stack.extend((item, outer) for item in value)
        elif isinstance(value, dict):
            if any(
                isinstance(value.get(key), str) and fold(clean_label(str(value[key]))) in known for key in _TITLE_KEYS
            ):
                yield value
                yield from outer[-2:]
            if len(outer) < MAX_DEPTH:
                stack.extend((item, (*outer, value)) for item in value.values() if isinstance(item, dict | list))


def _prose(value: object, depth: int = 0) -> Iterator[str]:
    """Yield the sentences of an object in its order, from keys that hold text."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, str):
        yield from _paragraphs(value)
    elif isinstance(value, list):
        for item in value:
            yield from _prose(item, depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key.lower() in _NOT_TEXT or (isinstance(item, str) and key.lower() not in _TEXT_KEYS):
                continue
            yield from _prose(item, depth + 1)


def _paragraphs(text: str) -> Iterator[str]:
    if _HTML.search(text):
        try:
            tree = lxml.html.fragment_fromstring(text, create_parent="div")
        except (lxml.etree.LxmlError, ValueError):
            return
        lines = [block_text(element) for element in tree.iter(*_PROSE_TAGS)] or [block_text(tree)]
    else:
        lines = [clean_label(line) for line in text.split("\n")]
    for line in lines:
        if text_weight(line) >= MIN_SENTENCE_WEIGHT and _SENTENCE_END.search(line):
            yield line


def _flight_text(pushes: list[str], known: set[str]) -> list[str]:
    """Return the text of the rows that React Server Components are sent in: paragraphs, or an object with the headline."""
    joined = "".join(
        part
        for push in pushes
        for value in _load(push)
        if isinstance(value, list)
        for part in value[1:]
        if isinstance(part, str)
    )
    found: list[str] = []
    stories: list[str] = []
    starts = [match.end() for match in _FLIGHT_ROW.finditer(joined)]
    for start in starts:
        for row in _load(joined[start:], whole=False):
            found += _elements(row)
            stories = max(stories, _story(row, known), key=_weight)
    return max(found, stories, key=_weight)


def _elements(row: object, depth: int = 0) -> list[str]:
    """Return the texts of paragraph elements, each written as ["$", tag, key, props]."""
    if depth > MAX_DEPTH or not isinstance(row, list | dict):
        return []
    if isinstance(row, list) and len(row) >= 4 and row[0] == "$" and row[1] in _PROSE_TAGS and isinstance(row[3], dict):
        text = clean_label("".join(_strings(row[3].get("children"))))
        return [text] if text_weight(text) >= MIN_SENTENCE_WEIGHT and _SENTENCE_END.search(text) else []
    items = row if isinstance(row, list) else list(row.values())
    return [text for item in items for text in _elements(item, depth + 1)]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        if len(value) >= 4 and value[0] == "$" and isinstance(value[3], dict):
            yield from _strings(value[3].get("children"))
        else:
            for item in value:
                yield from _strings(item)


def _weight(paragraphs: list[str]) -> int:
    return sum(map(text_weight, paragraphs))
