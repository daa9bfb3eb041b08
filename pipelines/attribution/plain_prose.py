"""A model's reply as running prose: the words of lists, tables, headings and stressed text without their Markdown."""

import re

_FENCE = re.compile(r"^[^\S\n]*(?:`{3,}|~{3,}).*$", re.MULTILINE)
_ITEM = re.compile(r"^[^\S\n]*(?:[-*+\u2022]|\d{1,2}[.)]|#{1,6}|>)[^\S\n]+(\S.*)$", re.MULTILINE)
_ROW = re.compile(r"^[^\S\n]*(\|.*)$", re.MULTILINE)
_LABEL = re.compile(r"^\s*(?:answer|reply|response)\s*:\s*", re.IGNORECASE)
_STRESSED = re.compile(r"(\*\*|__|`)(?=\S)(.{1,500}?)(?<=\S)\1")
_CITING = re.compile(r"(?:\s*(?:docs?\.?\s*)?[\[(【][^\])】]{0,40}[\])】])+$", re.IGNORECASE)
_END = 200
"""Characters in which the citations that end an item are looked for."""
_STOPS = tuple(".!?…:;,\"'”’。")
_ESCAPED = re.compile(r"\\(?=[\[\]()*_`#])")


def plain_prose(reply: str) -> str:
    """
    Return a reply without the Markdown that a model puts around its words; each line of a list is a paragraph.

    Words, quotation marks and citations stay as they are; what stands in a list gets the full stop that it lacks.
    """
    text = _FENCE.sub("", _ESCAPED.sub("", reply))
    text = _STRESSED.sub(r"\2", text)
    listed = _ROW.sub(_sentence, _ITEM.sub(_sentence, text))
    if listed != text:
        listed = re.sub(r"\n+", "\n\n", listed)
    return _LABEL.sub("", listed)


def _sentence(match: re.Match[str]) -> str:
    """Return an item of a list or a row of a table as a sentence."""
    text = " ".join(match.group(1).replace("|", " ").split())
    return text if _CITING.sub("", text[-_END:]).endswith(_STOPS) else f"{text}."
