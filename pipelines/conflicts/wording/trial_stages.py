"""How far a prosecution has come: suspected, arrested, charged, convicted or acquitted. English."""

import re

from core.words import words
from pipelines.conflicts.analysis import Analysis
from pipelines.contracts.evidence import Conflict, ConflictKind

_STAGES = (
    r"(?:under\s+investigation|(?:being|been|is|are|was|were)\s+(?:investigated|questioned|interviewed)|suspected\b|on\s+suspicion\s+of|suspicions?\s+(?:of|that))",
    r"(?:arrest(?:s|ed)?|detained|taken\s+into\s+custody|in\s+custody)\b",
    r"(?:charged\s+(?:with|over)|charges?\s+(?:of|with|against)|indict(?:ed|ment)|accused\s+of|prosecuted"
    r"|(?:on|stands?|stood|facing|faces?|awaiting|awaits)\s+(?:an?\s+|his\s+|her\s+)?"
    r"(?:\w+\s+)?trial)",
    r"(?:committed|convict(?:s|ed|ion)|(?<!not\s)guilty|jailed|imprisoned|sentenced"
    r"|acquit(?:s|ted|tal)|(?:clear(?:s|ed)|exonerated)\s+(?:\w+\s+){0,4}?of|found\s+not\s+guilty)",
)
"""From the first to the last."""
_ACCUSED = re.compile(r"\baccused\s+of\b", re.IGNORECASE)
"""Whether somebody is charged or only suspected, it leaves open."""
_STAGE = [re.compile(rf"\b{stage}", re.IGNORECASE) for stage in _STAGES]


def trial_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """
    Return a stage of a prosecution that is stated where the sentence speaks of earlier ones alone.

    A stage that the statement denies it does not state.
    """
    ours, theirs = _furthest(_ACCUSED.sub("", statement.text)), _furthest(sentence.text)
    if ours is None or theirs is None or ours[0] <= theirs[0]:
        return []
    stage = words(ours[1])
    telling = max(stage, key=len)
    if "not" not in stage and any(said.denied and said.word.startswith(telling) for said in statement.said):
        return []
    return [Conflict(kind=ConflictKind.OPEN, stated=ours[1], found=theirs[1])]


def _furthest(text: str) -> tuple[int, str] | None:
    """Return the furthest stage that a text names, and how it is written; None: it names none."""
    for stage in reversed(range(len(_STAGE))):
        match = _STAGE[stage].search(text)
        if match:
            return stage, match.group()
    return None
