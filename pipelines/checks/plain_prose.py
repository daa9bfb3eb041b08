"""A model's reply as running prose: the words of lists, tables, headings and stressed text without their Markdown."""

import re

_FENCE = re.compile(r"^[^\S\n]*(?:`{3,}|~{3,}).*$", re.MULTILINE)
_ITEM = re.compile(r"^[^\S\n]*(?:[-*+\u2022]|\d{1,2}[.)]|#{1,6}|>)\s+(?=\S)", re.MULTILINE)
_ROW = re.compile(r"^[^\S\n]*\|.*$", re.MULTILINE)
_LABEL = re.compile(r"^\s*(?:answer|reply|response)\s*:\s*", re.IGNORECASE)
_STRESSED = re.compile(r"(\*\*|__|`)(?=\S)(.{1,500}?)(?<=\S)\1")
_ESCAPED = re.compile(r"\\(?=[\[\]()*_`#])")


def plain_prose(reply: str) -> str:
    """
    Return a reply without the Markdown that a model puts around its words; each line of a list is a paragraph.

    Words, quotation marks and citations stay as they are.
    """
    text = _FENCE.sub("", _ESCAPED.sub("", reply))
    text = _STRESSED.sub(r"\2", text)
    listed = _ROW.sub(lambda row: row.group().replace("|", " "), _ITEM.sub("", text))
    if listed != text:
        listed = re.sub(r"\n+", "\n\n", listed)
    return _LABEL.sub("", listed)
