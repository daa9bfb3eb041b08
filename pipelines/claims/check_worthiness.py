"""How worth checking a sentence is: what it states that can be looked up, and what speaks against. English."""

import math
import re

from core.types import Model
from pipelines.attribution.quotes import quoted_strings
from pipelines.claims.kinds import has_verb
from pipelines.claims.types import ClaimKind, Signal
from pipelines.claims.verbs import BE, finite_verbs, is_past
from pipelines.claims.wording import ATTRIBUTED, EVALUATIVE, HEDGED_VIEW, has_date, numbers_of, told_names

TAKEN_FROM = 0.5
"""Worth from which a sentence of a text is taken as a claim."""
_I = re.IGNORECASE
_CAUSE = re.compile(
    r"\b(?:because|caus(?:e|es|ed|ing)|due\s+to|led\s+to|leads\s+to|result(?:s|ed|ing)?\s+(?:in|from)|blamed?|thanks\s+to|owing\s+to|triggered|made\s+possible)\b",
    _I,
)
_COMPARISON = re.compile(
    r"\b(?:more|less|fewer|higher|lower|larger|smaller|longer|shorter|older|younger|faster|slower|earlier|later|bigger|greater|cheaper|thinner|better|worse)\b[^.;]{0,60}?\bthan\b"
    r"|\b(?:highest|lowest|largest|smallest|longest|shortest|oldest|youngest|fastest|biggest|tallest|deadliest|worst|best-known|record|first|second|third|last)\b(?!\s+(?:of\s+all|thing|question|but|place|and\s+foremost|time\s+i)\b)"
    r"|\bas\s+\w+\s+as\b|\b(?:twice|double|half|tripled?|doubled|halved|outsold|outnumber\w*|fell|rose|fallen|risen|increased?|decreased?|dropped|grew|grown|shrank)\b",
    _I,
)
_ABSOLUTE = re.compile(
    r"\b(?:never|nobody|no\s+one|none|nothing|always|every|everyone|everybody|all|only|not\s+a\s+single|any|entirely|no\s+[a-z]+s|nowhere|unanimous\w*)\b",
    _I,
)
_BODY = re.compile(
    r"\b(?:police|court|judges?|jury|prosecutors?|government|parliament|senate|congress|council|committee|commission|ministry|minister|president|mayor|governor|"
    r"army|navy|soldiers?|rebels?|troops|union|company|firm|bank|board|hospital|school|university|scientists?|researchers?|doctors?|inspectors?|investigators?|officials?|authorit(?:y|ies)|"
    r"coastguard|firefighters?|voters?|lawmakers?|senators?|opposition|party|agency|newspaper|museum|church|village|town|city|state|county|district|protesters?|passengers?|residents?|witnesses|workers|employees|"
    r"staff|patients|pupils|students|teachers|farmers|miners|refugees|thieves|biologists?|experts?|management|operator|manufacturer|airline|team|club|law|treaty|agreement|bill|study|report|survey|inquiry|bridge|dam|plant|railway|"
    r"drug|vaccine|virus|disease|species|spokes\w+|tax|wages|prices|rents|crime|unemployment|debt|emissions|shares|contract|licence|deal|budget|strike|attack|crash|fire|flood|earthquake|storm|hurricane)\b",
    _I,
)
_FIRST = re.compile(r"(?<![\w'])(?:I|I['’]\w+|me|my|mine|myself)\b")
_WE = re.compile(r"\b(?:[Ww]e|us|[Oo]urs?|[Ll]et['’]s)\b")
_YOU = re.compile(r"\b(?:you|your|yours|yourself|folks)\b", _I)
_META = re.compile(
    r"\b(?:(?:this|next|last|my|our|today['’]s)\s+(?:speech|post|thread|chapter|section|episode|newsletter|letter|blog|topic|subject|point|part|question|story|slide)|(?:another|other)\s+(?:subject|topic|matter|question|story|note|point)|"
    r"as\s+(?:you|we\s+all|everybody)\s+(?:all\s+)?know|in\s+(?:summary|conclusion|short|other\s+words)|read\s+on|scroll|subscribe|comment(?:s)?\s+below|further\s+information|press\s+office|terms\s+and\s+conditions|"
    r"link\s+in|see\s+(?:above|below)|the\s+meeting\s+(?:opened|closed|ended|began)|the\s+item\s+was|no\s+other\s+business|return\s+to\s+(?:the|this)|to\s+keep\s+in\s+mind|turn\s+(?:now\s+)?to|leave\s+it\s+(?:at\s+that|there)|keep\s+(?:this|it)\s+short|be\s+brief|begin\s+with|language\s+model|browse\s+the\s+internet|more\s+on\s+th(?:at|is)|so\s+much\s+for|that\s+brings)\b",
    _I,
)
_VAGUE = re.compile(
    r"^(?:(?:and|but|so|well|yes|no|anyway|still|now)\b,?\s+)*(?:it|this|that|these|those|there|here|things?|life|time|times|people|we\s+all|everybody|everyone|one|some\s+(?:things?|people)|what|such|none\s+of|much|a\s+lot|autumn|spring|summer|winter|nothing|something|nobody\s+can|no\s+one\s+can|who|whoever|days?|moments?|stories|words|some)\b",
    _I,
)
_HEDGE = re.compile(
    r"\b(?:perhaps|maybe|probably|possibly|arguably|apparently|seemingly|somehow|sort\s+of|kind\s+of|in\s+a\s+way|more\s+or\s+less|often|sometimes|usually|can|could|would|may|might)\b",
    _I,
)
_PARTICIPLE = re.compile(r"\s+(?:\w+ly\s+|not\s+|also\s+|been\s+)?\w+(?:ed|en)\b")
_SHORT, _LONG = 5, 12


