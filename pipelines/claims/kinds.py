"""What a sentence is beside a claim: opinion, question, greeting, wish, prediction, fragment. English."""

import re

from core.types import QueryKind
from pipelines.claims.types import NoClaim
from pipelines.claims.verbs import finite_verbs, verb_forms
from pipelines.claims.wording import ATTRIBUTED, EVALUATIVE, HEDGED_VIEW, has_anchor
from pipelines.query.kind import detect_kind

WHY = {
    NoClaim.OPINION: "It is an opinion: it says how somebody judges something.",
    NoClaim.QUESTION: "It is a question.",
    NoClaim.GREETING: "It is a greeting or a word of thanks.",
    NoClaim.WISH: "It is a wish, an appeal or a request.",
    NoClaim.PREDICTION: "It is about the future.",
    NoClaim.FRAGMENT: "It has no verb, so it states nothing.",
    NoClaim.UNSPECIFIC: "It states nothing that could be looked up.",
    NoClaim.INSTRUCTION: "It speaks to a program that reads the text; it is not followed.",
    NoClaim.TOO_LONG: "It is too long for one claim; shorten it.",
}
"""What readers are told of a sentence that is not a claim."""
_I = re.IGNORECASE
_OPENING = r"^[\"'“‘(]*(?:(?:so|and|but|well|now|ok|okay|oh|yes|no|right|anyway|finally|again|also|then|honestly|look|above\s+all|first\s+of\s+all),?\s+)*"
_GREETING = re.compile(
    _OPENING
    + r"(?:(?:good\s+(?:morning|afternoon|evening|day|night|luck)|hello|hi|hey|greetings|welcome|cheers|goodbye|farewell|congratulations|"
    r"merry|happy\s+(?:new|birthday|holidays|christmas|easter)|dear\s+(?:[a-z]+|[A-Z])|ladies\s+and\s+gentlemen|sincerely|yours\s+\w+|"
    r"(?:kind|warm|best|with\s+(?:kind|best|warm))\s+(?:\w+\s+)?(?:regards|wishes)|peace\s+be|see\s+you|take\s+care|have\s+a\s+\w+)\b"
    r"|(?:many\s+|thousand\s+)?thank(?:s|\s+you)\b(?!\s+to\s+(?:the|a|its|his|her|their)\b(?!.*\bfor\s+(?:coming|being|your|listening|reading)))"
    r"|(?:i|we)(?:['’]d|\s+would|\s+want|\s+wish|\s+should)?\s*(?:like\s+)?(?:to\s+)?(?:also\s+)?(?:warmly\s+|sincerely\s+|deeply\s+)?(?:thank|congratulate|welcome|greet)\b"
    r"|(?:it\s+is|it['’]s|what)\s+(?:\w+\s+){0,2}(?:an?\s+)?(?:\w+\s+)?(?:honou?r|pleasure|privilege|joy)\b"
    r"|(?:i|we)(?:\s+am|['’]m|\s+are|['’]re)\s+(?:\w+\s+){0,2}(?:delighted|pleased|honou?red|glad|happy|grateful|thankful|thrilled|excited|humbled)\b)",
    _I,
)
_WISH = re.compile(
    _OPENING
    + r"(?:may\s+(?!\d)(?:\w+\s+){1,8}(?:be|have|find|rest|bring|live|serve|help|come|never|always|god)\b|let(?:['’]s|\s+(?:us|me|him|her|them|it|that|this))\b"
    r"|(?:i|we)(?:['’]d|['’]ll|\s+(?:do|only|really|sincerely|dearly|would|must|can\s+only|all|want\s+to|just))*\s+(?:hope|wish|pray|urge|ask|beg|appeal|call\s+(?:on|for|upon)|invite|encourage|want|need|demand|trust|dream|long|look\s+forward|like\s+to|love\s+to|request|plead)\b"
    r"|(?:if|i\s+wish)\s+only\b|please\b|perhaps\s+(?:you|we|they|someone|somebody)\s+(?:could|should|might)|someone\s+please|somebody\s+please"
    r"|(?:it\s+is|it['’]s)\s+(?:\w+\s+)?time\s+(?:that|to|for|we)\b|here['’]?s\s+(?:to|hoping)\b|god\s+(?:bless|help|save)\b|all\s+(?:the\s+best|we\s+ask)\b|long\s+live\b)"
    r"|\b(?:hopes?|wish(?:es|ed)?)\s+(?:you|everybody|everyone|all\s+(?:of\s+)?you|mr|mrs|ms|him|her|them|for)\b|^all\s+\w+\s+hope\b",
    _I,
)
_FUTURE = re.compile(
    r"\b(?:will|shall|won['’]t)\b(?!\s+(?:power|have\s+\w+ed\b))|\b\w+['’]ll\b|\b(?:is|are|am|['’]m|['’]re|['’]s)\s+(?:not\s+)?(?:going|about|bound|set|due|expected|likely|unlikely|sure|certain)\s+to\b"
    r"|\b(?:may|might)\s+(?:not\s+|never\s+|well\s+|soon\s+|also\s+|even\s+|one\s+day\s+)?(?!have\b|\d)[a-z]+\b",
)
_WOULD = re.compile(r"\b(?:would|\w+['’]d)\b(?!\s+(?:not\s+)?(?:have|often|always|never|regularly)\b)", _I)
_TOLD_FUTURE = re.compile(
    r"\b(?:announce[sd]?|plan(?:s|ned)?|promise[sd]?|pledge[sd]?|decid(?:es|ed)|agree[sd]?|vow(?:s|ed)?|order(?:s|ed)|approve[sd]?|rul(?:es|ed)|vot(?:es|ed)|schedul\w+|intend(?:s|ed)?|sign(?:s|ed))\b",
    _I,
)
_NORM = re.compile(
    r"\b(?:should(?:n['’]t)?|ought\s+to|must(?:n['’]t)?|need(?:s|ed)?\s+to|ha(?:s|ve)\s+to|better\s+not|deserves?|worth\s+(?:it|every|\w+ing|your|the))\b(?!\s+have\b)",
    _I,
)
_IMPERATIVE = frozenset(
    "do don't call order buy visit click check subscribe go see try get take come read share follow lock remember note "
    "refer leave let join keep make look tell ask send write contact imagine consider think stop start wait listen "
    "grab enjoy discover book save sign vote support donate give bring use turn open close enter find learn feel "
    "register download watch forget stay be have never always just simply act bear mind picture put set choose".split()
)
_MOOD = re.compile(r"^(?:never|always|just|simply|now|so|and|but|then)\s+", _I)
_EXCLAMATION = re.compile(
    r"^(?:what\s+an?\b|how\s+(?:\w+ly\b|\w+\s+(?:it|that|this|we|they|he|she)\b)|such\s+an?\b).*[!.]$|!{2,}$", _I
)
_SHORT_VERB = re.compile(r"(?:['’](?:s|re|m|ve|d)|n['’]t)\b(?=\s+\S)")
_MAYBE_VERB = re.compile(
    r"^(?!.{0,20}\b(?:of|in|on|for|with|to|the)\s+[a-z]+s\b)\W*(?:(?:The|An?|My|Our|His|Her|Its|No|All|Most|Many|Some)\s+)?(?:[\w-]+\s+){0,3}?"
    r"(?:[A-Za-z-]+(?<!s)\s+(?!news\b|always\b|perhaps\b)[a-z]{2,}[^su\W]s\b|[A-Za-z-]+[^su\W]s\s+[a-z]{3,}(?<!s)\b)(?=.*[.!?]\W*$|\s+\S)"
)
"""A verb that no list has: "a penguin huddles", "penguins huddle", in what is not a heading."""


