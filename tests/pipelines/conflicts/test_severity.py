"""The table of what each kind of conflict does to a verdict."""

import pytest
from pydantic import ValidationError

from pipelines.conflicts.severity import EFFECTS, HARD, Severity, is_firm, refuting
from pipelines.contracts.evidence import Conflict, ConflictKind


def conflict(kind: ConflictKind, *, alone: bool = False) -> Conflict:
    return Conflict(kind=kind, stated="a", found="b", alone=alone)


def test_every_kind_has_its_row() -> None:
    assert set(EFFECTS) == set(ConflictKind)


def test_a_kind_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValidationError, match="kind"):
        Conflict.model_validate({"kind": "numbre", "stated": "1", "found": "2"})


@pytest.mark.parametrize("kind", ConflictKind)
def test_what_blocks_support_does_so_by_itself_and_a_note_only_alone(kind: ConflictKind) -> None:
    blocks = EFFECTS[kind].severity is not Severity.NOTE
    assert is_firm([conflict(kind)]) is blocks
    assert is_firm([conflict(kind, alone=True)])


def test_sure_kinds_are_those_that_refute() -> None:
    assert {ConflictKind.NUMBER, ConflictKind.DATE} == HARD


def test_what_is_left_open_refutes_nothing() -> None:
    found = [conflict(ConflictKind.OPEN), conflict(ConflictKind.PARTY), conflict(ConflictKind.NEGATION)]
    assert [one.kind for one in refuting(found)] == [ConflictKind.NEGATION]
