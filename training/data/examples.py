"""What a model learns from: queries beside passages, with what is known about each pair."""

from dataclasses import dataclass, field

SUPPORTS, REFUTES, NEITHER = 0, 1, 2
NOT_SUPPORTS = 3
"""Refutes or neither: the source does not tell the two apart."""
NOT_REFUTES = 4
"""Supports or neither."""

RELATIONS = {"supports": SUPPORTS, "refutes": REFUTES, "neutral": NEITHER, "not_supports": NOT_SUPPORTS}


@dataclass(frozen=True)
class Example:
    """One (query, passage) pair. What is not known of it is `None` and is not learned from."""

    query: str
    passage: str
    relation: int | None = None
    """What the passage does to the statement: `SUPPORTS`, `REFUTES`, `NEITHER`, or what it does not."""
    span: tuple[int, int] | None = None
    """The answer in the passage, in characters; `(0, 0)`: there is none."""
    relevant: bool | None = None
    """Whether the passage bears on the query."""


@dataclass(frozen=True)
class Group:
    """Examples that must be learned in the same step: a statement under a passage and under its mirror, or just one."""

    examples: tuple[Example, ...] = field(default_factory=tuple)
