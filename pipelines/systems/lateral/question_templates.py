"""Questions built from the claims of a text by plain code. English."""

import re
from collections.abc import Iterator, Sequence

from pipelines.claims import Claim, ClaimKind
from pipelines.claims.verbs import finite_verbs
from pipelines.claims.wording import ATTRIBUTED, has_date, told_names
from pipelines.conflicts.lexicon import MONTHS, WEEKDAYS
from pipelines.conflicts.names.places import place_of
from pipelines.systems.lateral.coreference import leans_back, needs_context
from pipelines.systems.lateral.entities import is_described, named_in, organisations_of, people_of
from pipelines.systems.lateral.inversion import clause_of
from pipelines.systems.lateral.types import Aspect, Question

LONGEST_CLAIM = 30
"""Words; a longer statement is not asked about as a whole."""
FRAMES = {
    Aspect.AGAINST: "What do others report instead?",
    Aspect.SINCE: "What has been reported since?",
    Aspect.OTHERS: "What else is reported about this?",
    Aspect.FIGURE: "Where does the figure come from?",
    Aspect.EVIDENCE: "What evidence is there for this?",
    Aspect.WHO_SAYS: "Who else reports it?",
}
"""What is asked of a statement that is repeated word for word."""
_WEIGHT = {
    Aspect.FIGURE: 1.0,
    Aspect.EVIDENCE: 0.95,
    Aspect.WHO_SAYS: 0.9,
    Aspect.HOW_MANY: 0.9,
    Aspect.WHEN: 0.85,
    Aspect.WHY: 0.8,
    Aspect.ROLE: 0.8,
    Aspect.LEADS: 0.5,
}
_SPREAD = 0.3
"""What the place of a claim in the order of their worth costs at most."""
_DAY = "|".join(WEEKDAYS)
_ON_DAY = re.compile(
    rf"\s*,?\s+(?:(?:on|last|this|late|early)\s+)*(?:{_DAY})\b(?:\s+(?:night|morning|afternoon|evening))?"
    r"|\s+(?:(?:today|yesterday)(?:\s+(?:night|morning|afternoon|evening))?|this\s+(?:morning|evening)|tonight|last\s+night)\b",
    re.IGNORECASE,
)
_FIRST_DAY = re.compile(
    rf"^(?:(?:on|last|early|late)\s+)*(?:{_DAY})\b(?:\s+(?:night|morning|afternoon|evening))?,?\s+", re.IGNORECASE
)
_LINK = re.compile(
    r"^(?:however|meanwhile|moreover|additionally|furthermore|earlier|later|still|also|in\s+addition|nevertheless|then|"
    r"now|instead|indeed),?\s+",
    re.IGNORECASE,
)
_MONTH = re.compile("|".join(month.capitalize() for month in MONTHS))
_RELATIVE = re.compile(r",?\s(?:who|which|that|whose)\s[^,.]*")
_ENOUGH = 3
"""Statements from which on those that are less sure to stand alone are not asked about."""
_REWRITTEN_SHARE = 0.8
"""Share of its worth that a statement keeps whose pronouns were replaced: they may mean somebody else."""
_FEWEST_WORDS = 5
_NO_ARTICLE = re.compile(r"\b(?:Ltd|Inc|Corp|Co|Airlines|Airways|plc|AG|A/S)\.?$")
_SENTENCES = re.compile(r"[a-z0-9][.!?]\s+[A-Z](?![^“]*”)")
"""More than one sentence, outside quotation marks."""
_UNCOUNTED = re.compile(
    r"^(?:dozens|hundreds|thousands|scores|many|several)\s+(?:of\s+)?(?:the\s+)?(?P<rest>[a-z]\w+s\b|people\b.+)$",
    re.IGNORECASE,
)
_NO_PRIVATE = re.compile(
    r"\b(?:court|parliament|senate|congress|house|police|department|ministry|school|hospital|university|institute|union|"
    r"council|committee|commission|agency|authority|board|bureau|office|army)\b",
    re.IGNORECASE,
)
"""Whose heads tell nothing of a text: no question that its reader would ask."""
_FIGURE = re.compile(
    r"[$€£]\s?\d|(?<![\w.,/:-])(?!(?:1[0-9]|20)\d\d\b)\d+(?:[.,]\d+)*\s?(?:%|-(?:day|mile|week|month|metre|meter|foot)\b|(?!years?\s+(?:old|of\s+age))[a-z]{3,})",
)
"""A number that counts or measures: no year, no part of a name, no age."""
_PART_OF_NAME = re.compile(r"\b[A-Z][\w']*\s$")
_LASTING = frozenset("continue remain live work involve include contain own have".split())
"""Verbs of what has no moment."""
_QUOTED = re.compile(r"said: “(?P<words>[^”]*)”?")
_FEWEST_QUOTED = 6
_OUTCOMES = frozenset(
    "win lose die beat score finish last date value cost weigh measure contain include reach hold own have "
    "follow run become continue remain live work involve".split()
)
"""Verbs of which nobody asks why: what they tell was not decided."""


