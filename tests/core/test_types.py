"""What the models of the words refuse."""

import pytest
from pydantic import ValidationError

from core.types import Failure, QueryKind, Request, Result, Status, Verdict


def result(**changes: object) -> Result:
    fields: dict[str, object] = {
        "system": "verify", "request": Request(text="who?"), "kind": QueryKind.QUESTION, "status": Status.OK,
        "verdict": Verdict.UNVERIFIED, "answer": "", "run_id": "r",
    }  # fmt: skip
    return Result.model_validate(fields | changes)


def test_a_failure_is_never_a_verdict() -> None:
    failure = Failure(code="timeout", message="no reply")
    assert result(status=Status.FAILED, verdict=None, failure=failure).verdict is None
    for wrong in (
        {"status": Status.FAILED},
        {"status": Status.FAILED, "failure": failure},
        {"failure": failure},
    ):
        with pytest.raises(ValidationError):
            result(**wrong)


def test_models_are_frozen_and_forbid_unknown_fields() -> None:
    with pytest.raises(ValidationError):
        Request.model_validate({"text": "who?", "colour": "red"})
    with pytest.raises(ValidationError):
        result().answer = "changed"
