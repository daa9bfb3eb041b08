"""Takes out of a page what no reader sees, before anything is read from it."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from scraper.extraction.phrases import WALL
from scraper.extraction.style_sheets import HIDES, Sheets, collapses
from scraper.extraction.text import clean_text

_SHOWS_AGAIN = re.compile(r"visibility\s*:\s*visible", re.IGNORECASE)
_HIDDEN_CLASSES = frozenset(
    {
        "hidden",
        "d-none",
        "is-hidden",
        "u-hidden",
        "display-none",
        "invisible",
        "sr-only",
        "visually-hidden",
        "visuallyhidden",
        "u-visually-hidden",
        "screen-reader-text",
        "screen-reader-only",
        "a11y-hidden",
        "element-invisible",
        "element-hidden",
        "show-for-sr",
        "visually-hidden-focusable",
        "print-only",
        "noscreen",
    }
)
"""Names by which the common style sheets (Bootstrap, Tailwind, WordPress, Drupal, Foundation) hide."""
_SCREEN_READER = re.compile(
    r"(?:^|\s)(?:sr-only|(?:u-)?visually-?hidden|screen-reader-(?:text|only)|show-for-sr)(?:$|\s)"
)
_RESPONSIVE = re.compile(
    r"(?:^|\s)(?:\w{2,4}:(?:block|flex|grid|inline\S*|contents|not-sr-only)|d-\w{2,3}-(?!none)\w+)(?:$|\s)"
)
_INLINE = frozenset({"span", "b", "i", "em", "strong", "a", "abbr", "small", "u", "mark", "font", "big"})
_NO_TEXT = frozenset({"script", "style", "noscript", "template", "head", "title", "meta", "link", "svg", "iframe"})
_POPUP_ROLES = frozenset({"dialog", "alertdialog", "menu", "tooltip", "listbox", "menubar", "navigation", "search"})
MIN_RUN_CHARS = 40
"""A shorter run of text is a label, a button or part of a sentence."""
STORY_RATIO = 2
"""A hidden part with this many times the text that is shown is the story, hidden until a script shows it."""
MAX_LEAD_CHARS = 400
"""A page that shows more text than this has its story on the screen already."""
MAX_INITIAL_CHARS = 2
MIN_METERED_CHARS = 80

Hidden = tuple[HtmlElement, str]
"""An element, and what hides it."""


def drop_hidden(tree: HtmlElement, *, sheets: Sheets) -> None:
    """
    Drop what is hidden, in place; scripts in it stay.

    What a reader can open stays: `details`, `hidden=until-found`, a part that the button before it unfolds. So does the
    whole story, where it is hidden until a script shows it.
    """
    hidden = list(_hidden(tree, sheets=sheets))
    if not hidden:
        return
    total = _prose(tree)
    sizes = {id(element): _prose(element) for element, _ in hidden}
    shown = total - sum(sizes.values())
    by_means: dict[str, int] = {}
    for element, means in hidden:
        by_means[means] = by_means.get(means, 0) + sizes[id(element)]
    for element, means in hidden:
        story = _is_story(element, sizes[id(element)], shown=shown)
        if story or (means == "style" and sizes[id(element)] and _outweighs(by_means[means], shown)):
            inner = [(e, m) for child in element for e, m in _hidden(child, sheets=sheets)]
            _drop_all(e for e, _ in inner if not _outweighs(_prose(e), shown))
        else:
            _drop(element)


def _is_story(element: HtmlElement, size: int, *, shown: int) -> bool:
    if not _outweighs(size, shown) or element.get("role", "") in _POPUP_ROLES or element.tag == "dialog":
        return False
    marked = element.tag in {"body", "main", "article"} or next(element.iter("h1", "article", "main"), None) is not None
    return marked or shown <= MAX_LEAD_CHARS


def _outweighs(size: int, shown: int) -> bool:
    return size > STORY_RATIO * shown and size > MIN_RUN_CHARS


def _prose(element: HtmlElement) -> int:
    """Count the characters of longer runs of text."""
    total = 0
    for part in element.iter():
        if part.tag in _NO_TEXT or not isinstance(part.tag, str):
            continue
        for text in (part.text, part.tail if part is not element else None):
            if text and len(text) >= MIN_RUN_CHARS:
                total += len(text.strip())
    return total


def _hidden(tree: HtmlElement, *, sheets: Sheets) -> Iterator[Hidden]:
    """Yield the outermost hidden elements, in document order."""
    stack = [tree]
    while stack:
        element = stack.pop()
        if not isinstance(element.tag, str) or element.tag in _NO_TEXT:
            continue
        means = _means(element, sheets) if element.attrib or element.tag == "dialog" else ""
        if means and not _is_opened_by_reader(element, means):
            yield element, means
        else:
            stack.extend(reversed(element))


def _means(element: HtmlElement, sheets: Sheets) -> str:
    """Return what hides an element; empty if nothing does, or the page marks it as a part of its metered story."""
    attributes = element.attrib
    means = ""
    if "hidden" in attributes and _has_hidden_attribute(element):
        means = "attribute"
    elif "style" in attributes and _has_hiding_style(element):
        means = "style"
    elif "aria-hidden" in attributes and _is_silent(element):
        means = "aria"
    elif "popover" in attributes or (element.tag == "dialog" and "open" not in attributes):
        means = "closed"
    elif "class" in attributes and _has_hiding_class(element):
        means = "class"
    elif sheets.hides(element) and element.tag not in {"html", "body"}:
        means = "sheet"
    return "" if means and _is_metered(element) else means


def _is_metered(element: HtmlElement) -> bool:
    """Say whether an element is part of a story that is shown to some readers: marked so, with prose and no pitch in it."""
    if "paywall" not in element.get("class", "").lower().split() or element.get("role", "") in _POPUP_ROLES:
        return False
    paragraphs = [
        clean_text("".join(map(str, p.itertext()))) for p in (element.iter("p") if element.tag != "p" else [element])
    ]
    return any(len(text) >= MIN_METERED_CHARS for text in paragraphs) and not any(
        WALL.search(text) for text in paragraphs
    )


def _has_hidden_attribute(element: HtmlElement) -> bool:
    value = element.get("hidden")
    return value is not None and value.strip().lower() != "until-found"


def _has_hiding_style(element: HtmlElement) -> bool:
    style = element.get("style", "")
    return bool(HIDES.search(style) or collapses(style)) and not _SHOWS_AGAIN.search(style)


def _is_silent(element: HtmlElement) -> bool:
    """Say whether an element is hidden from all readers, and not only from screen readers as an initial letter is."""
    if element.get("aria-hidden", "").strip().lower() != "true":
        return False
    if element.tag not in _INLINE:
        return True
    text = clean_text("".join(map(str, element.itertext())))
    near = [element.getprevious(), element.getnext()]
    if any(n is not None and isinstance(n.tag, str) and _SCREEN_READER.search(n.get("class", "")) for n in near):
        return False
    behind = _text_behind(element)
    return not (0 < len(text) <= MAX_INITIAL_CHARS and text.isalpha() and behind[:1].islower())


def _text_behind(element: HtmlElement) -> str:
    following = element.getnext()
    inside = "".join(map(str, following.itertext())) if following is not None and isinstance(following.tag, str) else ""
    return (element.tail or "") + inside


def _has_hiding_class(element: HtmlElement) -> bool:
    name = element.get("class")
    return bool(name) and not _HIDDEN_CLASSES.isdisjoint((name or "").split()) and not _RESPONSIVE.search(name or "")


def _is_opened_by_reader(element: HtmlElement, means: str) -> bool:
    """Say whether the button right before an element unfolds it."""
    name = element.get("id")
    if not name or means in {"closed", "aria"} or element.get("role", "") in _POPUP_ROLES:
        return False
    if next(element.iterancestors("article", "main"), None) is None:
        return False
    before = element.getprevious()
    if before is None or not isinstance(before.tag, str):
        return False
    return any(
        control.get("aria-expanded") is not None and name in (control.get("aria-controls") or "").split()
        for control in before.iter("button", "a", "summary", "div", "span", "h2", "h3", "h4")
    )


def _drop_all(elements: Iterator[HtmlElement]) -> None:
    for element in list(elements):
        _drop(element)


def _drop(element: HtmlElement) -> None:
    """Remove an element but for its scripts, keeping the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    for script in list(element.iter("script")):
        script.tail = None
        parent.insert(parent.index(element), script)
    element.drop_tree()
