"""Words of opposite meaning that are said of the same matter."""

from pipelines.compare.antonyms import opposites_of
from pipelines.compare.denial import SaidWord, said_words
from pipelines.findings import Conflict


def opposite_conflicts(statement: str, sentence: str) -> list[Conflict]:
    """
    Return a word of the statement of which the sentence says the opposite.

    Both words stand near another word that the two texts share, and neither or both are denied; the sentence does not
    use the statement's word as well, nor the statement the sentence's.
    """
    ours, theirs = said_words(statement), said_words(sentence)
    mine, other = {said.word for said in ours}, {said.word for said in theirs}
    return [
        Conflict(kind="antonym", stated=one.word, found=two.word)
        for one in ours
        if one.word not in other
        for two in theirs
        if two.word in opposites_of(one.word) and two.word not in mine and _of_one_matter(one, two)
    ][:1]


def _of_one_matter(one: SaidWord, two: SaidWord) -> bool:
    return one.denied == two.denied and bool(one.near & two.near)
