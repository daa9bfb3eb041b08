"""A compound sentence taken into the statements that it makes, each with its own subject. English."""

import re
from dataclasses import dataclass

from pipelines.claims.verbs import AUXILIARIES, BE, HAVE, Verb, finite_verbs, is_participle, is_past, verb_forms
from pipelines.claims.wording import SAYING
from pipelines.conflicts.analysis import analyse

_I = re.IGNORECASE
_JOINT = re.compile(r";\s+|,\s+(?:and|but|while|whereas|yet)\s+|\s+(?:and|but)\s+", _I)
_QUOTED = re.compile(r"[“\"«„][^”\"»“]*[”\"»“]|\([^()]*\)|\[[^\[\]]*\]")
_SUBJECT = re.compile(
    r"(?:(?:he|she|it|they|we|I|this|these|those|nobody|nothing|none|everybody|everyone|both|all|many|most|some|several|few|half|more|one|two|three|four|five|six|seven|eight|nine|ten|\d[\d.,]*)\b"
    r"|(?:the|a|an|his|her|its|their|our|my|no|every|each|another|other)\s+\w|[A-Z])",
)
_LEAD = re.compile(
    r"^(?:(?:in|on|at|by|since|after|before|during|until|under|from|within|last|this|by|despite|following|for|as\s+of|with|according\s+to|when|while|although|though|because|as|if)\b[^,;]{2,80},\s+|(?:in|by|since)\s+\d{4}\s+|(?:however|also|then|later|meanwhile|today|yesterday|now|still|so|but|and|instead|indeed),?\s+)",
    _I,
)
_TOLD = re.compile(
    rf"^(?P<told>[^,;“\"]{{1,80}}?\b(?:{SAYING})\b(?:\s+(?!that\b)[\w ]{{1,25}}?)?\s+that\s+|according\s+to\s+[^,]{{1,80}},\s+)",
    _I,
)
_BEHIND_VERB = re.compile(
    r"^\s*(?:the|an?|his|her|its|their|no|not|all|by|to|in|on|at|for|from|with|into|up|out|off|down|over|about|against|of|that|as|only|more|less|never|ever|\d|[A-Z]|\w+ly\b|him|them|it|two|three|four|five|six|seven|eight|nine|ten|twelve|back|every|each|another|because|nothing|nobody|most|many)"
)
_RELATIVE = re.compile(
    r"\b(?:who|which|that|whose|where|when|what|whether|if|because|after|before|since|until|while|as|than|although|though|so)\s+(?:\w+\s+){0,3}$",
    _I,
)
_OPEN = re.compile(
    r"\b(?:that|if|because|whether|unless|although|though)\s+(?P<rest>(?:(?!\b(?:that|if|because|whether|unless|although|though)\b).)+)$|\b(?P<pair>between)\s+\S[^,;]{0,60}$",
    _I,
)
"""The last conjunction that wants a verb behind it, and "between", which wants a second noun."""
_MADE_NOUN = re.compile(
    r"\b(?!(?:the|an?|his|her|its|their|our|my|this|that|no|every|is|are|was|were)\b)[a-z]+\s+[a-z]{2,}ing\s+\w", _I
)
"""A noun with an -ing form behind it, "a referendum undoing the changes": what follows belongs to it."""
_WHO = re.compile(r",\s+who\s+(?P<what>[^,;]{8,120})(?:,\s+|(?=[.!]?$))")
_LEAST_WORDS = 3
_LEAST_TOGETHER = 8
_SUBJECT_WORDS = 9
_REACH = 8
"""Words from the beginning of a clause to its verb."""


@dataclass(frozen=True)
class Part:
    """One statement of a sentence."""

    start: int
    """Characters in the sentence."""
    end: int
    text: str
    """With its subject, so that it is a sentence; the same as the stretch where it has one."""