def about_claim(claim: str, aspect: Aspect) -> str:
    """Ask about a statement as a whole, repeating it."""
    stated = " ".join(claim.split())
    ends = stated.endswith((".", "!", ".”", '."', "!”"))
    return f"The text says: {stated}{'' if ends else '.'} {FRAMES[aspect]}"


def build_questions(claims: Sequence[Claim], *, text: str) -> list[Question]:
    """
    Build questions from claims that stand alone.

    :param claims: Most worth first.
    :param text: What they stand in.
    :returns: Best first, each text once.
    """
    people = people_of(text)
    sure: list[Claim] = []
    others: list[Claim] = []
    for claim in claims:
        (sure if _is_sure(claim, text) else others).append(claim)
    built = _built(sure, people, text)
    if len({question.claim for question in built}) < _ENOUGH:
        built += _built(others, people, text)
    return sorted(built, key=lambda question: -question.score)


def _built(claims: Sequence[Claim], people: list[str], text: str) -> list[Question]:
    built: dict[str, Question] = {}
    for place, claim in enumerate(claims):
        said = _tidy(claim.standalone)
        if _cannot_be_asked_about(said, text):
            continue
        worth = claim.check_worthiness - _SPREAD * place / len(claims)
        worth *= _REWRITTEN_SHARE if claim.replaced else 1.0
        for aspect, asked in [*_about_clause(said, claim.kind, text, people), *_about_names(said, people, text)]:
            is_whole = aspect in FRAMES
            question = Question(
                text=about_claim(said, aspect) if is_whole else asked,
                aspect=aspect,
                people=named_in(people, asked),
                claim=said,
                is_whole=is_whole,
                score=worth * _WEIGHT[aspect],
            )
            if question.text not in built or built[question.text].score < question.score:
                built[question.text] = question
    return list(built.values())


def _is_sure(claim: Claim, text: str) -> bool:
    """Say whether a claim is a whole sentence that names somebody or something: parts may lack what they share."""
    before, last = text[: claim.start].rstrip(), text[claim.end - 1 : claim.end + 1]
    begins = not before or before[-1] in '.!?:"”’)' or "\n" in text[len(before) : claim.start]
    ends = any(mark in last for mark in ".!?") or not text[claim.end :].strip()
    return begins and ends and bool(told_names(claim.standalone))


def _cannot_be_asked_about(said: str, text: str) -> bool:
    """Say whether a statement is more than one, needs what stands around it, or was made wrong by rewriting."""
    if _SENTENCES.search(said) or leans_back(said) or not finite_verbs(_RELATIVE.sub("", said)):
        return True
    names = [name.text for name in told_names(said)]
    capitals = re.findall(r"\b[A-Z][\w&]+", said)
    is_doubled = len(capitals) != len(set(capitals)) and len(said.split()) < LONGEST_CLAIM / 2
    lacks_article = any(
        " " in name and re.search(rf"\bthe\s+{re.escape(name)}\b", text) and f"the {name}" not in said
        and f"The {name}" not in said
        for name in names
    )  # fmt: skip
    return is_doubled or lacks_article or len(said.split()) < _FEWEST_WORDS


