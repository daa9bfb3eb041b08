"""Dates that a page shows near its headline or writes into its address: believed only in these places."""

import itertools
import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from lxml.html import HtmlElement

from scraper.extraction.page import Page
from scraper.extraction.text import block_text, fold

_OF_CHANGE = frozenset(
    {"datemodified", "updated", "modified", "dt-updated", "date-modified", "last-updated", "entry-modified"}
)
_OF_PUBLICATION = frozenset({"datepublished", "published", "entry-date", "dt-published", "pubdate"})
CHANGE_WORD = re.compile(
    r"\b(?:last\s+)?(?:updat\w*|modif\w*|edited|revis\w*|chang(?:ed|es)|corrected)\b|\baktualisier\w*|\bge\u00e4ndert|\bzuletzt\b|\bstand\s*:"
    r"|\bmis(?:e)? \u00e0 jour|\bmodifi\u00e9|\bactualizad[oa]|\baggiornat[oa]|\batualizad[oa]|\bbijgewerkt|\bgewijzigd|\b(?:sist )?oppdatert|\b(?:senast )?uppdaterad"
    r"|\b(?:sidst )?opdateret|\bp\u00e4ivitetty|\bmuokattu|\bzaktualizowano|\baktualizacja|\bg\u00fcncelle\w*|\bson g\u00fcncelleme|\bobnovlen\w*|\u043e\u0431\u043d\u043e\u0432\u043b\u0435\u043d\\w*"
    "|\u66f4\u65b0|\uc218\uc815|\ucd5c\uc885|\u0e2d\u0e31\u0e1b\u0e40\u0e14\u0e15|\u062a\u062d\u062f\u064a\u062b|diperbarui|c\u1eadp nh\u1eadt",
    re.IGNORECASE,
)
_PUBLISHED_WORD = re.compile(
    r"\bpubli\w*|\bposted|\bissued|\bfirst\b|\bver\u00f6ffentlicht|\berstellt|\berschienen|\bpubbl\w*|\bgepubliceerd|\bpubliser\w*|\bpublicer\w*|\budgivet|\bjulkaistu"
    "|\bopublikowan\\w*|\\byay\u0131n\\w*|\u0e40\u0e1c\u0e22\u0e41\u0e1e\u0e23\u0e48|\u53d1\u5e03|\u767c\u5e03|\u516c\u958b|\u914d\u4fe1|\uc785\ub825|\ub4f1\ub85d|\u043e\u043f\u0443\u0431\u043b\u0438\u043a\u043e\u0432\u0430\u043d\\w*",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"(?:^|[\s_-])(?:comments?|related|recommend\w*|teasers?|ticker|breaking|trending|latest|most-(?:read|viewed|popular)|more-\w+|sidebar|widget|promo\w*|cards?"
    r"|weather|clock|today|newsletter|live-?(?:feed|ticker)|footer|masthead|topbar|top-bar|caption|gallery|copyright|events?|calendar|epaper)(?:$|[\s_-])",
    re.IGNORECASE,
)
_SKIPPED = frozenset(
    {
        "script",
        "style",
        "nav",
        "aside",
        "footer",
        "form",
        "select",
        "table",
        "figure",
        "figcaption",
        "noscript",
        "svg",
        "button",
    }
)
_BLOCKS = frozenset(
    {
        "p",
        "div",
        "li",
        "span",
        "time",
        "small",
        "em",
        "strong",
        "b",
        "i",
        "dd",
        "dt",
        "address",
        "abbr",
        "a",
        "td",
        "section",
        "header",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "font",
        "ul",
    }
)
_DATE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:dates?|time|timestamp|published|posted|pubdate|datum|fecha)(?:$|[\s_-])", re.IGNORECASE
)
_META_CLASS = re.compile(r"(?:^|[\s_-])(?:meta|submitted|byline|info)(?:$|[\s_-])", re.IGNORECASE)
_YEAR = re.compile(
    "(?<!\\d)(?:19|20|2[45]|1[34])\\d\\d(?!\\d)|\u4ee4\u548c|\u5e73\u6210|\u6c11\u570b|(?<!\\d)\\d{1,2}[./-]\\d{1,2}[./-]\\d{2}(?!\\d)|[\u0660-\u0669\u06f0-\u06f9\u0e50-\u0e59\u0966-\u096f\u09e6-\u09ef]{4}|(?<=[\u0e00-\u0e7f.])\\s*[3-9]\\d(?![\\d:.])|\\bR\\d{1,2}\\."
)
_IN_FIGURES = re.compile(
    r"(?<![\d/.-])(?:\d{4}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{1,2}|\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2,4})(?![\d/-])"
    r"(?:[\s,|\u2013-]*(?:um|at|kl\.?|\u00e0|ore|klo|om|as|\u00e0s)?\s*\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\b\.?)?(?:\s?[(]?[A-Z]{2,5}\b[)]?)?)?"
)
_CLOCK_BEHIND = re.compile("(\\d{2})\\s*[|\u2022\u00b7\u2013-]\\s*(?=\\d{1,2}[:.]\\d{2}(?![\\d.]))")
"""Between a day and the clock that belongs to it, as in "25.04.24 | 14:07"."""
_DAY_SEGMENT = re.compile(r"^(?:(19|20)\d{2})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])$")
_MONTH_NAMES = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
MAX_LINE_CHARS = 120
MIN_PROSE_CHARS = 90
"""A paragraph of this length begins the story: what stands below is told in it, not said of it."""
MAX_ELEMENTS = 250
MAX_ABOVE = 60
MAX_TIMES = 3


