"""
What a sentence says that its sources do not: numbers, and names, compared by plain code.

Numbers are compared as digits: `1,200` is `1200`, `four` is `4`, `two hundred` is `200`; raised ones are powers or
footnotes, and left out.
A name is a word with a capital letter that does not begin the sentence. Words are compared by their first letters,
names in full: Austria is not Australia.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from core.words import stem
from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.lexicon import MONTHS, NOT_NAMES, SCALES, TENS, UNITS, WEEKDAYS
from pipelines.conflicts.numbers.number_patterns import NUMBER_WORDS, SCALE
from pipelines.conflicts.numbers.quantities import agree, comparable, words_value
from pipelines.conflicts.numbers.quantity import Quantity
from pipelines.conflicts.numbers.ranges import as_meant
from pipelines.conflicts.numbers.units import Unit, same_currency

_NUMBER = re.compile(rf"(?P<digits>\d[\d,]*(?:\.\d+)?)(?P<scale>{SCALE})|(?P<words>{NUMBER_WORDS})", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_TOKEN = re.compile(rf"{_NUMBER.pattern}|{_WORD.pattern}", re.IGNORECASE)
_PART_OF_NAME = re.compile(r"(?:^|\W)[A-Z]\w*-$")
_BLANKS = re.compile(r"[\s-]+")
_RAISED = str.maketrans("", "", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SAYS_NUMBER = (UNITS.keys() | TENS.keys()) - {"one"}
"""Words by which a number must stand in a source; "a dozen" and "one" need not be meant exactly."""
_UNIT, _TEN = "|".join(UNITS), "|".join(TENS)
_TEEN = "|".join(word for word, value in UNITS.items() if value >= UNITS["ten"])
_SIDE_BY_SIDE = re.compile(rf"\b(?:(?:{_UNIT})[\s-]+(?:{_UNIT}|{_TEN})|(?:{_TEN})[\s-]+(?:{_TEEN}|{_TEN}))\b")
"""Times and years: seven thirty, twenty nineteen."""
_NEGATIONS = frozenset("not no never none nobody nothing neither nor without cannot n't denied denies deny".split())
_SMALL = frozenset(
    "a an the of in on at by for to from with and or as is are was were be been has have had do does did that this "
    "these those it its he she they his her their who which will would can could may might said says say also".split()
)
_COMMON_CAPITALS = frozenset({"i", "doc", "document", "documents", "mr", "mrs", "ms", "dr"})
_NO_NAMES = NOT_NAMES.difference(MONTHS, WEEKDAYS)
_STEM = 5
Token = tuple[str, bool]
"""A number or content word, and whether it is a number or a name."""
_ENDING = re.compile(r"s|(?:i?a?n|i|ese)s?")
_ENDING_FOR_A_VOWEL = re.compile(r"i?ans?|ies")


def ungrounded(sentence: str, sources: list[str], *, asked: str = "") -> list[str]:
    """
    Return the numbers and names of a sentence that stand in none of its sources, in order.

    :param sources: Texts that the sentence rests on, headlines and dates among them.
    :param asked: The question: its names may be repeated, its numbers must stand in a source.
    """
    written = [match for source in sources for match in _mentions(source)]
    numbers = {form for match in written for form in _forms(match)}
    words = {part for text in (*sources, asked) for word in _words(text) for part in (word, *word.split("-"))}
    stated = [_forms(match) for match in _mentions(sentence) if _must_stand(match)]
    missing = [forms[0] for forms in stated if not numbers.intersection(forms)]
    return missing + [name for name in _names(sentence) if not _is_known(_plain(name), words)]


def says_span(sentence: str, span: str) -> bool:
    """Say whether a sentence says an answer: in its words, or with all its numbers and content words ("sixteen")."""
    if holds(sentence, span):
        return True
    has_words = bool(_content(span)) or any(True for _ in _mentions(span))
    return has_words and not new_words(span, sentence) and not ungrounded(span, [sentence])


def mismeasured(sentence: str, sources: list[str]) -> list[str]:
    """
    Return the numbers of a sentence that its sources have in other measures alone, in order.

    "48 thousand" for 48 million, percent for people, months for weeks, a currency that stands nowhere in the sources.
    Numbers that stand in no source are `ungrounded`; a bare number in words ("the two") may count something else. One
    that leaves its measure to the next ("from 5 to 8 percent") has it.
    """
    known = [item for source in sources for readings in _readings(source) for item in readings]
    return [
        item.text
        for item, *others in _readings(sentence)
        if _is_measured(item) and all(_is_of_another_measure(one, known) for one in (item, *others))
    ]


def same_polarity(sentence: str, source: str) -> bool:
    """Say whether both or neither of two texts hold a negation."""
    return _negated(sentence) == _negated(source)


def word_share(sentence: str, source: str) -> float:
    """Return the share of a sentence's content words that the source has, by their first letters; 0 without any."""
    wanted = _content(sentence)
    return (len(wanted) - new_words(sentence, source)) / len(wanted) if wanted else 0.0


