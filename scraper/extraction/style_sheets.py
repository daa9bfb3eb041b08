"""What the page's own style sheets say of simple selectors: which classes and ids take elements off the screen."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lxml.html import HtmlElement

HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden"
    r"|(?<![\w-])opacity\s*:\s*0(?:\.0+)?(?![\d.])|font-size\s*:\s*0(?:px|em|rem|pt|%)?\s*(?:;|!|$)"
    r"|(?:^|[;\s])clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)"
    r"|transform\s*:\s*scale\(\s*0\s*\)|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)"
    r"|(?:left|right|top|text-indent)\s*:\s*-\d{3,}(?:\.\d+)?(?:px|em|rem|%)|(?:left|text-indent)\s*:\s*-9{2,}",
    re.IGNORECASE,
)
_COLLAPSED = re.compile(
    r"(?:^|[;\s])(?:max-)?(?:height|width)\s*:\s*0(?:\.0+)?(?:px|em|rem|%)?\s*(?:;|!|$)", re.IGNORECASE
)
_CLIPPED = re.compile(r"overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.IGNORECASE)
_EXPANDS = re.compile(r"(?:^|[;\s])(?:max-)?height\s*:\s*(?!0)\w", re.IGNORECASE)
SHOWS = re.compile(
    r"(?<![\w-])display\s*:\s*(?!none)\w|visibility\s*:\s*visible|opacity\s*:\s*(?:1|0?\.\d*[1-9])", re.IGNORECASE
)
STRIKES = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE)
_PIECE = re.compile(r"([^{}]*)([{}])")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PRINT = re.compile(r"@media\s+print\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
"""What shows on paper."""
_SELECTOR = re.compile(r"^(?P<tag>[a-z][\w-]*)?(?P<rest>(?:[.#][A-Za-z_][\w-]*)+)$")
_SCREENS = re.compile(r"@media\s+(?:only\s+)?(?:screen|all)\s*$|@(?:supports|layer|scope)\b", re.IGNORECASE)
_WORDS = ("none", "hidden", "line-through", "opacity:0", "opacity: 0", "rect(", "-9999", "inset(")
"""One of them stands in every rule that hides or strikes, but for a few rare ones."""
MAX_SHEET_CHARS = 300_000


@dataclass
class Sheets:
    """
    Simple selectors whose elements are hidden or struck out.

    A selector is a set of classes and ids (`.note`, `#wall`) and at most a tag.
    """

    hidden: set[tuple[str, frozenset[str]]] = field(default_factory=set)
    struck: set[tuple[str, frozenset[str]]] = field(default_factory=set)

    def hides(self, element: HtmlElement) -> bool:
        """Say whether a rule takes the element off the screen."""
        return bool(self.hidden) and _matches(element, self.hidden)

    def strikes(self, element: HtmlElement) -> bool:
        """Say whether a rule strikes the element's text out."""
        return bool(self.struck) and _matches(element, self.struck)


def read_sheets(tree: HtmlElement) -> Sheets:
    """Read the `style` elements of a page; a name that any rule shows, on whatever screen or place, does not hide."""
    sheets = Sheets()
    texts: list[str] = []
    room = MAX_SHEET_CHARS
    for style in tree.iter("style"):
        text = style.text or ""
        room -= len(text)
        if room < 0:
            break
        if style.get("media", "all").strip().lower() in {"", "all", "screen"} and any(word in text for word in _WORDS):
            text = _COMMENT.sub("", text) if "/*" in text else text
            texts.append(_PRINT.sub("", text) if "print" in text else text)
    collapsed: set[tuple[str, frozenset[str]]] = set()
    for text in texts:
        for selectors, declarations, on_screen in _rules(text):
            if on_screen and HIDES.search(declarations):
                sheets.hidden.update(_simple(selectors))
            elif on_screen and collapses(declarations):
                collapsed.update(_simple(selectors))
            if on_screen and STRIKES.search(declarations):
                sheets.struck.update(_simple(selectors))
    sheets.hidden = _never(sheets.hidden, SHOWS, texts) | _never(collapsed, _EXPANDS, texts)
    return sheets


def collapses(declarations: str) -> bool:
    """Say whether declarations leave an element no room, and cut off what does not fit."""
    return bool(_CLIPPED.search(declarations)) and bool(_COLLAPSED.search(declarations))


def _never(
    selectors: set[tuple[str, frozenset[str]]], opposite: re.Pattern[str], texts: list[str]
) -> set[tuple[str, frozenset[str]]]:
    """Return the selectors none of whose names a rule of the sheets gives the opposite."""
    names = set().union(*(parts for _, parts in selectors))
    undone = {name for text in texts for name in _undone(text, names, opposite)} if names else set()
    return {one for one in selectors if one[1].isdisjoint(undone)}


def _rules(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield selectors and declarations of each rule that may hide or strike, and whether it holds on every screen."""
    around: list[str] = []
    for match in _PIECE.finditer(text):
        before, brace = match[1], match[2]
        if brace == "{":
            around.append(before)
        elif around:
            selector = around.pop()
            if any(word in before for word in _WORDS) and not selector.lstrip().startswith("@"):
                outer = [one.rsplit(";", 1)[-1].strip() for one in around]
                yield selector.rsplit(";", 1)[-1].strip(), before, all(map(_SCREENS.match, outer))


def _undone(text: str, names: set[str], opposite: re.Pattern[str]) -> Iterator[str]:
    """Yield those of the names that a rule of a sheet gives the opposite, alone or together with others."""
    pattern = re.compile(rf"(?:{'|'.join(map(re.escape, sorted(names)))})(?![\w-])")
    for match in pattern.finditer(text):
        start = text.find("{", match.end())
        end = text.find("}", match.end())
        if 0 <= start < end and "{" not in text[start + 1 : end] and opposite.search(text, start + 1, end):
            yield match[0]


def _simple(selectors: str) -> Iterator[tuple[str, frozenset[str]]]:
    for selector in selectors.split(","):
        match = _SELECTOR.match(selector.strip())
        if match:
            yield (match["tag"] or "").lower(), frozenset(re.findall(r"[.#][\w-]+", match["rest"]))


def _matches(element: HtmlElement, selectors: Iterable[tuple[str, frozenset[str]]]) -> bool:
    names = {f".{name}" for name in element.get("class", "").split()}
    if element.get("id"):
        names.add(f"#{element.get('id')}")
    return bool(names) and any(parts <= names and tag in {"", element.tag} for tag, parts in selectors)
