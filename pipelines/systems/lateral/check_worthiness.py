"""Which sentences of a text are worth checking: those with numbers, people and organisations, causes, quotations."""

import re

from core.sentences import sentence_spans
from pipelines.attribution.quotes import quoted_strings
from pipelines.conflicts.analysis import analyse
from pipelines.injection.sanitise import is_tainted
from pipelines.systems.lateral.clauses import is_attributed
from pipelines.systems.lateral.coreference import resolved
from pipelines.systems.lateral.types import Claim

MAX_CLAIMS = 20
_CAUSE = re.compile(
    r"\b(?:because|caused?|causing|due to|led to|leads to|results? in|resulted|blamed?|thanks to)\b", re.I
)
_WORDS = range(5, 60)
_NUMBER, _NAME, _CAUSES, _QUOTES, _SAYS, _PLACE = 1.0, 1.0, 1.0, 0.5, 0.5, 1.0
_ENOUGH = 2
"""More numbers or names than these add nothing."""


def claims_of(text: str) -> list[Claim]:
    """
    Find what is worth checking.

    :returns: At most `MAX_CLAIMS`, most worth first; earlier ones first among equals.
    """
    spans = sentence_spans(text)
    found = []
    for number, (start, end) in enumerate(spans):
        sentence = text[start:end]
        if sentence.endswith("?") or len(sentence.split()) not in _WORDS or is_tainted(text, start, end):
            continue
        named = resolved(sentence, text[:start])
        if named is not None:
            found.append(Claim(text=named, score=_worth(named) + _PLACE * (1 - number / len(spans))))
    return sorted(found, key=lambda claim: -claim.score)[:MAX_CLAIMS]


def _worth(sentence: str) -> float:
    counts = (
        _NUMBER * min(_ENOUGH, len(analyse(sentence).numbers)),
        _NAME * min(_ENOUGH, len(analyse(sentence).names)),
        _CAUSES * bool(_CAUSE.search(sentence)),
        _QUOTES * bool(quoted_strings(sentence)),
        _SAYS * is_attributed(sentence),
    )
    return sum(counts)