def split_sentence(sentence: str) -> list[Part]:
    """
    Take a sentence into its statements.

    A part without a subject gets that of the part before it, one behind "X said that" also those words. Where it is
    not clear what belongs to what, the sentence stays whole.

    :returns: At least one part, in order.
    """
    told = _TOLD.match(sentence)
    begins = told.end() if told else 0
    prefix = sentence[:begins]
    cuts: list[tuple[int, int]] = []
    masked = _QUOTED.sub(lambda match: "x" * len(match.group()), sentence)
    at = begins
    for joint in _JOINT.finditer(masked, begins):
        if _is_statement(masked[at : joint.start()], first=not cuts) and _follows(masked, at, joint):
            cuts.append((joint.start(), joint.end()))
            at = joint.end()
    if not cuts:
        return _with_relatives(sentence)
    edges = [begins, *[place for cut in cuts for place in cut], len(sentence)]
    spans = list(zip(edges[::2], edges[1::2], strict=True))
    joints = [sentence[start:end] for start, end in cuts]
    parts = [Part(start=0, end=spans[0][1], text=_closed(sentence[: spans[0][1]]))]
    subject, verb = _subject_of(sentence[begins : spans[0][1]])
    for between, (start, end) in zip(joints, spans[1:], strict=True):
        stretch = sentence[start:end]
        own = _has_own_subject(masked[start:end])
        if not own and not subject:
            return _with_relatives(sentence)
        text = stretch if own else f"{subject} {_helped(stretch, verb)}"
        told_too = prefix if not (own and ";" in between) else ""  # a semicolon ends what somebody said
        parts.append(Part(start=start, end=end, text=_closed(f"{told_too}{_lower(text) if told_too else text}")))
        subject, verb = _subject_of(stretch) if own else (subject, verb)
    return parts


def _follows(masked: str, at: int, joint: re.Match[str]) -> bool:
    """Say whether a new statement begins behind a joint."""
    left, right = masked[at : joint.start()], masked[joint.end() :]
    if _is_open(left):
        return False
    if len(left.split()) + len(right.split()) < _LEAST_TOGETHER or len(right.split()) < _LEAST_WORDS:
        return False
    if ";" in joint.group():
        return bool(finite_verbs(right))
    nearest = _JOINT.search(right)
    clause = right[: nearest.start()] if nearest and len(right[: nearest.start()].split()) >= _LEAST_WORDS else right
    return _has_own_subject(clause) or _continues(left, clause)


def _is_open(left: str) -> bool:
    """Say whether what stands before a joint wants more: "said that Kelly" and Baroni were right; "between a car" and."""
    match = _OPEN.search(left)
    return match is not None and (match["pair"] is not None or not finite_verbs(match["rest"]))


def _has_own_subject(clause: str) -> bool:
    """Say whether a clause begins with a subject and its verb."""
    if not _SUBJECT.match(clause):
        return False
    near = " ".join(clause.split()[:_REACH])
    begins = re.match(r"\S+", clause)
    behind = [verb for verb in finite_verbs(near) if begins and verb.start >= begins.end() and verb.is_sure]
    if not behind:
        return False
    before = near[: behind[0].start]
    stands_alone = not re.search(r"[,;:]\s*$|\b(?:of|to|for|with|by|that|which|who)\s+$", before)
    if _MADE_NOUN.search(before):
        return False
    return stands_alone and not _RELATIVE.search(before) and not re.search(r"\b(?:which|who|that|whose)\b", before)


def _continues(left: str, clause: str) -> bool:
    """Say whether a clause is another deed of the subject before it: "and carried 18,000 vehicles"."""
    first, _, behind = clause.partition(" ")
    word = first.lower()
    if _RELATIVE.search(_before_last_verb(left)):
        return False
    deed = word in AUXILIARIES - {
        "will",
        "would",
        "can",
        "could",
        "may",
        "might",
        "must",
        "shall",
        "should",
    } or is_past(word)
    third = word in verb_forms().thirds and any(
        verb.word in verb_forms().thirds | {"is", "was", "has"} or is_past(verb.word) for verb in finite_verbs(left)
    )
    passive = is_participle(word) and any(verb.word in BE | HAVE for verb in finite_verbs(left))
    fits = _BEHIND_VERB.match(behind) is not None or word in AUXILIARIES
    return (deed or third or passive) and fits and len(behind.split()) >= _LEAST_WORDS - 1


