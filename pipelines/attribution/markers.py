"""Citations in other numbers, all at once, so that none is taken for another."""

import re
from collections.abc import Mapping

_CITED = re.compile(r"(\s*)Doc\[(\d+)\]")


def renumbered(text: str, numbers: Mapping[int, int | None]) -> str:
    """
    Write each Doc[n] with its new number.

    :param numbers: Old number to new; None: the citation is dropped. Others stay as they are.
    """

    def replace(match: re.Match[str]) -> str:
        old = int(match[2])
        new = numbers.get(old, old)
        return f"{match[1]}Doc[{new}]" if new is not None else ""

    return _CITED.sub(replace, text)
