"""Which wire service an article is credited to."""

import re
from collections.abc import Iterator

from scraper.extraction.jsonld import text_of
from scraper.extraction.page import Page

AGENCIES: dict[str, str] = {
    "Reuters": r"reuters|thomson reuters",
    "AP": r"(?:the )?associated press|ap(?: news)?",
    "AFP": r"agence france[- ]presse|afp",
    "Bernama": r"bernama",
    "Xinhua": r"xinhua(?: news agency)?",
    "dpa": r"dpa|deutsche presse-agentur",
    "EFE": r"efe|agencia efe",
    "ANSA": r"ansa",
    "TASS": r"tass|itar-tass",
    "Kyodo": r"kyodo(?: news)?",
    "Jiji": r"jiji(?: press)?",
    "Yonhap": r"yonhap(?: news agency)?",
    "PTI": r"pti|press trust of india",
    "ANI": r"ani",
    "IANS": r"ians",
    "UPI": r"upi|united press international",
    "PA": r"pa(?: media| news agency)?|press association",
    "AAP": r"aap|australian associated press",
    "CP": r"(?:the )?canadian press",
    "Anadolu": r"anadolu(?: agency| ajans\u0131)?|aa",
    "Antara": r"antara(?: news)?",
    "VNA": r"vna|vietnam news agency",
    "APA": r"apa|austria presse agentur",
    "SDA": r"sda|keystone-sda",
    "NTB": r"ntb",
    "TT": r"tt",
    "Ritzau": r"ritzau",
    "Belga": r"belga",
    "Lusa": r"lusa",
    "PAP": r"pap",
    "Bloomberg": r"bloomberg(?: news)?",
    "CNS": r"china news service",
}
"""Canonical name to a pattern for the ways it is written. Codes count in credits only, never in running text."""


def _names(prefix: str) -> str:
    """Return one pattern for all agencies, with a named group for each: the prefix and the agency's number."""
    return "|".join(f"(?P<{prefix}{number}>{pattern})" for number, pattern in enumerate(AGENCIES.values()))


_WHOLE = re.compile(
    rf"^(?:by |from |source:? ?)?(?:{_names('a')})(?: staff(?: reporters?)?| contributors?| news ?wire)?$",
    re.IGNORECASE,
)
_DATELINE = re.compile(
    rf"^.{{0,70}}?\((?:{_names('a')})\)\s*[-\u2013\u2014:.]?\s"
    rf"|^.{{0,60}}?[-\u2013\u2014/]\s?(?:{_names('b')})\s?[-\u2013\u2014/:]\s",
    re.IGNORECASE,
)
_CREDIT = re.compile(
    r"(?:^|\s)(?:[-\u2013\u2014]+\s*|[(\[/]|source:? |mit "
    r"|with (?:files|(?:additional )?reporting|inputs?) (?:from|by) )"
    rf"(?:{_names('a')})[)\]/.]*$",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"\s*(?:,|/|;|\||&|\band\b|\bund\b|\bet\b|\bwith\b|\bvia\b)\s*", re.IGNORECASE)
TAIL_PARAGRAPHS = 2
MAX_CREDIT_CHARS = 400


def read_agency(page: Page, *, authors: tuple[str, ...], body: str) -> str | None:
    """
    Return the canonical name of the credited wire service; None if none is credited.

    Looked for in the byline, in what JSON-LD names as source, in the dateline, and in a credit at the end of the text.
    """
    for credit in _stated_credits(page, authors):
        match = _WHOLE.match(credit)
        if match:
            return _name(match)
    paragraphs = body.split("\n\n")
    match = next(filter(None, (_DATELINE.match(text) for text in paragraphs[:TAIL_PARAGRAPHS])), None)
    if match is None:
        ends = [text[-MAX_CREDIT_CHARS:] for text in reversed(paragraphs[-TAIL_PARAGRAPHS:])]
        match = next(filter(None, (_WHOLE.match(text) or _CREDIT.search(text) for text in ends)), None)
    return _name(match) if match else None


def _stated_credits(page: Page, authors: tuple[str, ...]) -> Iterator[str]:
    for author in authors:
        yield from _SPLIT.split(author)
    for key in ("sourceOrganization", "provider", "creditText", "contributor"):
        for value in page.linked_data.many(page.article_data.get(key)):
            yield from _SPLIT.split(text_of(value))


def _name(match: re.Match[str]) -> str:
    """Return the agency whose group matched."""
    return next(list(AGENCIES)[int(group[1:])] for group, text in match.groupdict().items() if text)
