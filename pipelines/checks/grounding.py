"""
What a sentence says that its sources do not: numbers, and names, compared by plain code.

Numbers are compared as digits: `1,200` is `1200` and `four` is `4`; raised ones are powers or footnotes, and left out.
A name is a word with a capital letter that does not begin the sentence. Words are compared by their first letters,
names in full: Austria is not Australia.
"""
# ruff: noqa: SIM905  (word lists read better as text)

import re
import unicodedata
from collections.abc import Iterable, Iterator

from pipelines.compare.words import MONTHS, NOT_NAMES, WEEKDAYS

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_TOKEN = re.compile(rf"{_NUMBER.pattern}|{_WORD.pattern}")
_RAISED = str.maketrans("", "", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
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


def ungrounded(sentence: str, sources: list[str]) -> list[str]:
    """
    Return the numbers and names of a sentence that stand in none of its sources, in order.

    :param sources: Texts that the sentence rests on, headlines and dates among them.
    """
    known = "\n".join(sources)
    numbers = _numbers(known)
    words = set(_words(known))
    missing = [number for number in _in_order(sentence) if number not in numbers]
    return missing + [name for name in _names(sentence) if not _stands_in(_plain(name), words)]


def same_polarity(sentence: str, source: str) -> bool:
    """Say whether both or neither of two texts hold a negation."""
    return _negated(sentence) == _negated(source)


def word_share(sentence: str, source: str) -> float:
    """Return the share of a sentence's content words that the source has, by their first letters; 0 without any."""
    wanted = _content(sentence)
    return (len(wanted) - new_words(sentence, source)) / len(wanted) if wanted else 0.0


def new_words(sentence: str, source: str) -> int:
    """Count a sentence's content words that the source lacks, by their first letters."""
    found = {word[:_STEM] for word in _words(source)}
    return sum(word not in found for word in _content(sentence))


def same_order(sentence: str, source: str) -> bool:
    """
    Say whether a source has all numbers and names of a sentence, names in full, in the same order.

    Where there are several numbers, the other words that both have must be in order, too: "12 were injured and 40 died"
    has the numbers of "12 died and 40 were injured". Of what stands twice, the first place counts.
    """
    said, known = list(_tokens(sentence)), list(_tokens(source))
    if not _same_names(said, known):
        return False
    ours, theirs = _places(said), _places(known)
    # What the source writes small is no name, even where it begins the sentence.
    firm = {key for key, is_firm in ours.items() if is_firm and theirs.get(key, True)}
    if not firm <= theirs.keys():
        return False
    several = sum(key[0].isdigit() for key in firm) > 1
    compared = ours.keys() & theirs.keys() if several else firm
    return [key for key in ours if key in compared] == [key for key in theirs if key in compared]


def holds(text: str, answer: str) -> bool:
    """Say whether an answer stands in a text in whole words, whatever the case: 5 is neither in 2015 nor in 2.5."""
    whole = rf"(?<!\w)(?<!\d[.,]){re.escape(answer.casefold())}(?!\w)(?![.,]\d)"
    return bool(answer) and re.search(whole, text.casefold()) is not None


def _content(text: str) -> list[str]:
    return [word[:_STEM] for word in _words(text) if word not in _SMALL]


def _places(tokens: Iterable[Token]) -> dict[str, bool]:
    """Return the numbers and content words of a text as they first come, and whether each is a number or a name."""
    found: dict[str, bool] = {}
    for word, is_firm in tokens:
        found.setdefault(word if word[0].isdigit() else word[:_STEM], is_firm)
    return found


def _same_names(sentence: Iterable[Token], source: Iterable[Token]) -> bool:
    """Say whether the names of a sentence that the source has by their first letters stand there in full, in order."""
    ours, theirs = _full_names(sentence), _full_names(source)
    begun = {name[:_STEM] for name in theirs}
    wanted = list(dict.fromkeys(_singular(name) for name in ours if name[:_STEM] in begun))
    return wanted == [name for name in dict.fromkeys(map(_singular, theirs)) if name in wanted]


def _full_names(tokens: Iterable[Token]) -> list[str]:
    return [word for word, is_firm in tokens if is_firm and not word[0].isdigit()]


def _tokens(text: str) -> Iterator[Token]:
    """Give the numbers and content words of a text in order, with whether each is a number or a name."""
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text.translate(_RAISED).replace("\u2019", "'"))):
        word = _plain(match.group()).removesuffix("'s")
        if not word or word in _SMALL:
            continue
        if word[0].isdigit():
            word = word.replace(",", "")
        elif word in _NUMBER_WORDS and word != "one":
            word = _NUMBER_WORDS[word]
        yield word, word[0].isdigit() or (match.group()[0].isupper() and word not in _NO_NAMES)


def _singular(word: str) -> str:
    return word.rstrip("'-").removesuffix("s")


def _stands_in(name: str, words: set[str]) -> bool:
    return name in words or any(_is_form(name, word) for word in words)


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


def _in_order(text: str) -> list[str]:
    digits = unicodedata.normalize("NFKC", text.translate(_RAISED))
    found = [number.replace(",", "").rstrip(".") for number in _NUMBER.findall(digits)]
    return found + [_NUMBER_WORDS[word] for word in _words(text) if word in _NUMBER_WORDS and word != "one"]


def _numbers(text: str) -> set[str]:
    return set(_in_order(text)) | ({"1"} if "one" in _words(text) else set())


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
