"""A checked text cut into what is marked and what is not, and its claims as page and report show them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from core.counting import counted
from core.text import visible
from core.types import Quote, Reference, Relation, Verdict
from pipelines.claims import NoClaim
from pipelines.rendering.escape import safe_url
from pipelines.systems.check import CheckedClaim, CheckedText, CheckRequest, ClaimStatus, SkippedText

WORDS = {
    "refuted": "Refuted",
    "conflicting": "Conflicting",
    "verified": "Verified",
    "unverified": "Unverified",
    "unclear": "Not judged: unclear",
    "failed": "Failed: no verdict",
    "left_out": "Not judged: further down the list",
    "waiting": "Not judged yet",
}
"""Tone of a claim to the words for it, in the order of the legend."""
NOT_CHECKABLE = {
    NoClaim.OPINION: "opinion",
    NoClaim.QUESTION: "question",
    NoClaim.GREETING: "greeting",
    NoClaim.WISH: "wish or appeal",
    NoClaim.PREDICTION: "about the future",
    NoClaim.FRAGMENT: "no sentence",
    NoClaim.UNSPECIFIC: "nothing to look up",
    NoClaim.INSTRUCTION: "speaks to a program; not followed",
    NoClaim.TOO_LONG: "too long for one claim",
}
IS_NOT = (
    "This report says what the archive's articles say about each claim. Silence in them is not proof: an unverified "
    "claim may be true, or false. A verdict is as good as the articles behind it, and a person should read the quotes "
    "before anybody relies on it."
)
_RELATIONS = {Relation.SUPPORTS: "supports", Relation.REFUTES: "contradicts", Relation.MENTIONS: "mentions"}
_MENTIONS_SHOWN = 2
"""Quotes of an undecided claim that are shown as the closest."""


@dataclass(frozen=True)
class Segment:
    """A stretch of the text."""

    text: str
    claim: "ClaimView | None" = None
    """The innermost claim over it."""
    skipped: SkippedText | None = None
    begins: bool = False
    """The claim begins here: its icon and number go before it."""
    link: str = ""
    """Id of this piece of the claim, for its first; empty: a further one."""


@dataclass(frozen=True)
class QuoteView:
    """A quote that is shown for a claim."""

    text: str
    relation: str
    kind: str
    """supports, refutes or mentions."""
    link: str | None
    headline: str
    url: str | None
    source: str
    day: str


@dataclass(frozen=True)
class ClaimView:
    """A claim as it is shown."""

    claim: CheckedClaim
    tone: str
    """A key of `WORDS`."""
    quotes: tuple[QuoteView, ...]

    @property
    def words(self) -> str:
        """Return the verdict, or why there is none, in words."""
        return WORDS[self.tone]

    @property
    def is_rewritten(self) -> bool:
        """Whether it was judged in other words than it is written in."""
        return self.claim.standalone != self.claim.text

    @property
    def sure(self) -> str:
        """Return how sure the verdict is, in percent; empty: there is nothing to be sure of."""
        decided = self.claim.verdict in {Verdict.VERIFIED, Verdict.REFUTED, Verdict.CONFLICTING}
        return f"{self.claim.confidence:.0%}" if decided and self.claim.confidence is not None else ""

    @property
    def reasons(self) -> str:
        """Return why it is worth checking, in words."""
        return "; ".join(f"{reason.name}: {visible(reason.words)}" for reason in self.claim.reasons)


@dataclass(frozen=True)
class CheckView:
    """A checked text as page and report show it."""

    request: CheckRequest
    checked: CheckedText
    segments: tuple[Segment, ...]
    claims: tuple[ClaimView, ...]
    """In working order."""
    searched: str
    """What the index held, one sentence."""

    @property
    def title(self) -> str:
        """Return the name of the text, or its beginning."""
        first = " ".join(visible(self.request.text.strip().split("\n")[0][:200]).split())
        return visible(self.request.title) or (
            first if len(first) <= _TITLE else f"{first[:_TITLE].rsplit(' ', 1)[0]} …"
        )

    @property
    def is_done(self) -> bool:
        """Whether no claim waits."""
        return self.checked.summary.waiting == 0

    @property
    def counts(self) -> list[tuple[str, str, int]]:
        """Return tone, words and number of claims, of those tones that occur."""
        tones = [view.tone for view in self.claims]
        return [(tone, words, tones.count(tone)) for tone, words in WORDS.items() if tone in tones]


_TITLE = 80


def view_check(request: CheckRequest, checked: CheckedText) -> CheckView:
    """Prepare a checked text for page and report."""
    views = {claim.id: ClaimView(claim, tone_of(claim), tuple(_quotes(claim))) for claim in checked.claims}
    return CheckView(
        request=request,
        checked=checked,
        segments=tuple(_segments(request.text, views, checked.skipped)),
        claims=tuple(sorted(views.values(), key=lambda view: view.claim.order)),
        searched=searched_words(checked),
    )


def tone_of(claim: CheckedClaim) -> str:
    """Return the verdict, or the state of a claim that has none."""
    return claim.verdict.value if claim.verdict is not None else claim.status.value if _has_no(claim) else "unverified"


def _has_no(claim: CheckedClaim) -> bool:
    return claim.status not in {ClaimStatus.OK, ClaimStatus.NO_EVIDENCE}


def searched_words(checked: CheckedText) -> str:
    """Say what the index held when the claims were judged."""
    searched = checked.searched
    if not searched:
        return "Nothing was searched."
    days = [str(searched[name])[:10] for name in ("first_published_at", "last_published_at") if searched.get(name)]
    span = f", published {' to '.join(dict.fromkeys(days))}" if days else ""
    names = ", ".join(searched.get("sources") or ())
    origin = f" of {names}" if names else ""
    return f"Searched: {counted(int(searched.get('articles') or 0), 'article')}{origin}{span}."


def _segments(text: str, views: dict[str, ClaimView], skipped: Iterable[SkippedText]) -> Iterable[Segment]:
    """Yield the text from beginning to end; where claims lie in each other, the inner one is marked."""
    spans = [(view.claim.start, view.claim.end, view, None) for view in views.values()]
    spans += [(one.start, one.end, None, one) for one in skipped]  # type: ignore[misc]
    edges = sorted({0, len(text), *(edge for start, end, _, _ in spans for edge in (start, end))})
    by_start = sorted(spans, key=lambda span: span[0])
    active: list[tuple[int, int, ClaimView | None, SkippedText | None]] = []
    seen: set[str] = set()
    at = 0
    for start, end in pairwise(edges):
        while at < len(by_start) and by_start[at][0] <= start:
            active.append(by_start[at])
            at += 1
        active = [span for span in active if span[1] > start]
        inner = min(active, key=lambda span: (span[1] - span[0], span[2] is None), default=None)
        claim, none = (inner[2], inner[3]) if inner else (None, None)
        link = claim.claim.id if claim and claim.claim.id not in seen else ""
        if claim:
            seen.add(claim.claim.id)
        yield Segment(visible(text[start:end]), claim, none, begins=bool(link), link=link)


def _quotes(claim: CheckedClaim) -> Iterable[QuoteView]:
    """Yield the quotes that settle a claim; of one that nothing settles, the closest."""
    pairs = [(reference, quote) for reference in claim.references for quote in reference.quotes]
    telling = [pair for pair in pairs if pair[1].relation is not Relation.MENTIONS]
    closest = sorted(pairs, key=lambda pair: -pair[1].score)[:_MENTIONS_SHOWN]
    for reference, quote in telling or closest:
        yield _quote(reference, quote)


def _quote(reference: Reference, quote: Quote) -> QuoteView:
    return QuoteView(
        text=visible(quote.text),
        relation=_RELATIONS[quote.relation],
        kind=quote.relation.value,
        link=safe_url(quote.link),
        headline=visible(reference.headline),
        url=safe_url(reference.url),
        source=visible(reference.source),
        day=reference.published_at.date().isoformat() if reference.published_at else "undated",
    )
