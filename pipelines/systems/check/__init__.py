"""Check: a whole text, claim by claim, each judged by `verify`."""

from pipelines.systems.check.checker import TextChecker
from pipelines.systems.check.types import (
    MAX_CLAIMS,
    MAX_WORDS,
    CheckedClaim,
    CheckedText,
    CheckRequest,
    ClaimStatus,
    SkippedText,
    Summary,
)

__all__ = [
    "MAX_CLAIMS",
    "MAX_WORDS",
    "CheckRequest",
    "CheckedClaim",
    "CheckedText",
    "ClaimStatus",
    "SkippedText",
    "Summary",
    "TextChecker",
]