class Worth(Model):
    """How worth checking a sentence is, and why."""

    value: float
    """0 to 1."""
    kind: ClaimKind
    signals: tuple[Signal, ...]


def features_of(sentence: str) -> dict[str, float]:
    """Describe a sentence by what a checker looks for; each 0 to 2."""
    names, numbers, verbs = told_names(sentence), numbers_of(sentence), finite_verbs(sentence)
    words = len(sentence.split())
    return {
        "numbers": float(min(2, len(numbers))),
        "date": float(has_date(sentence)),
        "names": float(min(2, len(names))),
        "body": float(min(2, len(_BODY.findall(sentence)))),
        "attribution": float(bool(ATTRIBUTED.search(sentence))),
        "quotation": float(bool(quoted_strings(sentence))),
        "cause": float(bool(_CAUSE.search(sentence))),
        "comparison": float(bool(_COMPARISON.search(sentence))),
        "absolute": float(bool(_ABSOLUTE.search(sentence))),
        "past": float(any(is_past(verb.word) or verb.word in {"was", "were", "had", "did"} for verb in verbs)),
        "passive": float(any(verb.word in BE and _PARTICIPLE.match(sentence, verb.end) for verb in verbs)),
        "I": float(bool(_FIRST.search(sentence))),
        "we": float(bool(_WE.search(sentence))),
        "you": float(bool(_YOU.search(sentence))),
        "meta": float(bool(_META.search(sentence))),
        "vague": float(bool(_VAGUE.match(sentence))),
        "evaluative": float(bool(EVALUATIVE.search(sentence))),
        "view": float(bool(HEDGED_VIEW.search(sentence))),
        "hedge": float(bool(_HEDGE.search(sentence))),
        "short": float(words < _SHORT),
        "long": float(words >= _LONG),
        "exclaims": float(sentence.rstrip("\"'”’ ").endswith("!")),
        "no_verb": float(not has_verb(sentence)),
    }


WEIGHTS = {
    "bias": -1.2, "numbers": 1.4, "date": 0.9, "names": 1.0, "body": 0.7, "attribution": 0.9, "quotation": 0.7, "cause": 0.7, "comparison": 0.6,
    "absolute": 0.4, "past": 0.9, "passive": 0.4, "I": -1.2, "we": -0.6, "you": -1.0, "meta": -2.2, "vague": -0.9, "evaluative": -1.4, "view": -1.0,
    "hedge": -0.4, "short": -0.3, "long": 0.3, "exclaims": -0.7, "no_verb": -3.0,
}  # fmt: skip
"""Log-odds of each feature."""


def worth_of(sentence: str) -> Worth:
    """Weigh a sentence."""
    features = features_of(sentence)
    logit = WEIGHTS["bias"] + sum(WEIGHTS[name] * value for name, value in features.items())
    return Worth(value=round(1 / (1 + math.exp(-logit)), 3), kind=_kind(features), signals=_signals(sentence, features))


def _kind(features: dict[str, float]) -> ClaimKind:
    order = (
        ("quotation", ClaimKind.QUOTATION),
        ("cause", ClaimKind.CAUSE),
        ("attribution", ClaimKind.REPORT),
        ("numbers", ClaimKind.NUMBER),
        ("comparison", ClaimKind.COMPARISON),
        ("absolute", ClaimKind.ABSOLUTE),
    )
    return next((kind for name, kind in order if features[name]), ClaimKind.EVENT)


def _signals(sentence: str, features: dict[str, float]) -> tuple[Signal, ...]:
    """Name what makes the sentence worth checking, with its words."""
    found = []
    if numbers := numbers_of(sentence):
        found.append(Signal(name="number", words=numbers[0]))
    if names := told_names(sentence):
        found.append(Signal(name="name", words=names[0].text))
    for name, pattern in (
        ("attribution", ATTRIBUTED),
        ("cause", _CAUSE),
        ("comparison", _COMPARISON),
        ("absolute", _ABSOLUTE),
        ("body", _BODY),
    ):
        if match := pattern.search(sentence):
            found.append(Signal(name=name, words=" ".join(match.group().split())))
    if features["quotation"]:
        found.append(Signal(name="quotation", words=quoted_strings(sentence)[0]))
    return tuple(found)
