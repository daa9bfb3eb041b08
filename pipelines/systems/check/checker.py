"""A whole text checked: its claims found, put in order, and judged together."""

import hashlib
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from uuid import uuid4

from core import __version__
from core.errors import CancelledError, InputError
from core.progress import Progress, ignore_progress
from core.types import MAX_QUERY_CHARS, Notice, QueryKind, Request
from pipelines.claims import Claim, TextClaims, find_claims
from pipelines.systems.check.joint_verify import AT_ONCE, Answerer, BatchesInFlight
from pipelines.systems.check.tally import Settled, Tally, summary_of
from pipelines.systems.check.types import (
    MAX_WORDS,
    CheckedClaim,
    CheckedText,
    CheckRequest,
    ClaimStatus,
    SkippedText,
)


class TextChecker:
    """
    Check texts claim by claim.

    >>> checker = TextChecker(Engine(Settings(data_dir="var")))  # doctest: +SKIP
    >>> checker.check(CheckRequest(text="The ferry carried 312 people.")).summary.claims  # doctest: +SKIP
    1

    :param answerer: Judges each claim.
    :param at_once: Claims that are judged together.
    """

    def __init__(self, answerer: Answerer, *, at_once: int = AT_ONCE) -> None:
        self.answerer = answerer
        self.at_once = at_once

    def start(self, request: CheckRequest, *, check_id: str | None = None) -> CheckedText:
        """
        Find the claims of a text; none is judged yet.

        :raises InputError: If the text has too many words, or no letter.
        """
        words = len(request.text.split())
        if words > MAX_WORDS:
            raise InputError(
                f"text has {words:,} words; at most {MAX_WORDS:,} are checked at a time",
                field="text",
                hint="Check its parts one after the other.",
            )
        if not any(character.isalpha() for character in request.text):
            raise InputError("text has no word", field="text", hint="Give a text of at least one sentence.")
        found = find_claims(request.text, written_on=request.written_on, speaker=request.speaker)
        claims = _ordered(found, request.max_claims)
        skipped = tuple(SkippedText(**one.model_dump()) for one in found.skipped)
        return CheckedText(
            id=check_id or uuid4().hex,
            text_sha256=hashlib.sha256(request.text.encode("utf-8", "surrogatepass")).hexdigest(),
            claims=claims,
            skipped=skipped,
            summary=summary_of(claims, skipped=len(skipped), words=words),
            warnings=_warnings(claims, request),
            version=__version__,
            created_at=datetime.now(UTC),
        )

    def check(
        self,
        request: CheckRequest,
        *,
        started: CheckedText | None = None,
        progress: Progress = ignore_progress,
        settled: Settled = lambda claim, result: None,
    ) -> CheckedText:
        """
        Judge the claims of a text that wait, in working order.

        :param started: What was found and settled before; None: nothing was.
        :param progress: Told after each batch; may raise `CancelledError`.
        :param settled: Told of each claim as soon as it has settled.
        :raises InputError: If the text or an option cannot be used, or no indexed article is within the bounds.
        """
        begun = time.perf_counter()
        checked = started or self.start(request)
        tally = Tally(checked, settled)
        if started is None:
            tally.tell_of_the_unjudged()
        progress(tally.event())
        batches = list(_batches(tally.waiting(), self.at_once))
        judging = BatchesInFlight(self.answerer, [_requests(batch, request) for batch in batches])
        stopped: CancelledError | None = None
        for batch, results in zip(batches, judging, strict=False):
            for group, result in zip(batch, results, strict=True):
                tally.add(group, result)
            try:
                progress(tally.event())
            except CancelledError as error:
                stopped = error
                judging.stop()
        if stopped is not None:
            raise stopped
        return tally.checked(spent_ms=(time.perf_counter() - begun) * 1000.0)


def _requests(batch: Sequence[list[CheckedClaim]], request: CheckRequest) -> list[Request]:
    """Ask about one claim of each group of those that say the same."""
    return [
        Request(
            text=group[0].standalone,
            kind=QueryKind.STATEMENT,
            as_of=request.as_of,
            filters=request.filters,
            options={"depth": "light"} | request.options,
        )
        for group in batch
    ]


def _ordered(found: TextClaims, max_claims: int) -> tuple[CheckedClaim, ...]:
    places = {claim.claim_id: place for place, claim in enumerate(found.working_order(), start=1)}
    return tuple(_claim(claim, places[claim.claim_id], max_claims) for claim in found.claims)


def _claim(claim: Claim, order: int, max_claims: int) -> CheckedClaim:
    status, why = ClaimStatus.WAITING, ""
    if claim.unclear:
        status, why = ClaimStatus.UNCLEAR, claim.unclear
    elif len(claim.standalone) > MAX_QUERY_CHARS:
        status, why = ClaimStatus.UNCLEAR, f"It has more than {MAX_QUERY_CHARS} characters."
    elif order > max_claims:
        status, why = ClaimStatus.LEFT_OUT, f"Only the {max_claims} claims most worth checking were to be judged."
    return CheckedClaim(
        id=claim.claim_id,
        text=claim.text,
        start=claim.start,
        end=claim.end,
        standalone=claim.standalone,
        replaced=claim.replaced,
        check_worthiness=claim.check_worthiness,
        reasons=claim.reasons,
        order=order,
        kind=claim.kind,
        status=status,
        why=why,
    )


def _batches(waiting: Sequence[CheckedClaim], size: int) -> Iterator[list[list[CheckedClaim]]]:
    """Yield batches of groups of claims that say the same."""
    groups: dict[str, list[CheckedClaim]] = {}
    for claim in waiting:
        groups.setdefault(" ".join(claim.standalone.split()), []).append(claim)
    each = list(groups.values())
    for at in range(0, len(each), size):
        yield each[at : at + size]


def _warnings(claims: Sequence[CheckedClaim], request: CheckRequest) -> tuple[Notice, ...]:
    found = []
    undated = [claim for claim in claims if claim.why.endswith("depends on when it was said.")]
    if undated:
        message = f"{len(undated)} claims depend on when the text was written. Say so with written_on, as 2026-05-31."
        found.append(Notice(code="text_undated", message=message))
    nameless = [claim for claim in claims if claim.why.startswith("It does not say who") and not request.speaker]
    if nameless:
        message = f"{len(nameless)} claims say “I”, “we” or “you”. Say who speaks with speaker."
        found.append(Notice(code="speaker_unknown", message=message))
    return tuple(found)
