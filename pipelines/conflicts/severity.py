"""What each kind of conflict does to a verdict: one table."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from pipelines.contracts.evidence import Conflict, ConflictKind


class Severity(StrEnum):
    """How far a conflict goes."""

    REFUTES = "refutes"
    """Plain code is sure: an article refutes from a lower probability on."""
    BLOCKS_SUPPORT = "blocks support"
    """The sentence cannot be the quote that supports."""
    NOTE = "note"
    """It is shown; it blocks support only where the texts differ in it alone."""


@dataclass(frozen=True)
class Effect:
    """What one kind does."""

    severity: Severity
    can_refute: bool = True
    """A refutation may point to it; what is left open, or said of others, denies nothing."""
    can_swap: bool = False
    """What was found can be put in place of what is stated, to see whether the sentence says that instead."""


EFFECTS: dict[ConflictKind, Effect] = {
    ConflictKind.NUMBER: Effect(Severity.REFUTES, can_swap=True),
    ConflictKind.DATE: Effect(Severity.REFUTES, can_swap=True),
    ConflictKind.NAME: Effect(Severity.BLOCKS_SUPPORT, can_swap=True),
    ConflictKind.NAMESAKE: Effect(Severity.BLOCKS_SUPPORT, can_refute=False, can_swap=True),
    ConflictKind.QUOTATION: Effect(Severity.BLOCKS_SUPPORT),
    ConflictKind.ORDINAL: Effect(Severity.BLOCKS_SUPPORT),
    ConflictKind.DAY: Effect(Severity.BLOCKS_SUPPORT),
    ConflictKind.ROLES: Effect(Severity.BLOCKS_SUPPORT),
    ConflictKind.EXCHANGE: Effect(Severity.BLOCKS_SUPPORT),
    ConflictKind.DISPUTED: Effect(Severity.BLOCKS_SUPPORT),
    ConflictKind.OPEN: Effect(Severity.BLOCKS_SUPPORT, can_refute=False),
    ConflictKind.PARTY: Effect(Severity.BLOCKS_SUPPORT, can_refute=False),
    ConflictKind.NEGATION: Effect(Severity.NOTE),
    ConflictKind.ANTONYM: Effect(Severity.NOTE, can_swap=True),
}
HARD = frozenset(kind for kind, effect in EFFECTS.items() if effect.severity is Severity.REFUTES)
"""Kinds that plain code can be sure of."""


def is_firm(conflicts: Iterable[Conflict]) -> bool:
    """Say whether any of a sentence's conflicts keeps it from being the quote that supports."""
    return any(one.alone or EFFECTS[one.kind].severity is not Severity.NOTE for one in conflicts)


def refuting(conflicts: Iterable[Conflict]) -> tuple[Conflict, ...]:
    """Return the conflicts that a refutation may point to."""
    return tuple(one for one in conflicts if EFFECTS[one.kind].can_refute)