def new_words(sentence: str, source: str) -> int:
    """Count a sentence's content words that the source lacks, by their first letters."""
    found = {stem(word) for word in _words(source)}
    return sum(word not in found for word in _content(sentence))


def same_order(sentence: str, source: str) -> bool:
    """
    Say whether a source has all numbers and names of a sentence, names in full, in the same order.

    Of what stands twice, the first place counts.
    """
    said, known = list(_tokens(sentence)), list(_tokens(source))
    if not _same_names(said, known):
        return False
    ours, theirs = _places(said), _places(known)
    # What the source writes small is not a name, even where it begins the sentence.
    firm = {key for key, is_firm in ours.items() if is_firm and theirs.get(key, True)}
    return firm <= theirs.keys() and [key for key in ours if key in firm] == [key for key in theirs if key in firm]


def same_course(sentence: str, source: str) -> bool:
    """
    Say whether all words that both texts have come in the same order.

    "12 were injured and 40 died" has the numbers of "12 died and 40 were injured". Of one that stands twice, the first
    place counts.
    """
    ours, theirs = _places(_tokens(sentence)), _places(_tokens(source))
    return [key for key in ours if key in theirs] == [key for key in theirs if key in ours]


def same_quantities(sentence: str, source: str) -> bool:
    """Say whether a source has all quantities of a sentence: values, units, and whether in percent or in points."""
    known = {_measured(item) for item in analyse(source).numbers}
    return all(
        _measured(item) in known for item in analyse(sentence).numbers if item.unit or item.text.casefold() != "one"
    )


def running_words(text: str) -> list[str]:
    """Return the words of a text in order, as they are compared: by their first letters, numbers as digits."""
    text = _readable(text).replace("\u2019", "'")
    return [
        _forms(match)[-1] if _is_number(match) else stem(_plain(match.group()).removesuffix("'s"))
        for match in _TOKEN.finditer(text)
    ]


def holds(text: str, answer: str) -> bool:
    """Say whether an answer stands in a text in whole words, whatever the case: 5 is neither in 2015 nor in 2.5."""
    whole = rf"(?<!\w)(?<!\d[.,]){re.escape(answer.casefold())}(?!\w)(?![.,]\d)"
    return bool(answer) and re.search(whole, text.casefold()) is not None


def _content(text: str) -> list[str]:
    return [stem(word) for word in _words(text) if word not in _SMALL]


def _places(tokens: Iterable[Token]) -> dict[str, bool]:
    """Return the numbers and content words of a text as they first come, and whether each is a number or a name."""
    found: dict[str, bool] = {}
    for word, is_firm in tokens:
        found.setdefault(word if word[0].isdigit() else stem(word), is_firm)
    return found


def _same_names(sentence: Iterable[Token], source: Iterable[Token]) -> bool:
    """Say whether the names of a sentence that the source has by their first letters stand there in full, in order."""
    ours, theirs = _full_names(sentence), _full_names(source)
    begun = {stem(name) for name in theirs}
    wanted = list(dict.fromkeys(_singular(name) for name in ours if stem(name) in begun))
    return wanted == [name for name in dict.fromkeys(map(_singular, theirs)) if name in wanted]


def _full_names(tokens: Iterable[Token]) -> list[str]:
    return [word for word, is_firm in tokens if is_firm and not word[0].isdigit()]


def _tokens(text: str) -> Iterator[Token]:
    """Give the numbers and content words of a text in order, with whether each is a number or a name."""
    for match in _TOKEN.finditer(_readable(text).replace("\u2019", "'")):
        if _is_number(match):
            yield _forms(match)[-1], True
            continue
        word = _plain(match.group()).removesuffix("'s")
        if word and word not in _SMALL:
            yield word, match.group()[0].isupper() and word not in _NO_NAMES


def _singular(word: str) -> str:
    return word.rstrip("'-").removesuffix("s")


def _stands_in(name: str, words: set[str]) -> bool:
    return name in words or any(_is_form(name, word) for word in words)


def _is_known(name: str, words: set[str]) -> bool:
    """Say whether a name, or each part of one with hyphens, stands among words."""
    return _stands_in(name, words) or ("-" in name and all(_stands_in(part, words) for part in name.split("-") if part))