def shown_dates(page: Page) -> Iterator[str]:
    """Yield short lines with a year that stand beside the headline and are not marked as the time of a change."""
    for text in _lines(page):
        parts = [part.strip(" |,;\u2022\u00b7()-\u2013") for part in _cut(_CLOCK_BEHIND.sub(r"\1 ", text))]
        for part in sorted(parts, key=lambda part: not _PUBLISHED_WORD.search(part)):
            if part and not CHANGE_WORD.search(part) and _YEAR.search(part):
                yield _PUBLISHED_WORD.sub("", part).strip(" :|,;\u2022\u00b7-\u2013")
                yield part
                yield from (match[0].strip() for match in _IN_FIGURES.finditer(part))


def shown_changes(page: Page) -> Iterator[str]:
    """Yield the lines beside the headline that name the time of the last change."""
    for text in _lines(page):
        for part in _cut(text):
            found = CHANGE_WORD.search(part)
            if found and _YEAR.search(part):
                yield re.sub(
                    r"^[\s:|,;.\u2022\u00b7-]+|^(?:on|am|le|el|il|den)\s+",
                    "",
                    part[found.end() :].strip(" :|,;\u2022\u00b7-\u2013"),
                )


def time_elements(page: Page) -> list[str]:
    """Return the first stamps of `time` elements of the story: those beside the headline, then others in it."""
    story = page.tree.xpath("(//h1/ancestor::*[self::article or self::main][1])[1]//time")
    elements = (
        e for e in (*story, *_near_headline(page)) if e.tag == "time" and not _is_of_change(e) and not _is_elsewhere(e)
    )
    stamps = (element.get("datetime") or element.get("content") for element in elements)
    return list(dict.fromkeys(stamp for stamp in stamps if stamp and any(map(str.isdigit, stamp))))[:MAX_TIMES]


def address_day(url: str) -> str:
    """Return the day that whole segments of an address name, as ISO 8601; empty if none do."""
    segments = [unquote(part).lower() for part in urlsplit(url).path.split("/") if part]
    for at, segment in enumerate(segments):
        whole = _DAY_SEGMENT.match(segment)
        if whole:
            digits = re.sub(r"\D", "", segment)
            return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
        if re.fullmatch(r"(?:19|20)\d\d", segment):
            rest = segments[at + 1 : at + 3]
            joined = rest[0] if rest and re.fullmatch(r"(?:0[1-9]|1[0-2])[-_]?(?:0[1-9]|[12]\d|3[01])", rest[0]) else ""
            if joined:
                digits = re.sub(r"\D", "", joined)
                return f"{segment}-{digits[:2]}-{digits[2:]}"
            if len(rest) > 1 and re.fullmatch(r"\d{1,2}", rest[1]) and 1 <= int(rest[1]) <= 31:
                month = (
                    _MONTH_NAMES.get(rest[0][:3])
                    if rest[0].isalpha()
                    else int(rest[0])
                    if re.fullmatch(r"\d{1,2}", rest[0])
                    else None
                )
                if month and 1 <= month <= 12:
                    return f"{segment}-{month:02d}-{int(rest[1]):02d}"
        month_segment = re.fullmatch(r"((?:19|20)\d\d)[-_]?(0[1-9]|1[0-2])", segment)
        if month_segment and at + 1 < len(segments) and re.fullmatch(r"0[1-9]|[12]\d|3[01]", segments[at + 1]):
            return f"{month_segment[1]}-{month_segment[2]}-{segments[at + 1]}"
    return ""


def _cut(text: str) -> list[str]:
    """Cut a line where it names publication and change one after the other."""
    places = sorted(
        {m.start() for m in CHANGE_WORD.finditer(text)}
        | {m.start() for m in _PUBLISHED_WORD.finditer(text)}
        | {m.start() for m in re.finditer("[|\u2022\u00b7]", text)}
    )
    edges = [0, *places, len(text)]
    return [text[start:end] for start, end in itertools.pairwise(edges) if text[start:end].strip()]


