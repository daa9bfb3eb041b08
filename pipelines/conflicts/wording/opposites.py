"""Words of opposite meaning that are said of the same matter."""

import re

from core.words import stem
from pipelines.conflicts.analysis import Analysis, says_rest
from pipelines.conflicts.wording.antonyms import CONVERSE, contrary, opposites_of, root
from pipelines.conflicts.wording.negation_scope import SaidWord
from pipelines.contracts.evidence import Conflict, ConflictKind


def opposite_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """
    Return a word of the statement of which the sentence says the opposite.

    Both words stand near another word that the two texts share, and neither or both are denied; the sentence does not
    use the statement's word as well, in any form, nor the statement the sentence's. Where something is less or more
    than something else, it is so than the same; and a party's majority is not a conflict with another party's minority,
    nor one's purchase with what the other sold.
    """
    ours, theirs = statement.said, sentence.said
    mine, other = {root(said.word) for said in ours}, {root(said.word) for said in theirs}
    found = [
        _conflict(one, two, statement, sentence)
        for one in ours
        if root(one.word) not in other
        for opposites in [opposites_of(one.word)]
        for two in theirs
        if two.word in opposites and root(two.word) not in mine and _of_one_matter(one, two)
    ]
    return [conflict for conflict in found if conflict][:1]


def _conflict(one: SaidWord, two: SaidWord, statement: Analysis, sentence: Analysis) -> Conflict | None:
    """Return the conflict of two opposites; None: another party has the opposite."""
    alone = says_rest(statement, sentence, beside=one.word)
    if one.word in CONVERSE:
        ours, theirs = _parties(one, statement), _parties(two, sentence)
        if ours and theirs and ours.isdisjoint(theirs):
            return None
        alone = alone and bool(ours & theirs)
    return Conflict(kind=ConflictKind.ANTONYM, stated=one.word, found=two.word, alone=alone)


def denies_opposite(said: SaidWord, text: Analysis) -> bool:
    """Say whether a word is denied in a clause that denies the opposite of what a text says: none lived, all died."""
    if not said.denied:
        return False
    told = {other.word for other in text.said if other.word not in other.denials}
    return any(contrary(word, told) for word in said.denials)


def _of_one_matter(one: SaidWord, two: SaidWord) -> bool:
    alike = (one.word in one.denials) is (two.word in two.denials)
    return alike and one.lasts is two.lasts and bool(one.near & two.near) and _than_same(one, two)


def _than_same(one: SaidWord, two: SaidWord) -> bool:
    """Say whether two comparatives compare with the same thing, by more words or fewer, or neither with any."""
    if one.than is None or two.than is None:
        return one.than is two.than
    return bool(one.than) is bool(two.than) and (one.than <= two.than or two.than <= one.than)


def _parties(said: SaidWord, text: Analysis) -> frozenset[str]:
    """Return the names before a word of a text, by their stems; none where it is done by somebody: was bought by."""
    if re.search(rf"\b(?:is|are|was|were|been|being)\s+(?:\w+\s+)?{re.escape(said.word)}\s+by\b", text.text.casefold()):
        return frozenset()
    return said.before & {stem(key) for name in text.names for key in name.keys}