def _before_last_verb(text: str) -> str:
    verbs = [verb for verb in finite_verbs(text) if verb.is_sure]
    return text[: verbs[-1].start] if verbs else ""


def _is_statement(text: str, *, first: bool) -> bool:
    verbs = finite_verbs(text)
    return len(text.split()) >= _LEAST_WORDS and bool(verbs) and (not first or verbs[0].start > 0)


def subject_span(clause: str) -> tuple[int, int] | None:
    """Return where the subject of a clause stands, without what leads to it; None: it is not clear."""
    at = 0
    while lead := _LEAD.match(clause[at:]):
        at += lead.end()
    verbs = [verb for verb in finite_verbs(clause[at:]) if verb.start > 0]
    sure = [verb for verb in verbs if verb.is_sure]
    verb = sure[0] if sure else verbs[0] if verbs else None
    if verb is None:
        return None
    text = clause[at : at + verb.start].rstrip()
    text = re.sub(r"(?:\s+(?:also|already|then|later|now|still|never|often|soon|once|\w+ly))+$", "", text)
    text = re.split(r",\s|\s(?:who|which|that)$|\s(?:who|which|that|whose)\s|\s\(", text)[0].rstrip(" ,")
    if not text or len(text.split()) > _SUBJECT_WORDS or re.search(r"[\"“”;:]", text):
        return None
    return at, at + len(text)


def _subject_of(clause: str) -> tuple[str, list[Verb]]:
    """Return the subject of a clause, empty where it is not clear, and the verbs behind it."""
    span = subject_span(clause)
    if span is None:
        return "", []
    subject = clause[span[0] : span[1]]
    return subject, finite_verbs(clause[span[1] :])


def _helped(stretch: str, verbs: list[Verb]) -> str:
    """Put the auxiliary before a participle that shares it: "was measured ... and confirmed by"."""
    word = stretch.split(maxsplit=1)[0].lower()
    if not is_participle(word) or not verbs or verbs[0].word not in BE | HAVE:
        return stretch
    passive = verbs[0].word in BE and re.match(r"\w+\s+by\b", stretch)
    only = is_participle(word) and not is_past(word)
    return f"{verbs[0].word} {stretch}" if passive or only else stretch


def _with_relatives(sentence: str) -> list[Part]:
    """Take ", who runs the fund," behind a name as a statement of its own."""
    match = _WHO.search(sentence)
    if match is None or '"' in sentence or "“" in sentence:
        return [Part(start=0, end=len(sentence), text=sentence)]
    named = [name for name in analyse(sentence).names if name.end == match.start()]
    rest = sentence[match.end() :]
    if not named or not finite_verbs(match["what"]) or not finite_verbs(f"{named[0].text} {rest}"):
        return [Part(start=0, end=len(sentence), text=sentence)]
    whole = f"{sentence[: match.start()]} {rest}"
    extra = Part(start=match.start("what"), end=match.end("what"), text=_closed(f"{named[0].text} {match['what']}"))
    main = Part(start=0, end=len(sentence), text=_closed(whole))
    return [main, extra] if finite_verbs(rest) else [Part(start=0, end=len(sentence), text=sentence)]


def _closed(text: str) -> str:
    text = " ".join(text.split()).rstrip(" ,;")
    return f"{text[:1].upper()}{text[1:]}" + ("" if re.search(r"[.!?][\"”’]?$", text) else ".")


def _lower(text: str) -> str:
    return text if analyse(text).names and analyse(text).names[0].start == 0 else f"{text[:1].lower()}{text[1:]}"
