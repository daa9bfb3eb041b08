"""Who said what, word for word. English."""

import re

from core.types import Model
from pipelines.attribution.quotes import MIN_QUOTED_WORDS
from pipelines.claims.wording import SAYING
from pipelines.conflicts.wording.quotation_match import QUOTED

_VERB = rf"(?:has\s+|had\s+|have\s+|also\s+|later\s+|then\s+)*{SAYING}"
_BEHIND = re.compile(
    rf"^\s*,?\s*(?:(?P<one>(?!and\b|but\b|then\b)[^,“\"]{{1,100}}?(?:,\s[^,“\"]{{2,80}},)?)\s+(?P<verb_one>{_VERB})\b|(?P<verb_two>{_VERB})\s+(?P<two>[^“\"]{{1,140}}?)(?=[.,;]|\s+(?:on|in|at|after|during|when|as|while|to|told)\s|$))",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"(?P<who>[^,;“\"]{{1,100}}?(?:,\s[^,“\"]{{2,80}},)?)\s+(?P<verb>{_VERB})\b(?P<rest>[^“\"]{{0,80}}?)[:,]?\s*$",
    re.IGNORECASE,
)
_ENDS = ".,;:!? "


class Quotation(Model):
    """Words in quotation marks and who is told to have said them."""

    words: str
    speaker: str
    """As it is written: "medical director Dr Sunita Rao", "she"; empty: the sentence does not say."""
    start: int
    """Of the words in the sentence."""
    end: int


def quotation_of(sentence: str) -> Quotation | None:
    """Return the first quotation of a sentence that has enough words; None: it has none."""
    for match in QUOTED.finditer(sentence):
        if len(match["words"].split()) < MIN_QUOTED_WORDS:
            continue
        return Quotation(
            words=match["words"].strip(),
            speaker=_speaker(sentence[: match.start()], sentence[match.end() :]),
            start=match.start("words"),
            end=match.end("words"),
        )
    return None


def _speaker(before: str, behind: str) -> str:
    if found := _BEHIND.match(behind):
        return (found["one"] or found["two"] or "").strip(" ,")
    if found := _BEFORE.search(before):
        return found["who"].strip(" ,")
    return ""


def stated(quotation: Quotation, *, speaker: str) -> str:
    """Return the quotation as a statement about who said it."""
    return f"{speaker[:1].upper()}{speaker[1:]} said: “{quotation.words.rstrip(',;: ')}”"


def inner_statement(quotation: Quotation) -> str:
    """Return what was said as a statement of its own."""
    words = quotation.words.rstrip(_ENDS)
    return f"{words[:1].upper()}{words[1:]}."
