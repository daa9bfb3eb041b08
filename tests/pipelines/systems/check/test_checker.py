"""A whole text checked: which claims are judged, in which order, and what is said of the others."""

import hashlib

import pytest

from core.errors import CancelledError, InputError
from core.types import Confidence, Failure, QueryKind, Result, Status, Verdict
from pipelines.systems.check import CheckRequest, ClaimStatus, TextChecker

TEXT = (
    "Good evening, friends!\n\n"
    "The dam of Corve was finished in 1958. Ivo Hallas sold two cranes in Ostrava in May 2026. "
    "He told the port of Ostrava in June 2026 that nobody had asked. We closed the port within three hours. "
    "The dam of Corve was finished in 1958."
)


class _Answerer:
    """Refutes what names a crane, verifies the rest; fails on what it is told to."""

    def __init__(self, *, broken=""):
        self.asked = []
        self.broken = broken

    def run(self, system, request, *, progress=None):
        self.asked.append(request)
        name = f"run-{request.text[:12]}"
        if self.broken and self.broken in request.text:
            failure = Failure(code="model_error", message="The model is gone", hint="Get it back.")
            return self._result(request, name, status=Status.FAILED, verdict=None, failure=failure)
        verdict = Verdict.REFUTED if "crane" in request.text else Verdict.VERIFIED
        return self._result(request, name, status=Status.OK, verdict=verdict, failure=None)

    def _result(self, request, name, *, status, verdict, failure):
        return Result(
            system="verify",
            request=request,
            kind=QueryKind.STATEMENT,
            status=status,
            verdict=verdict,
            answer="",
            confidence=None if failure else Confidence(value=0.9, method="test"),
            failure=failure,
            timings={"read": 2.0, "total": 3.0},
            run_id=name,
        )


def test_each_claim_is_judged_by_verify_as_a_statement_and_the_same_words_once():
    answerer = _Answerer()
    checked = TextChecker(answerer).check(CheckRequest(text=TEXT))
    assert sorted(one.text for one in answerer.asked) == [
        "Ivo Hallas sold two cranes in Ostrava in May 2026.",
        "Ivo Hallas told the port of Ostrava in June 2026 that nobody had asked.",
        "The dam of Corve was finished in 1958.",
    ]
    assert all(one.kind is QueryKind.STATEMENT for one in answerer.asked)
    assert [claim.verdict for claim in checked.claims if claim.verdict] == [
        Verdict.VERIFIED,
        Verdict.REFUTED,
        Verdict.VERIFIED,
        Verdict.VERIFIED,
    ]
    assert checked.claims[0].run_id == checked.claims[-1].run_id == "run-The dam of C"


def test_offsets_hash_and_summary_are_of_the_text_as_given():
    checked = TextChecker(_Answerer()).check(CheckRequest(text=TEXT))
    assert checked.text_sha256 == hashlib.sha256(TEXT.encode()).hexdigest()
    for one in (*checked.claims, *checked.skipped):
        assert TEXT[one.start : one.end] == one.text
    assert checked.summary.claims == 5
    assert (checked.summary.verified, checked.summary.refuted, checked.summary.unclear) == (3, 1, 1)
    assert checked.summary.skipped == 1
    assert checked.summary.waiting == 0


def test_what_does_not_stand_alone_is_not_judged_and_says_why():
    checked = TextChecker(_Answerer()).check(CheckRequest(text=TEXT))
    (unclear,) = [claim for claim in checked.claims if claim.status is ClaimStatus.UNCLEAR]
    assert unclear.text == "We closed the port within three hours."
    assert unclear.verdict is None
    assert unclear.run_id is None
    assert "We" in unclear.why
    assert [notice.code for notice in checked.warnings] == ["speaker_unknown"]


def test_only_the_claims_most_worth_checking_are_judged_where_a_number_is_given():
    answerer = _Answerer()
    checked = TextChecker(answerer).check(CheckRequest(text=TEXT, max_claims=1))
    assert len(answerer.asked) == 1
    assert checked.summary.left_out == 3
    judged = next(claim for claim in checked.claims if claim.status is ClaimStatus.OK)
    assert judged.check_worthiness == max(claim.check_worthiness for claim in checked.claims)


def test_a_failure_of_one_claim_is_no_verdict_and_ends_no_other():
    checked = TextChecker(_Answerer(broken="crane")).check(CheckRequest(text=TEXT))
    (failed,) = [claim for claim in checked.claims if claim.status is ClaimStatus.FAILED]
    assert failed.verdict is None
    assert failed.confidence is None
    assert failed.why.startswith("The model is gone")
    assert checked.summary.failed == 1
    assert checked.summary.verified == 3


def test_a_stopped_check_goes_on_with_what_waits():
    request = CheckRequest(text=TEXT)
    first, settled = _Answerer(), []
    checker = TextChecker(first, at_once=1)
    started = checker.start(request)

    def stop(event):
        if event.done > 1:
            raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        checker.check(request, started=started, progress=stop, settled=lambda claim, result: settled.append(claim))
    known = {claim.id: claim for claim in settled}
    resumed = started.model_copy(update={"claims": tuple(known.get(one.id, one) for one in started.claims)})
    second = _Answerer()
    checked = TextChecker(second).check(request, started=resumed)
    assert {one.text for one in first.asked}.isdisjoint(one.text for one in second.asked)
    assert checked.summary.waiting == 0
    assert checked.id == started.id


@pytest.mark.parametrize(("text", "word"), [("word " * 20_001, "words"), ("?! 12", "no word")])
def test_what_cannot_be_checked_is_refused_with_the_field(text, word):
    with pytest.raises(InputError, match=word) as caught:
        TextChecker(_Answerer()).check(CheckRequest(text=text))
    assert caught.value.field == "text"


def test_what_was_on_its_way_when_a_check_stopped_is_kept():
    settled = []

    def stop(event):
        if event.done > 1:
            raise CancelledError("stopped")

    answerer = _Answerer()
    with pytest.raises(CancelledError):
        TextChecker(answerer, at_once=1).check(
            CheckRequest(text=TEXT), progress=stop, settled=lambda claim, result: settled.append((claim, result))
        )
    told = {result.request.text for _, result in settled if result}
    assert told == {one.text for one in answerer.asked}


def test_the_times_of_stages_add_up_to_the_clocks():
    checked = TextChecker(_Answerer()).check(CheckRequest(text=TEXT))
    assert checked.timings["read"] == pytest.approx(checked.timings["total"])
