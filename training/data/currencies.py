"""
Make `pipelines/conflicts/numbers/currencies.txt`: `python -m training.data.currencies`.

| what | from, licence |
|---|---|
| currencies that are legal tender: names, plurals, codes, signs | Unicode CLDR by babel, Unicode License v3 |
| other spellings, what newspapers translate by one word, what has another meaning | by hand: `currencies.yaml` |

Currencies of one noun are one: francs are those of any country. Dollars alone are told apart.
"""

import unicodedata
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path

import yaml
from babel import Locale
from babel.core import get_global
from babel.numbers import get_currency_name

from pipelines.conflicts.numbers.currencies import DOLLAR, KINDS, TABLE

_BY_HAND = Path(__file__).with_suffix(".yaml")
_ENGLISH = Locale("en")
_WITH_SIGNS = ("bn", "en_NG", "he", "hy", "ka", "kk", "km", "ko", "lo", "mn", "ru", "tr", "uk")
"""Locales whose currencies have a sign of their own that is not that of English texts."""


def header() -> str:
    """Return the first line of the table: source with its version, and licence."""
    return (
        f"# babel {version('babel')}. Currencies: Unicode CLDR (cldr.unicode.org), Unicode License v3, changed. "
        "Made by training/data/currencies.py."
    )


def make_table() -> str:
    """Return the table."""
    given = yaml.safe_load(_BY_HAND.read_text(encoding="utf-8"))
    called = {noun: name for name, nouns in given["nouns"].items() for noun in nouns}
    rows: dict[str, dict[str, set[str]]] = defaultdict(lambda: {kind: set() for kind in KINDS})
    rows[DOLLAR]["words"].update((DOLLAR, f"{DOLLAR}s"))
    for kind in KINDS:
        for name, others in given[kind].items():
            rows[name][kind].update(others)
    taken = {sign for row in rows.values() for sign in row["signs"]}
    for code in _legal_tender():
        singular, plural = (get_currency_name(code, count, _ENGLISH) for count in (1, 2))
        if singular.endswith(f" {DOLLAR}"):
            name, words = singular, {singular, plural}
        else:
            noun = singular.split()[-1].lower()
            name = called.get(noun, noun)
            words = {name, f"{name}s", noun, f"{noun}s", plural.split()[-1]}
        rows[name]["words"].update(word.lower() for word in words)
        rows[name]["codes"].add(code)
        rows[name]["signs"].update(_signs(code) - taken)
        taken |= rows[name]["signs"]
    return "\n".join([header(), *_lines(rows, given)]) + "\n"


def _lines(rows: dict[str, dict[str, set[str]]], given: dict[str, list[str]]) -> list[str]:
    lines = []
    for name in sorted(rows):
        words = rows[name]["words"]
        words |= {_without_accents(word) for word in words}
        cells = (words.difference(given["not_words"]), rows[name]["codes"].difference(given["not_codes"]))
        if any(cells):
            lines.append("\t".join([name, *("|".join(sorted(cell)) for cell in (*cells, rows[name]["signs"]))]))
    return lines


def _legal_tender() -> list[str]:
    """Return the codes of the currencies that CLDR gives no last day of being legal tender."""
    territories = get_global("territory_currencies").values()
    return sorted({code for rows in territories for code, _, until, is_tender in rows if is_tender and until is None})


def _signs(code: str) -> set[str]:
    """Return what stands before a number: A$ and R$ of English texts, or a sign of the currency's own language."""
    english = str(_ENGLISH.currency_symbols.get(code, code))
    own = {str(Locale.parse(locale).currency_symbols.get(code, code)) for locale in _WITH_SIGNS}
    signs = {english} if english != code and "." not in english else set()
    return signs | {sign for sign in own if len(sign) == 1 and unicodedata.category(sign) == "Sc"} - {"$"}


def _without_accents(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))


def main() -> int:
    """Write the table; return how many currencies it holds."""
    table = make_table()
    TABLE.write_text(table, encoding="utf-8")
    return len(table.splitlines()) - 1


if __name__ == "__main__":
    print(main(), "currencies")
