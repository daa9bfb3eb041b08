"""From the bytes of a page to text, when servers and pages are wrong about the character set."""

import re
import unicodedata

from charset_normalizer import from_bytes
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from scraper.charsets import ascii_charset

MAX_BROKEN_SHARE = 0.1
"""Of the characters beyond ASCII in UTF-8: a cut character in an embed or comment. Of another set, most would be."""
MAX_REPLACED_SHARE = 0.002
"""Share of undecodable characters above which a declared character set is not believed."""
_FALLBACKS = ("cp1252",)
_MARKUP = re.compile(rb"<(?:script|style)\b.*?</(?:script|style)|<[^>]*>|[\x00-\x40]+", re.DOTALL | re.IGNORECASE)
_LANGUAGE = re.compile(rb"<html[^>]{0,500}?\slang\s*=\s*[\"']?([A-Za-z]{2})(?![A-Za-z])", re.IGNORECASE)
_CYRILLIC = ("cp1251", "koi8_r", "koi8_u", "iso8859_5", "cp866")
_SCRIPTS = dict.fromkeys(("ru", "uk", "bg", "be", "sr", "mk"), _CYRILLIC) | {
    "ja": ("cp932", "euc_jp"), "zh": ("gb18030", "big5"), "ko": ("cp949",), "el": ("cp1253", "iso8859_7"),
    "he": ("cp1255",), "ar": ("cp1256", "iso8859_6"), "fa": ("cp1256",), "th": ("cp874",),
}  # fmt: skip
"""Language to the character sets in which its script was written."""
_CENTRAL = frozenset({"pl", "cs", "sk", "hu", "sl", "hr", "bs", "ro", "sq"})
_WINDOWS_LETTERS = re.compile(rb"[\x8a\x8c-\x8f\x9a\x9c-\x9f]")
"""Of cp1250; ISO 8859-2 has control characters there."""
_BY_LANGUAGE = {"tr": "cp1254", "az": "cp1254", "lt": "cp1257", "lv": "cp1257", "et": "cp1257", "vi": "cp1258"}
MAX_SAMPLE_BYTES = 50_000
_WIDE = ("utf-16", "utf-32")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def decode(content: bytes, *, content_type: str) -> str:
    """
    Decode a page.

    Order: byte order mark; UTF-8 if there are characters beyond ASCII and nearly all are valid (that does not happen by
    accident); the server's character set; the page's own; if none is named, the one that the text fits; Windows-1252.

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
    guessed = [name for name in (_guess(content),) if name] if not candidates else []
    for name in (*candidates, *guessed, *_FALLBACKS):
        text = content.decode(name, "replace")
        if text.count("\ufffd") <= MAX_REPLACED_SHARE * len(text):
            return text
    return content.decode("utf-8", "replace")


def _guess(content: bytes) -> str | None:
    """
    Return the character set that a text fits which names none; None: a Western one, or nothing can be told.

    Other scripts than Latin are told by their letters. Latin ones look alike: there the page's language decides.
    """
    sample = _MARKUP.sub(b" ", content)[:MAX_SAMPLE_BYTES]
    language = _LANGUAGE.search(content)
    code = language[1].decode().lower() if language else ""
    best = from_bytes(sample, cp_isolation=list(_SCRIPTS[code])).best() if code in _SCRIPTS else None
    best = best or from_bytes(sample).best()
    if best is None:
        return None
    letters = [char for char in str(best) if not char.isascii() and char.isalpha()]
    latin = sum(unicodedata.name(char, "").startswith("LATIN") for char in letters)
    if 2 * latin < len(letters):
        return best.encoding
    if code in _CENTRAL:
        is_windows = _WINDOWS_LETTERS.search(sample) or (code == "pl" and sample.count(0xB9) > sample.count(0xB1))
        return "cp1250" if is_windows else "iso8859_2"
    return _BY_LANGUAGE.get(code)


def _charset(name: str) -> str | None:
    """Return Python's name of a declared character set; None: it is none."""
    known = resolve_encoding(name)
    return known if known and (known.startswith(_WIDE) or ascii_charset(known)) else None
