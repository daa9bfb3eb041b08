"""Words of opposite meaning that are said of the same matter."""

from pipelines.compare.antonyms import CONVERSE, opposites_of
from pipelines.compare.denial import SaidWord, said_words, stem
from pipelines.compare.names import names
from pipelines.findings import Conflict


def opposite_conflicts(statement: str, sentence: str) -> list[Conflict]:
    """
    Return a word of the statement of which the sentence says the opposite.

    Both words stand near another word that the two texts share, and neither or both are denied; the sentence does not
    use the statement's word as well, nor the statement the sentence's. Where something is less or more than something
    else, it is so than the same; and a party's majority is no conflict with another party's minority.
    """
    ours, theirs = said_words(statement), said_words(sentence)
    mine, other = {said.word for said in ours}, {said.word for said in theirs}
    return [
        Conflict(kind="antonym", stated=one.word, found=two.word)
        for one in ours
        if one.word not in other
        for two in theirs
        if two.word in opposites_of(one.word) and two.word not in mine and _of_one_matter(one, two)
        if one.word not in CONVERSE or not (_is_others(one, statement, other) and _is_others(two, sentence, mine))
    ][:1]


def denies_opposite(said: SaidWord, text: str) -> bool:
    """Say whether a word is denied in a clause that denies the opposite of what a text says: none lived, all died."""
    if not said.denied:
        return False
    told = {other.word for other in said_words(text) if other.word not in other.denials}
    return any(opposites_of(word) & told for word in said.denials)


def _of_one_matter(one: SaidWord, two: SaidWord) -> bool:
    alike = (one.word in one.denials) is (two.word in two.denials)
    return alike and bool(one.near & two.near) and _than_same(one, two)


def _than_same(one: SaidWord, two: SaidWord) -> bool:
    """Say whether two comparatives compare with the same thing, by more words or fewer, or neither with any."""
    if one.than is None or two.than is None:
        return one.than is two.than
    return bool(one.than) is bool(two.than) and (one.than <= two.than or two.than <= one.than)


def _is_others(said: SaidWord, text: str, other: set[str]) -> bool:
    """Say whether names stand before a word of a text, none of which the other text's words have."""
    parties = said.before & {stem(key) for name in names(text) for key in name.keys}
    return bool(parties) and parties.isdisjoint(map(stem, other))
