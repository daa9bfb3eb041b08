"""Which languages a publisher file may name, and when an article is in one of them."""

import re

_KIN = (
    {"ar", "ary", "arz"}, {"bs", "hr", "sr"}, {"id", "ms"}, {"nb", "nn", "no"}, {"wuu", "yue", "zh"},
)  # fmt: skip
"""Languages whose texts are taken for one another when they are detected."""


def read_language(value: object) -> str:
    """
    Read a language as a publisher file names it.

    :raises ValueError: If it is no ISO 639-1 code.
    """
    code = "no" if value is False else value  # what YAML makes of a bare no, which is Norwegian here
    if not isinstance(code, str) or not re.fullmatch(r"[a-z]{2}", code):
        raise ValueError("no language: write its ISO 639-1 code, as in en or de")
    return code


def may_be(language: str, wanted: str) -> bool:
    """Say whether a text that was taken for one language may be in the other."""
    return language == wanted or any({language, wanted} <= kin for kin in _KIN)
