"""
Text from articles, users and models as it may appear in Markdown and HTML: as letters, never as markup.

Markdown escapes with a backslash the punctuation that can start markup there, and writes `<`, `>` and `&`
as entities, because CommonMark passes raw HTML through. Links go only to http and https.
"""

import html
import re
from urllib.parse import quote, urlsplit

from core.text import visible
from pipelines.attribution.markers import unescaped

_MARKUP = re.compile(r"([\\`*_\[\]|~])")
_LINE_START = re.compile(r"^(\s*)([-+#=])")
_LINE_END_DOT = re.compile(r"^(\s*\d+)([.)])", re.MULTILINE)
_AUTOLINK = re.compile(r"\b(https?|ftp|mailto|javascript|data)(:)|(www)(\.)|(@)", re.IGNORECASE)
_BREAKS = re.compile(r"[\r\n\u2028\u2029\x0b\x0c\x85]+")
_SAFE_URL = "/:?#[]@!$&'*+,;=%~-._"


def markdown_text(text: str) -> str:
    """
    Escape one piece of running text for Markdown; line breaks become blanks.

    :returns: Text that CommonMark with tables, strikethrough and autolinks renders as the same letters.
    """
    line = _BREAKS.sub(" ", visible(text)).strip()
    line = html.escape(line, quote=False)
    line = _MARKUP.sub(r"\\\1", line)
    line = _LINE_END_DOT.sub(r"\1\\\2", line)
    line = _LINE_START.sub(r"\1\\\2", line)
    return _AUTOLINK.sub(_break_autolink, line)


def markdown_answer(text: str) -> str:
    """Escape an answer for Markdown; its citations, Doc[n], stay readable where nothing behind them makes a link."""
    return unescaped(markdown_text(text))


def _break_autolink(match: re.Match[str]) -> str:
    """Write the character that makes a bare address a link as an entity: it looks the same and links nowhere."""
    scheme, colon, www, dot, at = match.groups()
    if scheme:
        return f"{scheme}&#58;" if colon else scheme
    return f"{www}&#46;" if www and dot else "&#64;" if at else match.group()


def markdown_link(label: str, url: str) -> str:
    """Make a Markdown link; where the address is not http or https, the label alone."""
    address = safe_url(url)
    if address is None:
        return markdown_text(label)
    return f"[{markdown_text(label)}]({address.replace('(', '%28').replace(')', '%29')})"


def safe_url(url: str) -> str | None:
    """
    Return the address with everything percent-encoded that could end a link or an attribute.

    :returns: None if it is not an http or https address with a host.
    """
    try:
        parts = urlsplit(visible(url).strip())
    except ValueError:
        return None
    if parts.scheme.lower() not in {"http", "https"} or not parts.hostname:
        return None
    return quote(parts.geturl(), safe=_SAFE_URL).replace("'", "%27")


def html_text(text: str) -> str:
    """Escape text for HTML, in an element or in a quoted attribute."""
    return html.escape(visible(text), quote=True)
