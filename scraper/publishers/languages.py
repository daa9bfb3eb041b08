"""Which languages a publisher file may name, and when an article is in one of them."""

import re

from babel import Locale

_CODE_CHARS = 2
_KIN = (
    {"ar", "ary", "arz"}, {"bs", "hr", "sr"}, {"id", "ms"}, {"nb", "nn", "no"}, {"wuu", "yue", "zh"},
)  # fmt: skip
"""Languages whose texts are taken for one another when they are detected."""


def read_language(value: object) -> str:
    """
    Read a language as a publisher file names it.

    :raises ValueError: If it is not an ISO 639-1 code.
    """
    code = "no" if value is False else value  # what YAML makes of a bare no, which is Norwegian here
    text = code.strip() if isinstance(code, str) else ""
    tag = re.fullmatch(r"([a-z]{2})(?:[-_][a-z0-9]{1,8})*", text, re.IGNORECASE)
    if tag is None:
        named = {name.lower(): one for one, name in Locale("en").languages.items() if len(one) == _CODE_CHARS}
        raise ValueError(f"no language: write its ISO 639-1 code, {named.get(text.lower(), 'as in en or de')}")
    return tag[1].lower()


def may_be(language: str, wanted: str) -> bool:
    """Say whether a text that was taken for one language may be in the other."""
    return language == wanted or any({language, wanted} <= kin for kin in _KIN)
