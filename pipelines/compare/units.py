"""Units behind or before a number: what is measured, and how much of its base unit one is."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """A unit of measure."""

    measures: str
    """length, mass, age, time, or money; only quantities of the same can be compared."""
    factor: float
    """How many metres, kilograms or days one is; 1 for a currency."""
    currency: str = ""


_MEASURES = {
    "length": {
        1e-3: "mm|millimet(?:er|re)s?",
        1e-2: "cm|centimet(?:er|re)s?",
        1.0: "met(?:er|re)s?",
        1e3: "km|kilomet(?:er|re)s?",
        0.3048: "ft|feet|foot",
        0.0254: "inch(?:es)?",
        0.9144: "yards?",
        1609.34: "miles?",
    },
    "mass": {1e-3: "grams?", 1.0: "kg|kilos?|kilograms?", 1e3: "tonnes?|metric tons?", 907.18: "tons?"},
    "age": {365.25: r"years?[\s-]old|year[\s-]olds?"},
    "time": {
        1 / 86400: "seconds?",
        1 / 1440: "minutes?",
        1 / 24: "hours?",
        1.0: "days?",
        7.0: "weeks?",
        30.44: "months?",
        365.25: "years?",
    },
}
_CURRENCIES = {
    "dollar": r"dollars?|usd",
    "euro": r"euros?|eur",
    "pound": r"pounds? sterling|gbp|pounds?",
    "yen": "yen|jpy",
    "rupee": "rupees?",
    "yuan": "yuan|renminbi",
    "rouble": "roubles?|rubles?",
    "franc": "francs?",
    "peso": "pesos?",
}
_SIGNS = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen"}
_UNITS = [
    (re.compile(rf"\s*-?\s*(?:{pattern})\b", re.IGNORECASE), Unit(measures, factor))
    for measures, factors in _MEASURES.items()
    for factor, pattern in factors.items()
] + [
    (
        re.compile(rf"\s*(?:(?:us|u\.s\.|canadian|australian|british|swiss)\s+)?(?:{pattern})\b", re.IGNORECASE),
        Unit("money", 1.0, name),
    )
    for name, pattern in _CURRENCIES.items()
]


def unit_of(number: str, after: str) -> Unit | None:
    """
    Return the unit of a number.

    :param number: As it stands, with a sign of currency before it.
    :param after: The text behind it.
    :returns: None: it counts things, or the unit is not known.
    """
    sign = _SIGNS.get(number.strip()[:1])
    if sign:
        return Unit("money", 1.0, sign)
    return next((unit for pattern, unit in _UNITS if pattern.match(after)), None)
