"""Keep people of the same name apart: an article is about the same person only if something else fits too."""

import re
from collections.abc import Sequence

from core.words import fold_word
from pipelines.conflicts.analysis import analyse
from pipelines.systems.lateral.entities import without_titles

_NEAR_CHARS = 200
_DESCRIBES = re.compile(r"[^\W\d_]{5,}")


def is_namesake(person: str, *, text: str, other: str) -> bool:
    """
    Say whether an article names somebody else by the name of a person in the text.

    :param person: Full name, as the text has it.
    :param other: Headline and body of the article.
    :returns: True where the article has the family name only with other given names, or the full name with nothing else
        that the text says near it; False where the name is not there.
    """
    family = fold_word(person.rsplit(maxsplit=1)[-1])
    bare = [without_titles(one.text) for one in analyse(other).names]
    bearers = [one for one in bare if " " in one and fold_word(one.split()[-1]) == family]
    if not any(_same_name(one, person) for one in bearers):
        return bool(bearers)
    return not _shared(person, text, other)


def namesakes(people: Sequence[str], *, text: str, other: str) -> list[str]:
    """Return those of the people that an article names somebody else by."""
    return [person for person in people if is_namesake(person, text=text, other=other)]


def _same_name(one: str, person: str) -> bool:
    given, wanted = fold_word(one.split(maxsplit=1)[0]), fold_word(person.split(maxsplit=1)[0])
    initial = min(len(given.strip(".")), len(wanted.strip("."))) == 1
    return given == wanted or (initial and given[0] == wanted[0])


def _shared(person: str, text: str, other: str) -> bool:
    """Say whether another name of the text, or a word that stands near the person in both, is in the article."""
    own = set(person.casefold().split())
    near_text, near_other = _near(person, text), _near(person, other)
    ours = {key for name in analyse(text).names for key in name.keys if key not in own}
    theirs = {key for name in analyse(other).names for key in name.keys}
    described = {word.casefold() for word in _DESCRIBES.findall(near_text)} - own
    return bool(ours & theirs) or len(described & {word.casefold() for word in _DESCRIBES.findall(near_other)}) > 1


def _near(person: str, text: str) -> str:
    family = re.escape(person.rsplit(maxsplit=1)[-1])
    return " ".join(
        text[max(0, match.start() - _NEAR_CHARS) : match.end() + _NEAR_CHARS] for match in re.finditer(family, text)
    )
