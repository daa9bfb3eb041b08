"""Languages by their ISO 639-1 codes."""

import re

from babel.core import get_global

_TAG = re.compile(r"([a-z]{2,3})(?:[-_].*)?", re.IGNORECASE)
_CODE_CHARS = 2


def language_code(tag: object) -> str | None:
    """Return the ISO 639-1 code of a language tag, which may begin with an ISO 639-2 code; None if there is none."""
    found = _TAG.fullmatch(tag.strip()) if isinstance(tag, str) else None
    if found is None:
        return None
    code = found.group(1).lower()
    short = code if len(code) == _CODE_CHARS else get_global("language_aliases").get(code, "")
    return short if len(short) == _CODE_CHARS else None
