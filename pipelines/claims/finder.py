"""The claims of a whole text: found, weighed, made to stand alone."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from datetime import date

from core.types import MAX_QUERY_CHARS
from pipelines.claims.check_worthiness import TAKEN_FROM, Worth, worth_of
from pipelines.claims.clauses import Part, split_sentence
from pipelines.claims.kinds import WHY, marked_kind
from pipelines.claims.quotations import Quotation, inner_statement, quotation_of, stated
from pipelines.claims.referents import Discourse
from pipelines.claims.rewriting import Rewriting
from pipelines.claims.sentences import Sentence, text_sentences, without_markup
from pipelines.claims.types import Claim, ClaimKind, NoClaim, Signal, Skipped, TextClaims
from pipelines.claims.wording import HEDGED_VIEW, has_anchor
from pipelines.claims.written_dates import date_of
from pipelines.injection.sanitise import looks_like_instruction

_NO_NAME = frozenset({"he", "she", "it", "they", "we", "i"})


@dataclass(frozen=True)
class _Found:
    """A statement of a sentence before it is numbered."""

    start: int
    end: int
    standalone: str
    replaced: tuple[tuple[str, str], ...]
    unclear: str
    worth: Worth
    kind: ClaimKind


def find_claims(text: str, *, written_on: date | None = None, speaker: str = "") -> TextClaims:
    """
    Take a text into claims and what is not a claim.

    :param text: As given; every offset counts its characters.
    :param written_on: The day that it was written or said; None: as the text itself says, if it does.
    :param speaker: Who says "I" in it; empty: what "I" and "we" state is not judged.
    :returns: Both in the order of the text. A compound sentence is several claims; a sentence with a quotation is one
        about who said it, and another about what was said where that can be checked.
    """
    discourse = Discourse(written_on=written_on or date_of(text), speaker=speaker)
    found: list[_Found] = []
    skipped: list[Skipped] = []
    for written in text_sentences(text):
        sentence = written.model_copy(update={"text": without_markup(written.text)})
        if not any(letter.isalpha() for letter in sentence.text):
            continue
        reason = reason_against(sentence)
        if reason is not None:
            skipped.append(_skip(text, sentence, reason))
            if reason is not NoClaim.TOO_LONG:  # it may be the whole text
                discourse.read(sentence.text)
            continue
        taken = list(_claims_of(sentence, discourse))
        if not any(one.worth.value >= TAKEN_FROM for one in taken):
            skipped.append(_skip(text, sentence, NoClaim.UNSPECIFIC))
            continue
        found += [one for one in taken if one.worth.value >= TAKEN_FROM]
    return TextClaims(claims=tuple(_numbered(text, found)), skipped=tuple(skipped))


def reason_against(sentence: Sentence) -> NoClaim | None:
    """Return why a sentence of a text is not a claim, by its marks; None: it has none."""
    if len(sentence.text) > MAX_QUERY_CHARS:
        return NoClaim.TOO_LONG
    if looks_like_instruction(sentence.text):
        return NoClaim.INSTRUCTION
    kind = marked_kind(sentence.text, is_heading=sentence.is_heading)
    if kind in {NoClaim.OPINION, NoClaim.PREDICTION, NoClaim.WISH, NoClaim.FRAGMENT} and _is_told_quote(sentence.text):
        return None
    return kind


def _is_told_quote(sentence: str) -> bool:
    """Say whether a sentence tells who said something word for word: what was said may be an opinion."""
    quotation = quotation_of(sentence)
    return quotation is not None and bool(quotation.speaker)


def _claims_of(sentence: Sentence, discourse: Discourse) -> Iterable[_Found]:
    """Yield the statements of a sentence, and let the discourse read them."""
    quotation = quotation_of(sentence.text)
    if quotation is not None and quotation.speaker:
        yield from _quoted(sentence, quotation, discourse)
        return
    view = HEDGED_VIEW.match(sentence.text)
    skip = view.end() if view and has_anchor(sentence.text[view.end() :]) else 0
    for part in _clear_parts(sentence, skip, discourse):
        rewriting = discourse.rewrite(part.text, speaker=sentence.speaker)
        start, end = _place(sentence, skip + part.start, skip + part.end)
        worth = worth_of(part.text)
        rewriting = _whole(rewriting, sentence.text[skip:], part.text)
        yield _Found(start, end, rewriting.text, rewriting.replaced, rewriting.unclear, worth, worth.kind)
        discourse.read(part.text, rewritten=rewriting.text)


def _is_marked_up(sentence: Sentence) -> bool:
    return len(sentence.text) != sentence.end - sentence.start


def _parts(sentence: Sentence, skip: int) -> list[Part]:
    """Return the statements of a sentence; one with markup stays whole, since its letters stand elsewhere."""
    text = sentence.text[skip:]
    return [Part(start=0, end=len(text), text=text)] if _is_marked_up(sentence) else split_sentence(text)


def _clear_parts(sentence: Sentence, skip: int, discourse: Discourse) -> list[Part]:
    """Return the statements of a sentence; all of it where one of them would not stand alone and the whole does."""
    parts = _parts(sentence, skip)
    text = sentence.text[skip:]
    if len(parts) > 1 and not deepcopy(discourse).rewrite(text, speaker=sentence.speaker).unclear:
        tried = deepcopy(discourse)
        for part in parts:
            rewriting = tried.rewrite(part.text, speaker=sentence.speaker)
            if rewriting.unclear:
                return [Part(start=0, end=len(text), text=text)]
            tried.read(part.text, rewritten=rewriting.text)
    return parts


def _place(sentence: Sentence, start: int, end: int) -> tuple[int, int]:
    """Return the characters of the text at which a stretch of a sentence stands; all of it where it has markup."""
    if _is_marked_up(sentence):
        return sentence.start, sentence.end
    return sentence.start + start, sentence.start + end


def _whole(rewriting: Rewriting, sentence: str, part: str) -> Rewriting:
    """Keep a sentence as it is written where nothing in it was put otherwise."""
    if part == sentence and not rewriting.replaced:
        return Rewriting(text=sentence, unclear=rewriting.unclear)
    return rewriting


def _quoted(sentence: Sentence, quotation: Quotation, discourse: Discourse) -> Iterable[_Found]:
    """Yield who said it, and what was said where that could be looked up."""
    told = discourse.rewrite(f"{quotation.speaker} said.", speaker=sentence.speaker)
    speaker = told.text.removesuffix(" said.")
    worth = worth_of(sentence.text)
    worth = worth.model_copy(update={"value": max(worth.value, TAKEN_FROM), "kind": ClaimKind.QUOTATION})
    standalone = stated(quotation, speaker=speaker)
    replaced = told.replaced
    unclear = told.unclear
    if not unclear and speaker.casefold() in _NO_NAME:
        unclear = f"It is not clear who “{speaker}” is."
    yield _Found(sentence.start, sentence.end, standalone, replaced, unclear, worth, ClaimKind.QUOTATION)
    inner = inner_statement(quotation)
    if marked_kind(inner) is None and worth_of(inner).value >= TAKEN_FROM:
        said = discourse.rewrite(inner, speaker=_plain_name(speaker, discourse))
        start, end = _place(sentence, quotation.start, quotation.end)
        yield _Found(start, end, said.text, said.replaced, said.unclear, worth_of(inner), worth_of(inner).kind)
    discourse.read(sentence.text, rewritten=f"{speaker} said.")


def _plain_name(speaker: str, discourse: Discourse) -> str:
    people = [one.name for one in discourse.mentions.entities.people if one.name in speaker]
    return people[0] if people else speaker


def _numbered(text: str, found: list[_Found]) -> Iterable[Claim]:
    for number, one in enumerate(sorted(found, key=lambda one: (one.start, -one.end)), start=1):
        yield Claim(
            claim_id=f"c{number}",
            text=text[one.start : one.end],
            start=one.start,
            end=one.end,
            standalone=one.standalone,
            replaced=one.replaced,
            kind=one.kind,
            check_worthiness=one.worth.value,
            reasons=_unique(one.worth.signals),
            unclear=one.unclear,
        )


def _unique(signals: tuple[Signal, ...]) -> tuple[Signal, ...]:
    return tuple(dict.fromkeys(signals))


def _skip(text: str, sentence: Sentence, reason: NoClaim) -> Skipped:
    start, end = sentence.start, sentence.end
    return Skipped(text=text[start:end], start=start, end=end, reason=reason, why=WHY[reason])
