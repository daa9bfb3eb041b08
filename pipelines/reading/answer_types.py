"""What kind of answer a question asks for, and whether a span is of that kind; by plain code, for English."""

import re
from enum import StrEnum

_NUMBER_WORDS = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
    r"|hundreds?|thousands?|millions?|billions?|trillions?|dozens?|half|third|quarter|once|twice|none|zero|no|both"
)
_NUMBER = re.compile(rf"\d|\b(?:{_NUMBER_WORDS})\b", re.IGNORECASE)
_DATE = re.compile(
    r"\b(?:1\d|20)\d\d\b|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:today|yesterday|tomorrow|tonight)\b|\b\d{1,2}(?::\d\d)?\s?[ap]\.?m"
    r"|\b(?:year|month|week|day|night|morning|evening|spring|summer|autumn|fall|winter|century|decade|noon|midnight)s?\b"
    r"|\d0s\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b[A-Z]")


class AnswerType(StrEnum):
    """What a question asks for."""

    NUMBER = "number"
    DATE = "date"
    PERSON = "person"
    PLACE = "place"
    OTHER = "other"


_ASKS = (
    (AnswerType.NUMBER, r"\bhow (?:many|much|old|long|far|tall|big|large|high|deep|fast|heavy|wide|often|soon)\b"),
    (AnswerType.NUMBER, r"\b(?:what|which) (?:number|share|percentage|percent|proportion|amount|sum|age|score)\b"),
    (AnswerType.DATE, r"^(?:\w+ ){0,2}when\b|\b(?:what|which) (?:year|date|day|month|century|decade|time)\b"),
    (AnswerType.PERSON, r"^(?:\w+ ){0,2}who(?:m|se)?\b"),
    (AnswerType.PLACE, r"^(?:\w+ ){0,2}where\b|\b(?:what|which) (?:country|city|town|state|place)\b"),
)
_SHAPES = {AnswerType.NUMBER: _NUMBER, AnswerType.DATE: _DATE, AnswerType.PERSON: _NAME, AnswerType.PLACE: _NAME}


def expected_type(question: str) -> AnswerType:
    """Return what the question asks for; the first pattern that fits wins."""
    for kind, pattern in _ASKS:
        if re.search(pattern, question.strip(), re.IGNORECASE):
            return kind
    return AnswerType.OTHER


def type_mismatch(kind: AnswerType, span: str) -> bool:
    """Say whether the span lacks what every answer of its kind has: a number, a date, a capital letter."""
    shape = _SHAPES.get(kind)
    return shape is not None and not shape.search(span)