def _is_form(one: str, other: str) -> bool:
    """Say whether of two names one is the other with an ending: Iran and Iranian, Canada and Canadian."""
    short, long = sorted((one, other), key=len)
    if len(short) < _STEM - 1 or short[: _STEM - 1] != long[: _STEM - 1]:
        return False
    if long.startswith(short):
        return len(short) >= _STEM or _ENDING.fullmatch(long, len(short)) is not None
    kept = short[:-1]
    return (
        len(kept) >= _STEM
        and short[-1] in "aeoy"
        and long.startswith(kept)
        and _ENDING_FOR_A_VOWEL.fullmatch(long, len(kept)) is not None
    )


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.translate(_RAISED))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).casefold()


def _words(text: str) -> list[str]:
    return [word.removesuffix("'s") for word in _WORD.findall(_plain(text.replace("\u2019", "'")))]


def _readable(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_RAISED))


def _mentions(text: str) -> Iterator[re.Match[str]]:
    """Give the places of a text's numbers in order."""
    return (match for match in _NUMBER.finditer(_readable(text)) if _is_number(match) or match.group().lower() == "one")


def _is_number(match: re.Match[str]) -> bool:
    """Say whether a number was matched: not the hundred of several hundred, nor the one of no one."""
    words = (match.group("words") or "").lower()
    return match.group("digits") is not None or (words not in {"", "one"} and words not in SCALES)


def _must_stand(match: re.Match[str]) -> bool:
    """
    Say whether a sentence gives a number that its sources must have.

    The five of "five-year" is part of a word, and the 19 of "COVID-19" of a name.
    """
    if match.group("digits"):
        return not _PART_OF_NAME.search(match.string[: match.start()])
    words = match.group("words").lower()
    is_part = re.match(r"-\w", match.string[match.end() :]) or match.string[: match.start()].endswith("-")
    return not is_part and not _SIDE_BY_SIDE.search(words) and not _SAYS_NUMBER.isdisjoint(_BLANKS.split(words))


def _forms(match: re.Match[str]) -> tuple[str, ...]:
    """Return a number in digits: as it stands before its scale, if it has one, its parts side by side, its value."""
    if match.group("digits"):
        before = match.group("digits").replace(",", "")
        scale = _BLANKS.sub("", match.group("scale")).lower()
        return (before, _in_digits(float(before) * SCALES[scale])) if scale else (before,)
    written = match.group("words").lower()
    *before_scale, last = _BLANKS.split(written)
    parts = [" ".join(before_scale)] if last in SCALES else []
    parts += _BLANKS.split(written) if _SIDE_BY_SIDE.search(written) else []
    return tuple(_in_digits(value) for part in (*parts, written) if (value := words_value(part)) is not None)


def _in_digits(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _readings(text: str) -> list[tuple[Quantity, ...]]:
    return as_meant(analyse(text).numbers, text)


def _is_measured(item: Quantity) -> bool:
    return item.percent or item.unit is not None or any(character.isdigit() for character in item.text)


def _is_of_another_measure(item: Quantity, known: Sequence[Quantity]) -> bool:
    """Say whether the number stands in a source, and nowhere with a measure by which both can be right."""
    written = _written(item)
    if not any(written == _written(one) for one in known):
        return False
    if not any(comparable(item, one) and agree(item, one) for one in known):
        return True
    currency = item.unit if item.unit is not None and item.unit.measures == "money" else None
    return currency is not None and not any(one.unit and same_currency(one.unit, currency) for one in known)


def _written(item: Quantity) -> str:
    """Return the number of a quantity in digits, without its scale and unit."""
    match = _NUMBER.search(_readable(item.text))
    return _forms(match)[0] if match else item.text


def _measured(item: Quantity) -> tuple[float, float, bool, bool, Unit | None]:
    least = item.value if item.least is None else item.least
    return round(least, 6), round(item.value, 6), item.percent, item.in_points, item.unit


def _names(sentence: str) -> list[str]:
    names = []
    for match in _WORD.finditer(sentence):
        word = match.group().removesuffix("'s").removesuffix("\u2019s")
        begins = (
            not sentence[: match.start()].strip(" \"'\u201c\u2018(")
            or sentence[: match.start()].rstrip()[-1:] in ".!?:"
        )
        if word[0].isupper() and not begins and word.casefold() not in _COMMON_CAPITALS:
            names.append(word)
    return names


def _negated(text: str) -> bool:
    words = set(_words(text))
    return bool(words & _NEGATIONS) or any(word.endswith("n't") for word in words)
