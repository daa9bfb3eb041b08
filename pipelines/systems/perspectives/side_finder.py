"""Put theses on the sides that their quotes take, and say in words what each side holds."""

import re
from collections.abc import Sequence

from haystack import component

from core.types import Notice
from pipelines.systems.perspectives.proposition import denied, is_yes_or_no, proposition
from pipelines.systems.perspectives.types import Grouping, Side, Stance, Thesis


@component
class SideFinder:
    """Divide theses into those for the proposition, those against it, and those that take no side."""

    @component.output_types(grouping=Grouping)
    def run(self, query: str, theses: list[Thesis]) -> dict[str, Grouping]:
        """
        Divide.

        :returns: `grouping`, with a warning where all that take a side take the same.
        """
        stated = proposition(query)
        held = {Stance.YES: f"For: {_inside(stated, query)}", Stance.NO: f"Against: {_inside(denied(stated), query)}"}
        found = {stance: [one for one in theses if one.stance is stance] for stance in Stance}
        sides = tuple(
            Side(label=label, theses=tuple(sorted(found[stance], key=_surest_first)), stance=stance)
            for stance, label in held.items()
            if found[stance]
        )
        grouping = Grouping(
            sides=sides,
            alone=tuple(found[Stance.MIXED]),
            is_open=not is_yes_or_no(query),
            warnings=one_sided(theses),
        )
        return {"grouping": grouping}


def one_sided(theses: Sequence[Thesis]) -> tuple[Notice, ...]:
    """Say where every article that takes a side takes the same; nothing is made up to balance it."""
    taken = [thesis.stance for thesis in theses if thesis.stance is not Stance.MIXED]
    if len(taken) < 2 or len(set(taken)) != 1:  # noqa: PLR2004 - one article is not coverage
        return ()
    message = (
        f"All {len(taken)} articles that take a side say {taken[0].value}. "
        "The archive may hold only one side of this; nothing was added to balance it."
    )
    return (Notice(code="one_sided", message=message),)


def _surest_first(thesis: Thesis) -> float:
    return -max(thesis.yes, 1 - thesis.yes)


def _inside(sentence: str, query: str) -> str:
    """Write a sentence as it stands behind a colon: no full stop, its first word small where the query has it so."""
    words = sentence.rstrip(".").split(" ", 1)
    low = words[0].lower()
    is_small = low in _SMALL or re.search(rf"(?<![\w-]){re.escape(low)}(?![\w-])", query) is not None
    return " ".join([low if is_small else words[0], *words[1:]])


_SMALL = frozenset("a an the it this that these those all any some every each no".split())