def _tidy(said: str) -> str:
    """Take off days and linking words at the beginning, which mean nothing to who has not read the text."""
    first = _FIRST_DAY.match(said)
    if first:
        rest = said[first.end() :]
        said = f"On {rest}" if _MONTH.match(rest) else rest
    bare = _LINK.sub("", _ON_DAY.sub("", said))
    bare = re.sub(r"^\W*(?:On|In|At|As of|Since|Until|By|From|Early|Late|Very)?\s*,\s*", "", bare).strip()
    return f"{bare[:1].upper()}{bare[1:]}"


def _about_names(said: str, people: list[str], text: str) -> Iterator[tuple[Aspect, str]]:
    organisations = organisations_of(said)
    for person in named_in(people, said):
        if _begins_with_place(person):
            continue  # "Iran Brian Hook": what stands before a name is not part of it
        if re.search(rf"\b(?:for|of|and)\s+{re.escape(person)}\b", said) and any(
            person in one for one in organisations
        ):
            continue  # a part of an organisation's name
        if not is_described(person, text):
            yield Aspect.ROLE, f"Who is {person}?"
    for organisation in organisations:
        is_part = (
            "’s " in organisation or "'s " in organisation or re.search(rf"(?:and|&)\s+{re.escape(organisation)}", said)
        )
        if not _NO_PRIVATE.search(organisation) and not is_part:
            yield Aspect.LEADS, f"Who leads {'' if _NO_ARTICLE.search(organisation) else 'the '}{organisation}?"


def _begins_with_place(person: str) -> bool:
    first, *others = person.split()
    return bool(place_of(person)) or (len(others) > 1 and bool(place_of(first)))


def _about_clause(said: str, kind: ClaimKind, text: str, people: Sequence[str]) -> Iterator[tuple[Aspect, str]]:
    if len(said.split()) <= LONGEST_CLAIM and not _is_scrap_of_speech(said, people):
        yield _whole_aspect(said, kind), said
    clause = clause_of(said, text=text)
    if clause is None or has_date(said) or ATTRIBUTED.search(said):
        return
    if leans_back(f"{clause.subject} is") or needs_context(said):
        return
    if clause.is_event and clause.is_past and not clause.is_timed and clause.base not in _LASTING:
        yield Aspect.WHEN, clause.asked("When")
    if clause.has_cause and kind is not ClaimKind.CAUSE and clause.base not in _OUTCOMES:
        yield Aspect.WHY, clause.asked("Why")
    if match := _UNCOUNTED.match(said.rstrip(".!")):
        yield Aspect.HOW_MANY, f"How many {match['rest']}?"


def _is_scrap_of_speech(said: str, people: Sequence[str]) -> bool:
    """Say whether a statement repeats a few words of somebody's sentence, which state nothing by themselves."""
    quoted = _QUOTED.search(said)
    if quoted is None:
        return False
    is_whole = len(quoted["words"].split()) >= _FEWEST_QUOTED and not quoted["words"][:1].islower()
    speakers = named_in([one for one in people if not _begins_with_place(one)], said[: quoted.start()])
    return not is_whole or not finite_verbs(quoted["words"]) or not speakers


def _whole_aspect(said: str, kind: ClaimKind) -> Aspect:
    if kind in {ClaimKind.CAUSE, ClaimKind.COMPARISON, ClaimKind.ABSOLUTE}:
        return Aspect.EVIDENCE
    figures = [one for one in _FIGURE.finditer(said) if not _PART_OF_NAME.search(said[: one.start()])]
    return Aspect.FIGURE if figures and not ATTRIBUTED.search(said) else Aspect.WHO_SAYS
