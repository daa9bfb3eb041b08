"""What a statement and a quote say differently: the conflicts that a refutation must be able to point to."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from core.words import stem
from pipelines.conflicts.analysis import Analysis, analyse, says_rest
from pipelines.conflicts.cloze import AT, Slot, SlotKind
from pipelines.conflicts.dates.days import day_conflicts
from pipelines.conflicts.lexicon import NOT_NAMES
from pipelines.conflicts.names.names import Name, is_misspelt, is_negation, mentions, speaks_of, spells
from pipelines.conflicts.names.namesakes import list_conflicts, namesake_conflicts
from pipelines.conflicts.names.parties import party_conflicts
from pipelines.conflicts.names.places import is_seat, may_be_within, place_of
from pipelines.conflicts.names.results import result_conflicts
from pipelines.conflicts.names.roles import denies_reverse, role_conflicts
from pipelines.conflicts.numbers.change_endpoints import end_conflicts
from pipelines.conflicts.numbers.grades import grade_conflicts
from pipelines.conflicts.numbers.number_attachment import counted_conflicts
from pipelines.conflicts.numbers.ordinals import ordinal_conflicts
from pipelines.conflicts.numbers.quantities import agree, comparable
from pipelines.conflicts.numbers.quantity import Quantity
from pipelines.conflicts.numbers.ranges import is_of
from pipelines.conflicts.numbers.shares import may_be_same_share
from pipelines.conflicts.numbers.sums import is_made_of
from pipelines.conflicts.numbers.votes import vote_conflicts
from pipelines.conflicts.wording.attributed_falsehood import debunked_conflicts, disputed_conflicts, undisputed
from pipelines.conflicts.wording.charges import charge_conflicts, same_outcomes
from pipelines.conflicts.wording.modality import open_conflicts
from pipelines.conflicts.wording.negation_scope import SaidWord
from pipelines.conflicts.wording.opposites import denies_opposite, opposite_conflicts
from pipelines.conflicts.wording.quantifiers import whole_conflicts
from pipelines.conflicts.wording.quotation_match import quotation_conflicts
from pipelines.conflicts.wording.word_swaps import exchange_conflicts
from pipelines.contracts.evidence import Conflict, ConflictKind

_LEAST = 5
"""Letters of a word that is compared."""
_COMPARED = ("er", "est")
"""Nobody younger and the youngest say the same."""
_EITHER_RIGHT = (may_be_same_share, is_made_of)
"""By which two numbers that differ may both be right."""
_OF = re.compile(r"\bof\s+(?:the\s+)?$", re.IGNORECASE)
_DETERMINER = re.compile(r"(?:the|an?|his|her|its|their|another)\s", re.IGNORECASE)


NEGATION = "negation"
OPPOSITES = "opposites"


@dataclass(frozen=True)
class Surroundings:
    """What stands around a sentence."""

    published: date | None = None
    """Day of publication of its article, UTC."""
    article: str = ""
    """Headline and text of its article; empty: not known."""
    following: str = ""
    """What stands behind it in its article."""

    @property
    def analysis(self) -> Analysis:
        """The article, taken apart."""
        return analyse(self.article)


ALONE = Surroundings()
"""Of a sentence by itself."""
Finder = Callable[[Analysis, Analysis, Surroundings], list[Conflict]]
FINDERS: dict[str, Finder] = {
    "ordinals": lambda statement, sentence, _: ordinal_conflicts(statement, sentence),
    "grades": lambda statement, sentence, _: grade_conflicts(statement, sentence),
    "roles": lambda statement, sentence, _: role_conflicts(statement, sentence),
    "results": lambda statement, sentence, _: result_conflicts(statement, sentence),
    "days": lambda statement, sentence, near: day_conflicts(statement, sentence, published=near.published),
    "disputed": lambda statement, sentence, _: disputed_conflicts(statement, sentence),
    "debunked": lambda statement, sentence, near: debunked_conflicts(statement, sentence, near.following),
    "namesakes": lambda statement, sentence, near: namesake_conflicts(statement, sentence, around=near.analysis),
    "lists": lambda statement, sentence, _: list_conflicts(statement, sentence),
    "quotations": lambda statement, sentence, near: quotation_conflicts(statement, sentence, around=near.analysis),
    "votes": lambda statement, sentence, _: vote_conflicts(statement, sentence),
    "charges": lambda statement, sentence, _: charge_conflicts(statement, sentence),
    "exchange": lambda statement, sentence, _: exchange_conflicts(statement, sentence),
    "ends": lambda statement, sentence, _: end_conflicts(statement, sentence),
    "counted": lambda statement, sentence, _: counted_conflicts(statement, sentence),
    "open": lambda statement, sentence, _: open_conflicts(statement, sentence),
    "wholes": lambda statement, sentence, _: whole_conflicts(statement, sentence),
    "parties": lambda statement, sentence, _: party_conflicts(statement, sentence),
}
"""Finders by name; `looksy benchmark conflicts` measures each."""
_TIERS = (
    (
        "ordinals",
        "grades",
        "roles",
        "results",
        "days",
        "disputed",
        "debunked",
        "namesakes",
        "lists",
        "quotations",
        "votes",
    ),
    ("charges",),
    ("exchange",),
    ("ends",),
    ("counted",),
    ("open",),
    ("wholes",),
    ("parties",),
)
"""Each is asked only where those before it found nothing."""


def slot_conflict(slot: Slot, found: str, sentence: str, *, context: str = "") -> Conflict | None:
    """
    Compare what was stated with what the reader found in its place.

    :param found: The answer span.
    :param sentence: The sentence that holds it.
    :param context: The text around the sentence, which may give a name its short form, or be of the year that is
        stated; empty: there is none.
    :returns: None if they agree, cannot be compared, or the sentence also holds what was stated.
    """
    if slot.kind is SlotKind.NAME:
        return _name_conflict(slot, found, sentence, context=context or sentence)
    return _number_conflict(slot, found, sentence, context=context)


def _number_conflict(slot: Slot, found: str, sentence: str, *, context: str) -> Conflict | None:
    stated = slot.quantity
    if stated is None:
        return None
    if stated.is_year and any(item.is_year and item.value == stated.value for item in analyse(context).numbers):
        return None  # beside the stated year, the one that was found may be of something else
    # a span may cut off what a number counts, or that it is a time of day
    told = [item for item in analyse(sentence).numbers if comparable(stated, item)]
    others = [
        item
        for item in analyse(found).numbers
        if item.is_year == stated.is_year and any(is_of(item, other) for other in told)
    ]
    if not others or any(agree(stated, item) for item in told):
        return None
    if _has_elsewhere(slot.statement, stated, others[0]):
        return None
    if any(right(stated, others[0], statement=slot.statement, sentence=sentence) for right in _EITHER_RIGHT):
        return None
    kind = ConflictKind.DATE if slot.kind is SlotKind.DATE else ConflictKind.NUMBER
    return Conflict(kind=kind, stated=slot.stated, found=others[0].text)


def _has_elsewhere(statement: str, stated: Quantity, found: Quantity) -> bool:
    """Say whether what was found is another number of the statement, which has it of something else."""
    return any(item.start != stated.start and item.value == found.value for item in analyse(statement).numbers)


def _name_conflict(slot: Slot, found: str, sentence: str, *, context: str) -> Conflict | None:
    if slot.name is None or speaks_of(slot.name, sentence):
        return None
    others = analyse(found).names
    if not others or others[0].end - others[0].start < len(found.split(maxsplit=1)[0]) or _describes(found, others[0]):
        return None
    other = others[0].text
    is_stated_too = mentions(others[0].keys, slot.question)  # what is stated of the name in the gap is so of that one
    if is_stated_too or not _stands_alike(slot, other, sentence):
        return None
    if is_misspelt(slot.stated, other) or spells(other, slot.statement) or _is_given_as(slot.stated, other, context):
        return None  # the statement has it in full; the article gives both for one
    if (may_be_within if slot.is_place else is_seat)(slot.stated, other):
        return None  # who lives in Leeds lives in England; what Beijing imposes China does
    return Conflict(kind=ConflictKind.NAME, stated=slot.stated, found=other)


def _stands_alike(slot: Slot, other: str, sentence: str) -> bool:
    """
    Say whether a sentence has another name where a statement has its own: as a place, or as an owner.

    "Sanchez" is no answer to which place, nor the company itself to whose company.
    """
    places = [match.span() for match in re.finditer(re.escape(other), sentence)]
    if slot.is_place:
        return place_of(other) != "" or any(
            AT.search(sentence[:start]) or _OF.search(sentence[:start]) for start, _ in places
        )
    if slot.owned:
        owns = re.compile(rf"['’]s\b|\s+(?:\w+\s+)?{re.escape(slot.owned)}\b", re.IGNORECASE)
        return any(_OF.search(sentence[:start]) or owns.match(sentence[end:]) for start, end in places)
    return True


def _is_given_as(one: str, other: str, text: str) -> bool:
    """Say whether a text gives a name another form in brackets, in either order: Doctors Without Borders (MSF)."""
    pairs = ((re.escape(one), re.escape(other)), (re.escape(other), re.escape(one)))
    return any(re.search(rf"\b{name}\W*\((?:\w+\s){{0,2}}{form}\b", text) for name, form in pairs)


def _describes(found: str, name: Name) -> bool:
    """Say whether a span describes somebody ("the sixteen-year-old Swede") instead of naming them."""
    return " " not in name.text and bool(_DETERMINER.match(found))


def wording_conflicts(
    statement: str, sentence: str, *, near: Surroundings = ALONE, without: frozenset[str] = frozenset()
) -> list[Conflict]:
    """
    Return where two texts cannot both be right, as plain code can see.

    One denies what the other says in the same word; they use opposite words; they give a thing another place in an
    order or a grade on a scale, or a deed another day; doer and other party have changed places; what one states is in
    the other a claim that it calls false; or, if nothing of these, what is done by one is left open by the other, or
    done by somebody else.

    :param near: What stands around the sentence.
    :param without: Names of `FINDERS` to leave out.
    """
    stated, found = analyse(statement), analyse(sentence)
    told = undisputed(stated, found)
    firm: list[Conflict] = []
    for names_of_tier in _TIERS:
        if not firm:
            asked = [FINDERS[name] for name in names_of_tier if name not in without]
            firm = [conflict for finder in asked for conflict in finder(stated, found, near)]
    negations = [] if NEGATION in without else _negations(stated, told)
    skips = OPPOSITES in without or same_outcomes(stated, found)
    opposites = [] if skips else opposite_conflicts(stated, told)
    return [*(_weighed(one, stated, told) for one in (*negations, *firm)), *opposites]


def _weighed(conflict: Conflict, statement: Analysis, sentence: Analysis) -> Conflict:
    """Note whether the texts differ in a conflict alone; where both deny something, it may be the same."""
    if conflict.kind is ConflictKind.NEGATION and statement.denies is sentence.denies:
        return conflict
    alone = says_rest(statement, sentence, beside=conflict.stated)
    return conflict.model_copy(update={"alone": alone})


def _negations(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    proper = frozenset(key for text in (statement, sentence) for name in text.names for key in name.keys)
    mine, other = _denied(statement, proper), _denied(sentence, proper)
    shared = [name for name in mine if name in other and mine[name].denied != other[name].denied]
    return [
        Conflict(kind=ConflictKind.NEGATION, stated=_phrase(mine, name), found=_phrase(other, name))
        for name in shared
        if not (denies_opposite(mine[name], sentence) or denies_opposite(other[name], statement))
        and not denies_reverse(statement, sentence, denials=mine[name].denials | other[name].denials)
    ][:1]


def _denied(text: Analysis, proper: frozenset[str]) -> dict[str, SaidWord]:
    """
    Return the stems of a text's content words, and each word as it is said; one that may be used both ways is left out.

    Names are not denied.
    """
    stems: dict[str, SaidWord] = {}
    both = set()
    for said in text.said:
        word = said.word
        if len(word) < _LEAST or word in NOT_NAMES | proper or is_negation(word) or word.endswith(_COMPARED):
            continue
        if stems.setdefault(stem(word), said).denied != said.denied or said.is_unclear:
            both.add(stem(word))
    return {name: said for name, said in stems.items() if name not in both}


def _phrase(stems: dict[str, SaidWord], name: str) -> str:
    return f"not {name}-" if stems[name].denied else f"{name}-"
