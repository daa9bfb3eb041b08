"""Does a text say of itself that it was corrected?"""

import re

_NOTICE = re.compile(
    r"(?:^|\n)\W{0,3}(?:correction|corrected|clarification|editor\W?s[ ]note)\b[^\n]{0,40}[:\u2014\u2013-]"
    r"|\b(?:this|the)[ ](?:story|article|report|headline|piece)[ ](?:has|have|was)[ ](?:since[ ])?(?:been[ ])?"
    r"(?:corrected|amended|updated[ ]to[ ](?:correct|reflect|clarify))"
    r"|\b(?:an?|the)[ ](?:earlier|previous|original)[ ]version[ ]of[ ]this[ ](?:story|article|report|headline|piece)\b"
    r"|\bwe[ ](?:apologi[sz]e|are[ ]sorry)[ ]for[ ]the[ ]error\b",
    re.IGNORECASE,
)


def carries_correction(body: str) -> bool:
    """Say whether a correction notice stands in the text."""
    return _NOTICE.search(body) is not None
