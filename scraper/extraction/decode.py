"""From the bytes of a page to text, when servers and pages are wrong about the character set."""

import re

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from scraper.charsets import ascii_charset

MAX_BROKEN_SHARE = 0.1
"""Of the characters beyond ASCII in UTF-8: a cut character in an embed or comment. Of another set, most would be."""
MAX_REPLACED_SHARE = 0.002
"""Share of undecodable characters above which a declared character set is not believed."""
_FALLBACKS = ("cp1252",)
_WIDE = ("utf-16", "utf-32")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def decode(content: bytes, *, content_type: str) -> str:
    """
    Decode a page.

    Order: byte order mark; UTF-8 if there are characters beyond ASCII and nearly all are valid (that does not happen by
    accident); the server's character set; the page's own; Windows-1252.

    :param content_type: The Content-Type header; empty if there is none.
    :returns: Text without control characters and without an XML declaration, which lxml would refuse.
    """
    encoding, mark = read_bom(content)
    text = (
        content[len(mark) :].decode(encoding, "replace")
        if encoding and mark
        else _decode_unmarked(content, content_type)
    )
    return _XML_DECLARATION.sub("", _CONTROL.sub("", text), count=1)


def _decode_unmarked(content: bytes, content_type: str) -> str:
    text = content.decode("utf-8", "replace")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    broken = text.count("\ufffd") - content.count("\ufffd".encode())
    if beyond_ascii and broken <= MAX_BROKEN_SHARE * beyond_ascii:
        return text
    declared = (http_content_type_encoding(content_type), html_body_declared_encoding(content))
    candidates = [known for name in declared if name and (known := _charset(name))]
    for name in (*candidates, *_FALLBACKS):
        text = content.decode(name, "replace")
        if text.count("\ufffd") <= MAX_REPLACED_SHARE * len(text):
            return text
    return content.decode("utf-8", "replace")


def _charset(name: str) -> str | None:
    """Return Python's name of a declared character set; None: it is none."""
    known = resolve_encoding(name)
    return known if known and (known.startswith(_WIDE) or ascii_charset(known)) else None
