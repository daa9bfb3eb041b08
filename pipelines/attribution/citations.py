"""
Document numbers that a model cites: read in every common form, checked against what was given, written in one form.

Forms: `Doc[1]`, `Doc[1, 2]`, `Doc[2-4]`, `Doc[2]-[4]`, `Doc[1][2]`, `Doc 1`, `[Doc 3]`, `(Doc 3)`, `Document[1]`,
`[1]`, `[1, 2]`, `[^1]`, `【1】`, and `¹` behind a mark of punctuation: behind a letter or digit it is a power (`km²`).
A number in brackets that has four digits is taken for a year. Brackets around markers alone (`(Doc[1], Doc[2])`,
`(see [1])`), stress on them and an address behind them go with them. Markers behind a full stop belong to the sentence
before it.
"""

import re
from collections.abc import Collection

from core.sentences import sentence_spans
from core.text import visible
from core.types import Model
from pipelines.attribution.markers import marked, number_of, sub_markers
from pipelines.attribution.plain_prose import plain_prose

MAX_RANGE = 100
"""A wider range is not a citation; it counts as one dropped number."""

_DASH = "-\u2010\u2011\u2012\u2013\u2014"
# No two blanks-or-nothing stand side by side below: a long list without an end must not be tried in every way.
_AND = r"(?:\s*(?:[,;&]|\band\b))+\s*"
_ONE = (
    r"(?:(?:docs?\.?|documents?|no\.?|\#)\s*)?\d+"
    rf"(?:\s*(?:[{_DASH}]|\bto\b)\s*(?:(?:docs?\.?|documents?)\s*)?\d+)?"
)
_LIST = rf"{_ONE}(?:{_AND}{_ONE})*"
_DOC = r"(?:(?<![A-Za-z])(?:docs?|documents?)\.?|\b(?:excerpts?|articles?)(?=\s*\[))"
_TO = rf"(?:\s*[{_DASH}]\s*(?:{_DOC}\s*)?)"
_NAMED = (
    rf"{_DOC}\s*[\[(]\s*{_LIST}\s*[\])](?:(?:\s*|{_TO})\[\s*{_LIST}\s*\])*"
    r"|(?<![A-Za-z])docs?\.?\s?#?\d{1,3}\b(?![.,]\d)"
)
_INSIDE = r"(?:docs?\.?|documents?|sources?|refs?\.?)\s*:?"
_NAMED_INSIDE = (
    rf"[\[(【]\s*{_INSIDE}\s*(?:{_LIST}|[\[(]\s*{_LIST}\s*[\])])\s*[\])】]"
    rf"|\[\s*(?:excerpts?|articles?)\s*{_LIST}\s*\]"
)
_BARE_LIST = rf"\^?\s*\d{{1,3}}(?:(?:{_AND}|\s*[{_DASH}]\s*)\d{{1,3}})*\s*\^?"
_BARE = rf"\[\s*{_BARE_LIST}\s*\](?:\s*[{_DASH}]\s*\[\s*{_BARE_LIST}\s*\])*|【\s*\d{{1,3}}[^】]{{0,20}}】"
_SUPERSCRIPT = r"(?<=[.!?,;:\"'”’)\]])[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?:[,⁻][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})*(?!\w)"
_MARKER = re.compile(rf"{_NAMED}|{_NAMED_INSIDE}|{_BARE}|{_SUPERSCRIPT}", re.IGNORECASE)
"""As `CitedSentence.marked` writes it."""
_BRACKETS = str.maketrans("[]()", "    ")
_NUMBERS = re.compile(rf"(\d+)(?:\s*(?:[{_DASH}]|\bto\b)\s*(?:docs?\.?|documents?)?\s*(\d+))?", re.IGNORECASE)
_DIGITS_ONLY = re.compile(r"【\s*(\d+).*】", re.DOTALL)
_BLANKS = re.compile(r"[^\S\n]+")
_BLANK_LINES = re.compile(r"\n ?\n\s*")
_WIDE = str.maketrans("［］", "[]")
_FROM_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")

_PLACE = "\ue000{}\ue001"
_PLACED = re.compile("\\s*\ue000(\\d+)\ue001")
_JOINED = re.compile("(?<=\ue001)\\s*(?:[,;&]|\\band\\b)\\s*(?=\ue000)")
_PLACES = "\ue000\\d+\ue001(?:\\s*\ue000\\d+\ue001)*"
_AROUND = r"(?:(?:see|cf\.?|from|sources?|refs?\.?)\s*:?\s*)?"
_WRAPPED = re.compile(
    rf"[\[(]\s*{_AROUND}({_PLACES})\s*[\])]|(\*{{1,3}}|_{{1,3}}|`{{1,3}})\s*({_PLACES})\s*\2", re.IGNORECASE
)
_NESTED = 3
"""Brackets within brackets, at most."""
_ADDRESS = re.compile("(?<=\ue001)\\((?:https?:|www\\.|#|/)[^)\\s]*\\)", re.IGNORECASE)
_BEFORE_STOP = re.compile(r"\s*,\s*(?=[.!?…]|$)")
_AFTER_STOP = re.compile(
    "((?<![.!?…])[.!?…]+[\"'”’)]*)((?:\\s*\ue000\\d+\ue001)+)[.]?(?=\\s*$|\\s+[\"'“‘(]?[A-Z0-9])", re.MULTILINE
)
_LEADS = re.compile("\\s*\ue000\\d+\ue001\\s*[A-Z0-9\"'“‘](?![^\ue000]*\ue000\\d+\ue001\\s*[.]?\\s*$)")
"""A text whose markers stand before their sentences: it begins with one, and has another word behind the last."""
_LEAD_IN = re.compile(
    "^(?:(?:according to|as (?:stated|reported|mentioned) (?:in|by)|based on|(?:as )?per|in)\\s+)?"
    "(?:\ue000\\d+\ue001\\s*(?:[,:]|and)?\\s*)+"
    "(?:(?:also\\s+)?(?:says?|states?|reports?|mentions?|notes?|confirms?|shows?)(?:\\s+that)?\\b|,)?\\s*",
    re.IGNORECASE,
)


