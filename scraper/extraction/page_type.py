"""Tells article pages from everything else that a crawler is served with status 200."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from scraper.extraction.jsonld import ARTICLE_TYPES, text_of, types_of
from scraper.extraction.page import Page
from scraper.extraction.shown_dates import shown_dates
from scraper.extraction.text import fold, text_weight, words
from scraper.rejection import RejectionReason

Finding = tuple[RejectionReason, str]
"""Why a page is not an article, and what decided."""

_BLOCKED = re.compile(
    r"^(?:just a moment|access (?:to this page has been )?denied|attention required|are you (?:a )?(?:robot|human)"
    r"|pardon our interruption|(?:please )?verify (?:that )?you are (?:a )?human|security check|request blocked"
    r"|(?:error )?(?:403|401|429|503)(?=\s*(?:$|[:|-]|error|forbidden|unauthorized|too many|service))"
    r"|forbidden$|too many requests|bot (?:check|verification)|checking your browser)",
    re.IGNORECASE,
)
_SOFT_404 = re.compile(
    r"(?:\b(?:page|article|story|content|link|file)\b.{0,40}"
    r"\b(?:(?:not|cannot|could not|couldn.t|can.t) (?:be )?found|(?:no longer|not) (?:available|exists?)"
    r"|(?:does not|doesn.t) exist|has been (?:removed|moved|deleted))"
    r"|^(?:error )?404\b(?!\s+media)|\b404\b.{0,12}\b(?:error|not found|page)\b|\berror\b.{0,6}\b404\b"
    r"|\b(?:cannot|can.t|could not|couldn.t|unable to) find (?:that|this|the|your) (?:page|article|story)\b"
    r"|^not found$|^oops\b|seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouv\u00e9e)"
    r"|p\u00e1gina no encontrada|pagina non trovata)",
    re.IGNORECASE,
)
_CONSENT_TITLE = re.compile(
    r"\b(?:before you continue|cookie (?:consent|settings|preferences|policy|notice)"
    r"|privacy (?:settings|choices|cent(?:er|re))|consent|we value your privacy|your privacy(?: choices)?"
    r"|datenschutz-?einstellungen|cookies? (?:zustimmen|akzeptieren)|zustimmung|einwilligung|pur-abo"
    r"|gestion des cookies|consentement|consentimiento|consenso)\b",
    re.IGNORECASE,
)
_CONSENT_WORDS = frozenset(
    {
        "cookie",
        "cookies",
        "consent",
        "privacy",
        "partners",
        "vendors",
        "personalised",
        "personalized",
        "gdpr",
        "einwilligung",
        "zustimmung",
        "datenschutz",
        "dsgvo",
        "consentement",
        "partenaires",
        "consentimiento",
        "privacidad",
        "consenso",
        "toestemming",
        "samtycke",
        "rgpd",
    }
)
_CONSENT_HOST = re.compile(r"^(?:consent|guce|cmp|privacy|gdpr)\.", re.IGNORECASE)
_LISTING_TYPES = frozenset(
    {
        "CollectionPage",
        "ItemList",
        "SearchResultsPage",
        "ProfilePage",
        "AboutPage",
        "ContactPage",
        "ImageGallery",
        "VideoObject",
        "Product",
        "Event",
        "SportsEvent",
        "JobPosting",
        "Recipe",
        "FAQPage",
        "QAPage",
        "PodcastEpisode",
    }
)
_LIST_TYPES = frozenset({"CollectionPage", "SearchResultsPage", "ProfilePage"})
_DATE_META = (
    "article:published_time",
    "og:article:published_time",
    "datepublished",
    "pubdate",
    "parsely-pub-date",
    "date",
)
_SENTENCE_END = re.compile("[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)]*$")
SHORT_CHARS = 1_000
BRIEF_CHARS = 250
"""An article about a missing page has more text than a missing page that calls itself an article."""
MIN_UNDECLARED_CHARS = 400
MIN_CONSENT_SHARE = 0.03
MIN_CONSENT_WORDS = 4
MANY_TEASERS = 8
LONG_PARAGRAPH_CHARS = 160
MIN_PROSE_PARAGRAPHS = 4
MAX_BLURBS = 2
MANY_NODES = 3


def judge_page(page: Page, *, body: str) -> Finding | None:
    """
    Say why a page is not an article; None if it may well be one.

    :param body: The text that was found, however little.
    """
    titles = [title for title in (page.title, page.meta_text("og:title"), *page.headings[:2]) if title]
    return (
        _judge_title(page, titles, body=body) or _judge_consent(page, titles, body=body) or _judge_type(page, body=body)
    )


def _judge_title(page: Page, titles: list[str], *, body: str) -> Finding | None:
    if len(body) >= (BRIEF_CHARS if is_declared_article(page) else SHORT_CHARS):
        return None
    for title in titles:
        if _BLOCKED.search(title):
            return RejectionReason.BLOCKED, f"the page is titled {title!r} and has {len(body)} characters of text"
        if _SOFT_404.search(title):
            return RejectionReason.SOFT_404, f"the page is titled {title!r} and has {len(body)} characters of text"
    return None


def _judge_consent(page: Page, titles: list[str], *, body: str) -> Finding | None:
    if is_declared_article(page):
        return None
    tokens = words(body)
    share = sum(token in _CONSENT_WORDS for token in tokens) / max(1, len(tokens))
    many = share >= MIN_CONSENT_SHARE and share * len(tokens) >= MIN_CONSENT_WORDS
    named = any(_CONSENT_TITLE.search(title) for title in titles)
    if (
        _CONSENT_HOST.match(urlsplit(page.url).hostname or "")
        or (named and (many or len(body) < SHORT_CHARS))
        or (many and len(body) < 3 * SHORT_CHARS)
    ):
        return (
            RejectionReason.CONSENT,
            f"the page asks for consent: {share:.0%} of its words are about it",
        )
    return None


def _judge_type(page: Page, *, body: str) -> Finding | None:
    if urlsplit(page.url).path in {"", "/"} and not urlsplit(page.url).query:
        return RejectionReason.NOT_ARTICLE, "the address is the front page of the site"
    if is_declared_article(page):
        return None
    kinds = sorted({name for node in page.linked_data.nodes for name in types_of(node)} & _LISTING_TYPES)
    teasers = list(_teaser_headings(page))
    blurbs = _blurbs(teasers)
    parts = [part for part in body.split("\n\n") if text_weight(part) >= LONG_PARAGRAPH_CHARS]
    prose = [part for part in parts if fold(part) not in blurbs]
    if len(teasers) >= MANY_TEASERS and len(prose) < MIN_PROSE_PARAGRAPHS:
        return (
            RejectionReason.NOT_ARTICLE,
            f"the page lists {len(teasers)} linked headlines",
        )
    if kinds and len(body) < SHORT_CHARS:
        return RejectionReason.NOT_ARTICLE, f"the page calls itself {', '.join(kinds)}"
    if text_weight(body) < MIN_UNDECLARED_CHARS or not (prose or _is_dated_story(page, body)):
        detail = f"the page does not call itself an article and has {len(body)} characters of text"
        return RejectionReason.NOT_ARTICLE, detail
    return None


def _is_dated_story(page: Page, body: str) -> bool:
    """Say whether a page of short paragraphs shows a date beside its headline, as a news item does and a list does not."""
    sentences = sum(bool(_SENTENCE_END.search(text)) for text in body.split("\n\n"))
    return sentences >= MIN_PROSE_PARAGRAPHS and next(shown_dates(page), None) is not None


def is_declared_article(page: Page) -> bool:
    """Say whether the page calls itself an article: in JSON-LD, OpenGraph, or by a date of publication in its head."""
    nodes = page.linked_data.articles()
    titles = {fold(title) for title in (page.meta_text("og:title"), page.title, *page.headings) if title}
    own = any(fold(text_of(node.get("headline"))) in titles for node in nodes)
    if own or 0 < len(nodes) < MANY_NODES or _is_marked_article(page):
        return True
    if _LIST_TYPES & {name for node in page.linked_data.own for name in types_of(node)}:
        return False  # a template says of all its pages what stands in the head
    if page.meta_text("og:type").lower() in {"article", "news", "newsarticle", "og:article"}:
        return True
    return any(page.meta.get(name) for name in _DATE_META)


def _teaser_headings(page: Page) -> Iterator[HtmlElement]:
    """Yield the headings, below the first level, that are links."""
    for heading in page.tree.iter("h2", "h3", "h4"):
        parent = heading.getparent()
        if next(heading.iter("a"), None) is not None or (parent is not None and parent.tag == "a"):
            yield heading


def _blurbs(headings: list[HtmlElement]) -> set[str]:
    """Return the folded texts that stand under linked headings, one or two to a heading."""
    found: set[str] = set()
    for heading in headings:
        parent = heading.getparent()
        paragraphs = list(parent.iter("p")) if parent is not None else []
        if len(paragraphs) <= MAX_BLURBS:
            found.update(fold("".join(map(str, paragraph.itertext()))) for paragraph in paragraphs)
    return found


def _is_marked_article(page: Page) -> bool:
    """Say whether the page's microdata name an article: one that holds an `h1`, or too few for a list."""
    typed = page.tree.iterfind(".//*[@itemtype]")
    marked = [it for it in typed if it.get("itemtype", "").rstrip("/").rsplit("/", 1)[-1] in ARTICLE_TYPES]
    return 0 < len(marked) < MANY_NODES or any(next(element.iter("h1"), None) is not None for element in marked)
