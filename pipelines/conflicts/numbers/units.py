"""Units behind or before a number: what is measured, and how much of its base unit one is."""

import re
from dataclasses import dataclass

from pipelines.conflicts.numbers.currencies import DOLLAR, SIGN, currency_of, is_currency


@dataclass(frozen=True)
class Unit:
    """A unit of measure."""

    measures: str
    """length, area, age, money and so on, or a word; only quantities of the same can be compared."""
    factor: float
    """How many metres, square metres, litres, kilometres an hour, kilograms or days one is; 1: it is not converted."""
    currency: str = ""
    scale: str = ""
    """Celsius or Fahrenheit; empty: degrees of either, or no temperature."""


_SQUARE = r"(?:square\s+|sq\.?\s*)"
_CUBIC = r"(?:cubic\s+|cu\.?\s*)"
_METRES = "met(?:er|re)s?"
_FEET = "ft|feet|foot"
_AN_HOUR = r"\s+(?:an|per)\s+hour"
_MEASURES = {
    "speed": {
        1.0: rf"km/h|kph|kmh|(?:km|kilo{_METRES}){_AN_HOUR}",
        1.60934: rf"mph|miles?{_AN_HOUR}",
        1.852: "knots?",
    },
    "area": {
        1.0: rf"{_SQUARE}(?:m|{_METRES})|m[²2]",
        1e6: rf"{_SQUARE}(?:km|kilo{_METRES})|km[²2]",
        0.0929: rf"{_SQUARE}(?:{_FEET})",
        2.59e6: rf"{_SQUARE}miles?",
        1e4: "hectares?|ha",
        4046.86: r"acres?(?![\s-]+f(?:ee|oo)t\b)",
    },
    "volume": {
        1e-3: "ml|millilit(?:er|re)s?",
        1.0: "lit(?:er|re)s?",
        4.15: "gallons?",  # between those of the United States, 3.79, and the old British ones, 4.55
        28.3: rf"{_CUBIC}(?:{_FEET})",
        1e3: rf"{_CUBIC}(?:m|{_METRES})|m[³3]",
    },
    "length": {
        1e-3: f"mm|milli{_METRES}",
        1e-2: f"cm|centi{_METRES}",
        1.0: _METRES,
        1e3: f"km|kilo{_METRES}",
        0.3048: _FEET,
        0.0254: "inch(?:es)?",
        0.9144: "yards?",
        1609.34: "miles?",
        1852.0: r"nautical\s+miles?",
    },
    "mass": {
        1e-6: "mg|milligrams?",
        1e-3: "(?-i:g)|grams?",  # 5G is none
        0.02835: "oz|ounces?",
        0.4536: "lbs?",
        1.0: "kg|kilos?|kilograms?",
        1e3: "tonnes?|metric tons?",
        907.18: "tons?",
    },
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
_DEGREES = {
    "Celsius": r"degrees?\s+(?:celsius|centigrade|c)|°\s?c|celsius|centigrade",
    "Fahrenheit": r"degrees?\s+(?:fahrenheit|f)|°\s?f|fahrenheit",
    "": "degrees?|°",
}
_PREFIX = "(?:kilo|mega|giga|tera|milli|micro)?"
_NOT_CONVERTED = {
    "centuries": "centur(?:y|ies)",
    "decades": "decades?",
    "fortnights": "fortnights?",
    "light years": r"light[\s-]years?",
    "pints": "pints?",
    "barrels": "barrels?",
    "bushels": "bushels?",
    "acre-feet": r"acre[\s-]f(?:ee|oo)t",
    "carats": "carats?",
    "watt-hours": rf"{_PREFIX}watt[\s-]hours?|[kmgt]wh",
    "kilowatts": "kilowatts?|kw",
    "megawatts": "megawatts?|mw",
    "gigawatts": "gigawatts?|gw",
    "horsepower": "horsepower",
    "volts": rf"{_PREFIX}volts?",
    "hertz": rf"{_PREFIX}hertz|[kmg]hz",
    "bytes": rf"{_PREFIX}bytes?|[kmgt]b",
    "sieverts": rf"{_PREFIX}sieverts?",
    "becquerels": rf"{_PREFIX}becquerels?",
    "decibels": "decibels?",
    "calories": "(?:kilo)?calories",
    "parts per million": r"parts\s+per\s+million|ppm",
    "basis points": r"basis\s+points?",
    "cents": "cents?",
    "pence": "pence",
}
"""What is compared only with itself."""
_WORDS = [
    *((Unit(word, 1.0), pattern) for word, pattern in _NOT_CONVERTED.items()),
    *(
        (Unit(measures, factor), pattern)
        for measures, factors in _MEASURES.items()
        for factor, pattern in factors.items()
    ),
    *((Unit("temperature", 1.0, scale=scale), pattern) for scale, pattern in _DEGREES.items()),
]
_UNITS = [(re.compile(rf"\s*(?:-\s*)?(?:{pattern})(?!\w)", re.IGNORECASE), unit) for unit, pattern in _WORDS]
_SHORT = [(re.compile(rf"{scale[0]}(?!\w)"), Unit("temperature", 1.0, scale=scale)) for scale in _DEGREES if scale]
"""Degrees by their letter alone."""
FOOT = Unit("length", 0.3048)
INCH = Unit("length", 0.0254)


def unit_of(number: str, after: str) -> Unit | None:
    """
    Return the unit of a number.

    :param number: As it stands, with a sign of currency before it.
    :param after: The text behind it.
    :returns: None: it counts things, or the unit is not known.
    """
    if SIGN.match(number.strip()):
        return Unit("money", 1.0, currency_of(number, after))
    unit = next((unit for pattern, unit in _UNITS if pattern.match(after)), None)
    if unit:
        return unit
    currency = currency_of(number, after)
    if currency:
        return Unit("money", 1.0, currency)
    return next((unit for pattern, unit in _SHORT if pattern.match(after)), None)


def is_unit(text: str, unit: Unit) -> bool:
    """Say whether a text is a unit and nothing else."""
    if unit.measures == "money":
        return is_currency(text, unit.currency)
    return any(one == unit and pattern.fullmatch(text) for pattern, one in _UNITS + _SHORT)


def same_currency(one: Unit, other: Unit) -> bool:
    """Say whether two sums can be in one currency: dollars of no country may be those of any."""
    names = {one.currency, other.currency}
    return len(names) == 1 or (DOLLAR in names and all(name.endswith(DOLLAR) for name in names))


def base_values(value: float, unit: Unit) -> tuple[float, ...]:
    """
    Return what a value can be in the base unit: metres, kilograms, days, degrees Celsius.

    Degrees Fahrenheit may be a temperature or a difference of two; degrees of no scale, those of either.
    """
    if unit.measures != "temperature":
        return (value * unit.factor,)
    fahrenheit = ((value - 32) * 5 / 9, value * 5 / 9)
    return {"Celsius": (value,), "Fahrenheit": fahrenheit}.get(unit.scale, (value, *fahrenheit))