class CitedSentence(Model):
    """One sentence of an answer."""

    text: str
    """Without its markers."""
    numbers: tuple[int, ...]
    """Documents cited, ascending; all of them were given. Empty: the sentence cites nothing."""

    def marked(self) -> str:
        """Return the sentence with its citations in our form, before the full stop that ends it."""
        return marked(self.text, self.numbers)


class CitedText(Model):
    """An answer taken apart."""

    sentences: tuple[CitedSentence, ...]
    dropped: tuple[int, ...] = ()
    """Numbers cited that were never given, in order, each as often as cited; -1 for a range too wide to be one."""

    def marked(self) -> str:
        """Return the text with citations in our form."""
        return " ".join(sentence.marked() for sentence in self.sentences)

    def uncited(self) -> tuple[CitedSentence, ...]:
        """Return the sentences that cite nothing."""
        return tuple(sentence for sentence in self.sentences if not sentence.numbers)


def read_citations(text: str, *, given: Collection[int], language: str = "en", ours: bool = False) -> CitedText:
    """
    Take an answer apart into sentences and the documents they cite.

    :param text: A model's reply.
    :param given: Numbers of the documents that the model was shown.
    :param language: ISO 639-1 code, for splitting sentences.
    :param ours: The text is in our form, and its words may be an article's: Doc[n] alone cites, "[2]" is one of them.
    """
    markers: list[tuple[int, ...]] = []
    dropped: list[int] = []

    def place(match: re.Match[str]) -> str:
        numbers = marker_numbers(match.group())
        dropped.extend(number for number in numbers if number not in given)
        markers.append(tuple(number for number in numbers if number in given))
        return " " + _PLACE.format(len(markers) - 1)

    cleaned = _without_runs(re.sub("[\ue000\ue001]", "", visible(text)))
    if ours:
        placed = sub_markers(cleaned, place)
    else:
        placed = _unwrapped(_MARKER.sub(place, plain_prose(cleaned.translate(_WIDE))))
    if not _LEADS.match(placed):
        placed = _AFTER_STOP.sub(lambda match: " ".join(["", *match[2].split()]) + match[1], placed)
    sentences = [
        sentence
        for start, end in sentence_spans(placed, language=language)
        if (sentence := _read_sentence(placed[start:end], markers)) is not None
    ]
    return CitedText(sentences=tuple(sentences), dropped=tuple(dropped))


def drop_unknown(text: str, *, given: Collection[int]) -> tuple[str, tuple[int, ...]]:
    """
    Drop from an answer in our form the citations of documents that were not given; all else stays to the letter.

    :returns: The answer; and the numbers that were dropped, in order, each as often as cited.
    """
    dropped: list[int] = []

    def keep(match: re.Match[str]) -> str:
        number = number_of(match.group(1))
        if number in given:
            return match.group()
        dropped.append(number)
        return ""

    return sub_markers(text, keep), tuple(dropped)


def marker_numbers(marker: str) -> tuple[int, ...]:
    """Return the numbers in one marker, in order, ranges written out; -1 for a range that is reversed or too wide."""
    inside = _DIGITS_ONLY.sub(r"\1", marker.translate(_FROM_SUPERSCRIPT)).translate(_BRACKETS)
    numbers: list[int] = []
    for match in _NUMBERS.finditer(inside):
        first = number_of(match.group(1))
        last = number_of(match.group(2)) if match.group(2) else first
        numbers.extend(range(first, last + 1) if 0 <= last - first < MAX_RANGE else (-1,))
    return tuple(dict.fromkeys(numbers))


def _without_runs(text: str) -> str:
    """Cut runs of blanks and of blank lines short: most patterns look behind each."""
    return _BLANK_LINES.sub("\n\n", _BLANKS.sub(" ", text))


def _unwrapped(placed: str) -> str:
    """Take away what stands around and between markers alone."""
    joined = _JOINED.sub(" ", _ADDRESS.sub("", placed))
    for _ in range(_NESTED):
        joined = _WRAPPED.sub(lambda match: match[1] or match[3], joined)
    return joined


def _read_sentence(placed: str, markers: list[tuple[int, ...]]) -> CitedSentence | None:
    cited = {number for match in _PLACED.finditer(placed) for number in markers[int(match.group(1))]}
    without_lead = _LEAD_IN.sub("", placed.strip())
    text = re.sub(r"\s+", " ", _PLACED.sub("", without_lead)).strip()
    text = _BEFORE_STOP.sub("", re.sub(r"\s+([,.;:!?])", r"\1", text))
    if not any(character.isalnum() for character in text):
        return None
    return CitedSentence(text=text[0].upper() + text[1:], numbers=tuple(sorted(cited)))
