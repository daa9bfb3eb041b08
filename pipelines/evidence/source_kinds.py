"""Kinds of article that never verify by themselves: opinion, satire, letters, sponsored text, live social quotes."""

import re
from functools import lru_cache
from urllib.parse import urlsplit

from core.types import Article
from pipelines.query.source_types import source_type

_KINDS = {
    "opinion": r"opinions?|op-?eds?|columns?|columnists?|comment(?:ary|isfree)?|editorials?|viewpoints?|blogs?",
    "satire": r"satire|satirical|humou?r|parody|spoof|jokes?",
    "letter": r"letters?(?:-to-the-editor)?|readers?-letters|your-letters",
    "sponsored": r"sponsored(?:-content)?|advertorials?|partner-content|paid-content|promoted|brandstudio|brand-voice|native|advertisement|press-releases?",
    "social": r"tweets?|social(?:-media)?(?:-posts)?",
}
_BY_SECTION = {kind: re.compile(rf"^(?:{words})$", re.IGNORECASE) for kind, words in _KINDS.items()}
_LABELLED = {
    "opinion": re.compile(r"^(?:opinion|comment|commentary|editorial|column|analysis and opinion|op-ed)\s*[:|]", re.I),
    "satire": re.compile(r"^(?:satire|humou?r|parody)\s*[:|]", re.IGNORECASE),
    "letter": re.compile(r"^(?:letters?(?: to the editor)?|your letters)\s*[:|]", re.IGNORECASE),
    "sponsored": re.compile(r"^(?:sponsored|advertisement|paid post|partner content|promoted)\b", re.IGNORECASE),
}
_SATIRE_TYPE = "satire"
_NAMES = {
    "opinion": "an opinion piece",
    "satire": "satire",
    "letter": "a reader's letter",
    "sponsored": "sponsored text",
    "social": "social posts",
}
_SEPARATORS = re.compile(r"\s*[|/>›»,]\s*|\s+-\s+")


def source_kind(article: Article) -> str:
    """
    Return what keeps an article from verifying by itself, in words ("an opinion piece"); empty: nothing.

    Its section, a folder of its address, its headline's label and its publisher's type tell.
    """
    return _kind(article.section or "", article.url, article.headline)


def verifies(article: Article) -> bool:
    """Say whether an article may verify or refute by itself."""
    return not source_kind(article)


@lru_cache(maxsize=4096)
def _kind(section: str, url: str, headline: str) -> str:
    sections = [part for part in _SEPARATORS.split(section.strip()) if part]
    folders = [part for part in urlsplit(url).path.split("/")[:-1] if part]
    for kind, pattern in _BY_SECTION.items():
        if any(pattern.match(part.replace(" ", "-")) for part in sections):
            return _NAMES[kind]
        if kind != "social" and any(pattern.match(part) for part in folders):
            return _NAMES[kind]
    for kind, pattern in _LABELLED.items():
        if pattern.match(headline):
            return _NAMES[kind]
    return _NAMES[_SATIRE_TYPE] if source_type(url) == _SATIRE_TYPE else ""
