"""What a text says only as a claim that it calls false: "posts falsely claim that ...". English."""

import re

from core.words import stem
from pipelines.conflicts.analysis import Analysis, analyse
from pipelines.conflicts.lexicon import content_stems
from pipelines.conflicts.wording.antonyms import opposites_of
from pipelines.contracts.evidence import Conflict, ConflictKind

Span = tuple[int, int]
"""Start and end in a text."""

"""Kind of the conflicts."""
_LEAST = 0.75
"""Share of a statement's content words that a disputed claim must have to be that statement."""
_MOST_OPENING = 2
"""Words before a participle that opens a sentence ("After falsely claiming ..., ")."""
_NEAR = 40
"""Characters before a frame that are looked at for what denies it."""
_FALSE = (
    "false|untrue|baseless|unfounded|groundless|unsubstantiated|debunked|discredited|disprove[dn]|refuted|bogus|"
    "fabricated|fake|erroneous|mistaken|incorrect|inaccurate"
)
_WRONGLY = (
    r"falsely|wrongly|incorrectly|erroneously|mistakenly|inaccurately|baselessly|"
    r"without\s+(?:any\s+)?(?:evidence|proof|foundation|basis)"
)
_TAKES_BACK = (
    "debunk(?:s|ed|ing)?|disprov(?:es?|ed|ing)|refut(?:es?|ed|ing)|reject(?:s|ed|ing)?|dismiss(?:es|ed|ing)?|"
    "retract(?:s|ed|ing)?|withdr[ae]w(?:s|n|ing)?|drop(?:s|ped|ping)?|quash(?:es|ed|ing)?|den(?:y|ies|ied|ying)"
)
_CLAIM = (
    "claims?|reports?|rumou?rs?|theor(?:y|ies)|allegations?|accusations?|charges?|stor(?:y|ies)|messages?|posts?|"
    "narratives?|beliefs?|statements?|assertions?|suggestions?|news|notions?|ideas?|tweets?|information"
)
_INVENTION = "hoax(?:es)?|myths?|misinformation|disinformation|conspiracy theor(?:y|ies)"
_SAY = (
    "claim(?:s|ed|ing)?|report(?:s|ed|ing)?|stat(?:ed|ing)|say(?:s|ing)?|said|assert(?:s|ed|ing)?|"
    "alleg(?:es?|ed|ing)|suggest(?:s|ed|ing)?|announc(?:es?|ed|ing)|tweet(?:s|ed|ing)?|post(?:s|ed|ing)?|"
    "accus(?:es?|ed|ing)|believ(?:es?|ed|ing)|tell(?:s|ing)?|told|insist(?:s|ed|ing)?|declar(?:es?|ed|ing)|"
    "publish(?:es|ed|ing)?|writ(?:es?|ing|ten)|wrote|argu(?:es?|ed|ing)|assum(?:es?|ed|ing)|thought|"
    "identif(?:ies|ied|ying)|nam(?:ed|ing)"
)
_RELATIVE = (
    r"\s+(?:was|were|is|are|has|have|had|will|would|caused|led|"
    r"\w+ed\s+(?:the|an?|his|her|its|their|by|in|on|to)\b)"
)
_OPENS = (
    rf"that(?!{_RELATIVE})|claiming|saying|alleging|suggesting|stating|says?|said|claims?|claimed|holds?|held|"
    "alleges?|alleged|suggests?|suggested"
)
"""What a claim follows on: "the hoax that was sent from Velmont" has none."""
_WORDS = r"(?:[\w'’-]+\s+)"
_BEFORE = (
    re.compile(rf"\b(?:{_WRONGLY})\s+{_WORDS}{{0,2}}?(?:{_SAY})\b", re.IGNORECASE),
    re.compile(rf"\b(?:{_SAY}),?\s+(?:{_WRONGLY})\b", re.IGNORECASE),
    re.compile(
        rf"\b(?:(?:(?:{_FALSE})\s+{_WORDS}{{0,2}}?|(?:{_TAKES_BACK})\s+{_WORDS}{{0,4}}?)(?:{_CLAIM})|{_INVENTION})"
        rf"\s+(?:{_WORDS}{{0,6}}?(?:{_OPENS})|of|about)\b(?!,)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\bit(?:['’]s|\s+(?:is|was))\s+(?:\w+\s+)?(?:{_FALSE}|not\s+true|wrong|an?\s+(?:lie|myth|hoax))"
        r"\s+(?:to\s+\w+\s+)?that\b",
        re.IGNORECASE,
    ),
)
"""Words that dispute the claim behind them."""
_BEHIND = (
    re.compile(
        rf"(?:\b(?:{_CLAIM})\s+(?:that|of|about|saying|claiming)|^\W*That)\b(?P<claim>[^;]{{1,250}}?)"
        r"\b(?:is|are|was|were|been|proved|proven|out\s+to\s+be)\s+(?:(?!not\b|never\b|no(?:thing)?\b)\w+\s+){0,2}?"
        rf"(?:{_FALSE}|wrong|lies?|(?:an?\s+)?(?:hoax|myth|lie)|not\s+true|made\s+up)\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?P<claim>[^;]+?),\s+an?\s+(?:[\w-]+\s+){{0,2}}?(?:(?:{_FALSE})\s+(?:\w+\s+)?(?:{_CLAIM})|"
        rf"(?:{_CLAIM})\s+(?:that|which)\b[^,;]*?\b(?:{_FALSE}))\b",
        re.IGNORECASE,
    ),
)
"""Words that dispute the claim before them."""
_LEAST_DEBUNKED = 0.5
"""Share of the same words that a claim must have which the next sentence calls false."""
_REPORTED = re.compile(
    rf"\b(?:{_CLAIM}|{_SAY}|{_INVENTION}|shar(?:es?|ed|ing)|circulat(?:es?|ed|ing)|spread(?:s|ing)?|viral|heard|asks?)\b",
    re.IGNORECASE,
)
_CALLS_IT_FALSE = re.compile(
    rf"\s*[\"“]?(?:(?:but|however),?\s+)?(?:that|this|it|these|those|they|the\s+(?:\w+\s+)?(?:{_CLAIM}|{_INVENTION}))"
    rf"(?:['’]s|\s+(?:is|are|was|were|proved|turned\s+out\s+to\s+be))\s+(?:\w+ly\s+|all\s+|simply\s+|both\s+)?"
    rf"(?:{_FALSE}|wrong|not\s+(?:true|correct|the\s+case)|an?\s+(?:\w+\s+)?(?:hoax|myth|lie)|lies|made\s+up|invented|misleading)\b",
    re.IGNORECASE,
)
"""What begins a sentence that disputes the one before."""
_SIGNS = (
    "false untrue baseless unfounded groundless unsubstantiated debunk discredit disprov refut bogus fabricat fake "
    "erroneous mistaken incorrect inaccurate wrong without reject dismiss retract withdr drop quash deny denie hoax "
    "myth sinformation conspiracy lie true made"
).split()
"""What some of these patterns need."""
_SPEAKS_OF_CLAIM = re.compile(rf"\b(?:{_FALSE}|{_WRONGLY}|{_CLAIM}|{_INVENTION}|{_SAY})\b", re.IGNORECASE)
_END = re.compile(
    r";|\s[–—-]\s|,\s+(?:and|but|while|although|though|whereas|yet|which|however)\b|"
    r"\b(?:but|although|though|whereas|despite)\b|\band\s+(?:was|were|is|are|has|have|had|will)\b|"
    r"\band\s+(?:\w+ly\s+)?(?:\w+ed|found|said|held|wrote)\s+that\b",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(r"^\W*(?:who|which|whose|after|before|when|while|because|since|although|though|as)\b", re.I)
_PASSIVE = re.compile(r"\b(?:was|were|is|are|been|being)\s+$", re.IGNORECASE)
_DENIED = re.compile(r"(?:\b(?:not|never|no)|n['’]t)\s+(?:\w+\s+)?$", re.IGNORECASE)
_LEFT_OPEN = re.compile(r"\b(?:(if|unless|whether)|(alleg)\w*|(accus)\w*|(rumo)u?r\w*|(suspect)\w*)\b", re.IGNORECASE)


def disputed_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """
    Return whether a sentence says what is stated only as a claim that it calls false.

    The claim has the statement's numbers and nearly all of its content words, more than the rest of the sentence has,
    and neither denies it nor says the opposite. A statement that speaks of claims itself is left alone.
    """
    found = sentence.part(_frames)
    if not found or _SPEAKS_OF_CLAIM.search(statement.text):
        return []
    claimed = " ".join(sentence.text[start:end] for start, end in _spans(sentence))
    wanted = statement.stems
    bare = wanted - {stem(word) for name in statement.names for word in name.keys} or wanted
    inside, outside = bare & content_stems(claimed), bare & content_stems(_rest(sentence))
    has_numbers = all(word in inside for word in bare if word[0].isdigit())
    is_claimed = has_numbers and len(inside) >= _LEAST * len(bare) and len(inside) > len(outside)
    if not is_claimed or _is_contrary(statement, analyse(claimed)):
        return []
    return [Conflict(kind=ConflictKind.DISPUTED, stated=statement.text.strip().rstrip("."), found=found[0][0])]


def debunked_conflicts(statement: Analysis, sentence: Analysis, following: str) -> list[Conflict]:
    """
    Return whether a sentence reports what is stated as a claim that the next one calls false: "That is false."

    :param following: What stands behind the sentence in its article.
    """
    verdict = _CALLS_IT_FALSE.match(following)
    if verdict is None or _REPORTED.search(sentence.text) is None or _SPEAKS_OF_CLAIM.search(statement.text):
        return []
    wanted = statement.stems - {stem(word) for name in statement.names for word in name.keys}
    wanted = wanted or statement.stems
    shared = wanted & sentence.stems
    if len(shared) < _LEAST_DEBUNKED * len(wanted) or _is_contrary(statement, sentence):
        return []
    return [
        Conflict(kind=ConflictKind.DISPUTED, stated=statement.text.strip().rstrip("."), found=verdict.group().strip())
    ]


def disputed_answer(question: str, sentence: str, answer: str) -> list[Conflict]:
    """Return whether an answer stands only in a claim that its sentence calls false, unless claims are asked for."""
    told = analyse(sentence)
    found = told.part(_frames)
    if not found or not answer or _SPEAKS_OF_CLAIM.search(question):
        return []
    places = [(match.start(), match.end()) for match in re.finditer(re.escape(answer), sentence)]
    claimed = _spans(told)
    if not places or not all(any(start <= one and two <= end for start, end in claimed) for one, two in places):
        return []
    return [Conflict(kind=ConflictKind.DISPUTED, stated=answer, found=found[0][0])]


def undisputed(statement: Analysis, sentence: Analysis) -> Analysis:
    """Return a sentence without the claims that it calls false, which deny nothing; whole if claims are stated."""
    return sentence if _SPEAKS_OF_CLAIM.search(statement.text) else analyse(_rest(sentence))


def left_open(text: str) -> frozenset[str]:
    """Return by what a text leaves open or disputes what it says: "if", "alleg", "disputed"; empty: by nothing."""
    hedges = {group.lower() for match in _LEFT_OPEN.finditer(text) for group in match.groups() if group}
    return frozenset(hedges | ({ConflictKind.DISPUTED} if analyse(text).part(_frames) else set()))


def _frames(analysis: Analysis) -> tuple[tuple[str, Span], ...]:
    """Return the words that dispute a claim, and where the claim stands."""
    text = analysis.text
    found: list[tuple[str, Span]] = []
    folded = text.casefold()
    if not any(sign in folded for sign in _SIGNS):  # most sentences have none, and the patterns take their time
        return ()
    ends = [match.start() for match in _END.finditer(text)]
    for pattern in _BEFORE:
        for match in pattern.finditer(text):
            before = text[max(0, match.start() - _NEAR) : match.start()]
            if not _DENIED.search(before):
                found.append((match.group(), _behind(text, match, ends)))
                if _PASSIVE.search(before):
                    found.append((match.group(), (_clause_start(text, match.start()), match.start())))
    for pattern in _BEHIND:
        for match in pattern.finditer(text):
            found.append((text[match.end("claim") : match.end()].strip(" ,"), match.span("claim")))
    return tuple(found)


def _behind(text: str, frame: re.Match[str], ends: list[int]) -> Span:
    """Return the claim behind a frame: to the end of the clause, or to the next comma where that ends a side clause."""
    start = frame.end()
    before = text[_clause_start(text, frame.start()) : frame.start()]
    is_side = bool(_SUBORDINATE.match(before)) or (
        frame.re is _BEFORE[0] and frame.group().endswith("ing") and len(before.split()) <= _MOST_OPENING
    )
    end = next((place for place in ends if place >= start), len(text))
    if is_side or frame.group().endswith((" of", " about")):
        comma = text.find(",", start, end)
        end = comma if comma >= 0 else end
    return start, end


def _clause_start(text: str, end: int) -> int:
    return max(text.rfind(mark, 0, end) for mark in ",;") + 1


def _spans(text: Analysis) -> list[Span]:
    return [span for _, span in text.part(_frames)]


def _rest(text: Analysis) -> str:
    """Return what of a text stands in no disputed claim."""
    letters = list(text.text)
    for start, end in _spans(text):
        letters[start:end] = " " * (end - start)
    return "".join(letters)


def _is_contrary(statement: Analysis, claimed: Analysis) -> bool:
    """Say whether a statement is the contrary of a claim: what is disputed bears it out."""
    ours, theirs = set(statement.words), set(claimed.words)
    is_denied = statement.denies is not claimed.denies
    return is_denied or any(opposites_of(word) & theirs for word in ours - theirs)