def _lines(page: Page) -> Iterator[str]:
    seen: set[str] = set()
    for element in _near_headline(page):
        if element.tag not in _BLOCKS or any(child.tag in {"p", "div", "ul", "section", "h2"} for child in element):
            continue
        text = block_text(element)
        titled = element.get("title", "")
        if titled and _DATE_CLASS.search(element.get("class", "")) and _YEAR.search(titled) and not _YEAR.search(text):
            text = titled
        if 4 <= len(text) <= MAX_LINE_CHARS and text not in seen and _YEAR.search(text) and not _is_elsewhere(element):
            seen.add(text)
            yield f"{text}" if not _is_of_change(element) or CHANGE_WORD.search(text) else f"updated {text}"


def _near_headline(page: Page) -> Iterator[HtmlElement]:
    """Yield the elements right above the headline in its story and below it, up to the first paragraph of prose."""
    heading = _heading(page)
    if heading is None:
        yield from _until_prose(page.tree.iter())
        return
    above: list[HtmlElement] = []
    outer = next((a for a in heading.iterancestors() if a.tag in {"article", "main"}), None)
    if outer is not None:
        for element in outer.iter():
            if element is heading:
                break
            above.append(element)
        yield from above[-MAX_ABOVE:]
    else:
        for sibling in heading.itersiblings(preceding=True):
            if sibling.tag not in _SKIPPED and sibling.tag != "header":
                yield from sibling.iter()
            break
    yield from _until_prose(element for element in heading.iter() if element is not heading)
    yield from _until_prose(_after(heading))


def _heading(page: Page) -> HtmlElement | None:
    headings = [h for h in page.tree.iter("h1") if block_text(h)]
    title = fold(page.meta_text("og:title") or page.title)
    return next((h for h in headings if title and fold(block_text(h)) in title), headings[0] if headings else None)


def _after(element: HtmlElement) -> Iterator[HtmlElement]:
    current: HtmlElement | None = element
    while current is not None:
        for sibling in current.itersiblings():
            if isinstance(sibling.tag, str):
                yield from sibling.iter()
        current = current.getparent()


def _until_prose(elements: Iterator[HtmlElement]) -> Iterator[HtmlElement]:
    for count, element in enumerate(elements):
        if count >= MAX_ELEMENTS:
            return
        if element.tag == "p" and len(block_text(element)) >= MIN_PROSE_CHARS and not _is_elsewhere(element):
            return
        if isinstance(element.tag, str):
            yield element


def _is_of_change(element: HtmlElement) -> bool:
    """Say whether an element is marked as the time of the last change, and not of the publication, too."""
    parent = element.getparent()
    marks: set[str] = set()
    for near in (element, parent) if parent is not None else (element,):
        marks |= set(
            f"{near.get('itemprop', '')} {near.get('class', '')} {near.get('property', '')}".lower()
            .replace(":", " ")
            .split()
        )
        if not marks.isdisjoint(_OF_PUBLICATION):
            return False
        if not marks.isdisjoint(_OF_CHANGE):
            return True
    if element.tag == "time":
        before = (parent.text or "") if parent is not None and element.getprevious() is None else ""
        previous = element.getprevious()
        before = (
            (previous.tail or "".join(map(str, previous.itertext())))
            if previous is not None and isinstance(previous.tag, str)
            else before
        )
        inside = block_text(element)
        return bool(CHANGE_WORD.search(before[-60:]) and not _PUBLISHED_WORD.search(before[-60:])) or bool(
            CHANGE_WORD.match(inside)
        )
    return False


def _is_elsewhere(element: HtmlElement) -> bool:
    """Say whether an element stands in a part of the page that is about something else than this story."""
    for outer in (element, *element.iterancestors()):
        if outer.tag in {"article", "main", "body"}:
            return outer.tag == "article" and outer.getparent() is not None and is_teaser_article(outer)
        if (outer.tag in _SKIPPED and not _is_story_meta(outer)) or (
            outer.tag == "a" and len(block_text(outer)) > MIN_PROSE_CHARS
        ):
            return True
        if _ELSEWHERE.search(outer.get("class", "")) or _ELSEWHERE.search(outer.get("id", "")):
            return True
        if (
            outer.tag == "header"
            and next(outer.iter("h1"), None) is None
            and next(outer.iterancestors("article", "main"), None) is None
        ):
            return True
    return False


def _is_story_meta(element: HtmlElement) -> bool:
    """Say whether a footer holds what a story says of itself, as some systems set it above the text."""
    return element.tag == "footer" and bool(_META_CLASS.search(element.get("class", "")))


def is_teaser_article(article: HtmlElement) -> bool:
    """Say whether an article element stands in another one, or holds no headline of the first level beside one that does."""
    if next(article.iterancestors("article"), None) is not None:
        return next(article.iter("h1"), None) is None
    return (
        next(article.iter("h1"), None) is None
        and next(article.getroottree().iter("h1"), None) is not None
        and len("".join(map(str, article.itertext("p")))) < 300
    )
