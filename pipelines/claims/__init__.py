"""Claims of a text: found, weighed, split, made to stand alone. A query's parts, and why it cannot be checked."""

from pipelines.claims import clauses, verbs, wording
from pipelines.claims.check_worthiness import worth_of
from pipelines.claims.finder import find_claims
from pipelines.claims.kinds import marked_kind
from pipelines.claims.polar_question import polar_statement
from pipelines.claims.queries import StatementPart, split_question, split_statement, why_uncheckable
from pipelines.claims.types import Claim, ClaimKind, NoClaim, Signal, Skipped, TextClaims

__all__ = [
    "Claim",
    "ClaimKind",
    "NoClaim",
    "Signal",
    "Skipped",
    "StatementPart",
    "TextClaims",
    "clauses",
    "find_claims",
    "marked_kind",
    "polar_statement",
    "split_question",
    "split_statement",
    "verbs",
    "why_uncheckable",
    "wording",
    "worth_of",
]
