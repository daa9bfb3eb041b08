"""
Places that hold others, and what they are called, also in other languages: Köln, Cologne; Netherlands, Dutch.

The table `places.txt` names its sources and licences in its first line; `training/data/places.py` makes it. A place
that is not listed may be within any area.
"""

from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from core.words import words

TABLE = Path(__file__).with_name("places.txt")
"""A line of sources; then a place a line: between tabs its name and, of each kind, names with a bar between them."""
KINDS = ("areas", "regions", "towns", "other_names", "peoples")
"""Countries and states that a place holds; as a region of several countries; its towns; its names; its people's."""
_NAMED = 4
"""Letters of a name of one word from which its forms are told by their beginning."""


def _read_table() -> dict[str, dict[str, frozenset[str]]]:
    """Read the table: kind to name to names."""
    table: dict[str, dict[str, frozenset[str]]] = {kind: {} for kind in KINDS}
    for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        name, *cells = line.split("\t")
        for kind, cell in zip(KINDS, cells, strict=True):
            if cell:
                table[kind][name] = frozenset(cell.split("|"))
    return table


_AREAS, _WIDE, _WITH_TOWNS, _ALSO, _OF_PEOPLE = (_read_table()[kind] for kind in KINDS)
_CALLED = {
    name: _ALSO.get(name, frozenset()) | _OF_PEOPLE.get(name, frozenset()) for name in _ALSO.keys() | _OF_PEOPLE.keys()
}
_PARTS = {
    name: _AREAS.get(name, frozenset()) | _WIDE.get(name, frozenset()) | _WITH_TOWNS.get(name, frozenset())
    for name in _AREAS.keys() | _WIDE.keys() | _WITH_TOWNS.keys()
}
_ALL_AREAS = _PARTS.keys() | frozenset().union(*_AREAS.values())


def place_key(name: str) -> str:
    """Return a name as it is looked up."""
    return " ".join(words(name.replace(".", "")))


_KNOWN = {place_key(name): name for name in _ALL_AREAS.union(*_PARTS.values(), _CALLED)}
_KNOWN |= {place_key(other): name for name, others in _CALLED.items() for other in others}
_BY_BEGINNING: dict[str, list[str]] = {}
for _name in _KNOWN:
    if " " not in _name:
        _BY_BEGINNING.setdefault(_name[:_NAMED], []).append(_name)


def place_of(name: str) -> str:
    """Return the listed place that a name, another name of it, or its people's means; empty: it is not listed."""
    return _KNOWN.get(place_key(name), "")


def other_names(name: str) -> frozenset[str]:
    """Return what a place is called, too: Myanmar, Burma; empty: nothing else is known."""
    known = place_of(name)
    return (_CALLED[known] | {known}) - {name} if known in _CALLED else frozenset()


def may_be_within(one: str, other: str) -> bool:
    """
    Say whether what is in one place may be in the other, too: as one holds the other, or an area a place not listed.

    Two places that are not listed are taken for two.
    """
    first, second = place_of(one), place_of(other)
    if not (first and second):
        return (first or second) in _ALL_AREAS
    if is_seat(one, other):
        return True
    return not _WIDE.keys().isdisjoint({first, second}) and not _all_within(first).isdisjoint(_all_within(second))


def is_seat(one: str, other: str) -> bool:
    """Say whether of two listed places one lies in the other, by which it may be called: Beijing, China, Chinese."""
    first, second = place_of(one), place_of(other)
    if not (first and second):
        return False
    return first in _all_within(second) or second in _all_within(first)


def is_another_place(one: str, other: str) -> bool:
    """
    Say whether of two folded words with one beginning each is a place of its own, or a form of such: Niger, Nigerian.

    A word is not a form of a place if it has more letters of another one, which has no more letters left: Nigerian, of
    Niger and Nigeria.
    """
    if one in _KNOWN and other in _KNOWN:
        return _KNOWN[one] != _KNOWN[other]
    place, word = (one, other) if one in _KNOWN else (other, one)
    if place not in _KNOWN:
        return False
    shared = shared_letters(place, word)
    nearby = (name for name in _BY_BEGINNING.get(word[:_NAMED], ()) if _KNOWN[name] != _KNOWN[place])
    others = ((len(name), shared_letters(name, word)) for name in nearby)
    return any(has > shared and letters - has <= len(place) - shared for letters, has in others)


def is_place(word: str) -> bool:
    """Say whether a folded word is a listed place."""
    return word in _KNOWN


def shared_letters(one: str, other: str) -> int:
    """Count the letters that two words begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@lru_cache(maxsize=1024)
def _all_within(name: str) -> frozenset[str]:
    """Return a place and all that it holds."""
    return frozenset({name}).union(*(_all_within(part) for part in _PARTS.get(name, ())))