def marked_kind(sentence: str, *, is_heading: bool = False) -> NoClaim | None:
    """
    Return what a sentence is by its own marks, if no claim.

    An anchor (a number, a date, a name that is told of) makes a judgement with a fact in it a claim; a question, a
    greeting and a wish are none whatever they name.

    :param is_heading: A line of its own without an end mark: only a sure verb makes it a sentence.
    """
    bare = sentence.strip().strip("\"“”'‘’ ")
    if detect_kind(bare) is QueryKind.QUESTION and not _EXCLAMATION.match(bare):
        return NoClaim.QUESTION
    if _GREETING.match(bare):
        return NoClaim.GREETING
    if _WISH.search(bare) or _is_imperative(bare):
        return NoClaim.WISH
    if not has_verb(bare) or (is_heading and not any(verb.is_sure for verb in finite_verbs(bare))):
        return NoClaim.FRAGMENT
    if _is_prediction(bare):
        return NoClaim.PREDICTION
    return NoClaim.OPINION if _is_opinion(bare) else None


def has_verb(text: str) -> bool:
    """Say whether a text has a word that can be the verb of a sentence."""
    return bool(finite_verbs(text)) or _SHORT_VERB.search(text) is not None or _MAYBE_VERB.search(text) is not None


def _is_imperative(text: str) -> bool:
    rest = _MOOD.sub("", text)
    first, _, behind = rest.partition(" ")
    word = first.rstrip(",").lower().replace("’", "'")
    if word in {"do", "don't"}:
        return not re.match(r"(?:not\s+)?(?:[A-Z]|you\b|we\b|they\b|i\b)", behind)
    return word in _IMPERATIVE and word in verb_forms().bases | _IMPERATIVE and _is_order(behind)


def _is_order(behind: str) -> bool:
    """Say whether what follows a first verb is its object, and no verb has it as subject: "Order today"."""
    verbs = [verb for verb in finite_verbs(behind) if verb.is_sure]
    return (
        not verbs
        or re.match(
            r"(?!to\s+(?:half|all|a|an|two|three|four|five|six|seven|eight|nine|ten|\d)\b.*\b(?:of|per)\b)(?:the|a|an|your|our|my|it|this|that|these|us|me|for|to|and|on|in|at|now|today|what|how|all|yourself|up|out)\b",
            behind,
        )
        is not None
    )


def _is_prediction(text: str) -> bool:
    """Say whether the main verb is about the future, and nobody is told to have planned or said it."""
    told = ATTRIBUTED.search(text) or _TOLD_FUTURE.search(text)
    future = _FUTURE.search(text) or (_WOULD.search(text) if not told else None)
    if future is None or (told and told.start() != future.start()):
        return False
    past = [verb for verb in finite_verbs(text[: future.start()]) if verb.is_sure]
    if past and _WOULD.match(text, future.start()):  # "had assured them that she would stay" tells of the past
        return not has_anchor(text)
    return (
        not past
        or bool(re.search(r"[,;]|\b(?:and|but|that)\b", text[past[-1].end : future.start()]))
        or not has_anchor(text)
    )


def _is_opinion(text: str) -> bool:
    if _EXCLAMATION.search(text) and not has_anchor(text):
        return True
    if HEDGED_VIEW.search(text) or _NORM.search(text):
        return not has_anchor(HEDGED_VIEW.sub("", text)) or not finite_verbs(HEDGED_VIEW.sub("", text))
    return EVALUATIVE.search(text) is not None and not has_anchor(text)
