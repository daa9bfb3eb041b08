"""
What a sentence says that its sources do not: numbers, and names, compared by plain code.

Numbers are compared as digits: `1,200` is `1200` and `four` is `4`. A name is a word with a capital letter that does
not begin the sentence.
"""
# ruff: noqa: SIM905  (word lists read better as text)

import re
import unicodedata

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_][\w'-]*")
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
_STEM = 5


def ungrounded(sentence: str, sources: list[str]) -> list[str]:
    """
    Return the numbers and names of a sentence that stand in none of its sources, in order.

    :param sources: Texts that the sentence rests on, headlines and dates among them.
    """
    known = "\n".join(sources)
    numbers = _numbers(known)
    words = {word[:_STEM] for word in _words(known)}
    missing = [number for number in _in_order(sentence) if number not in numbers]
    return missing + [name for name in _names(sentence) if _plain(name)[:_STEM] not in words]


def same_polarity(sentence: str, source: str) -> bool:
    """Say whether both or neither of two texts hold a negation."""
    return _negated(sentence) == _negated(source)


def word_share(sentence: str, source: str) -> float:
    """Return the share of a sentence's content words that the source has, by their first letters; 0 without any."""
    wanted = [word[:_STEM] for word in _words(sentence) if word not in _SMALL]
    found = {word[:_STEM] for word in _words(source)}
    return sum(word in found for word in wanted) / len(wanted) if wanted else 0.0


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).casefold()


def _words(text: str) -> list[str]:
    return [word.removesuffix("'s") for word in _WORD.findall(_plain(text.replace("\u2019", "'")))]


def _in_order(text: str) -> list[str]:
    found = [number.replace(",", "").rstrip(".") for number in _NUMBER.findall(unicodedata.normalize("NFKC", text))]
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
