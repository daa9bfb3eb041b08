"""A statement as a sentence: without marks of a post or of Markdown, in the capitals that articles have."""

import re
from collections import Counter
from collections.abc import Iterable

from core.words import LETTERS

_LINK = re.compile(r"!?\[([^\]]*)\]\(\S*?\)")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_MARKUP = re.compile(r"(?<!\w)([*_~`]{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_HEADING = re.compile(r"^\s*(?:#{1,6}|>|[-*•])\s+")
_LEAD = re.compile(
    r"^\W*(?:breaking(?:\s+news)?|urgent|just\s+in|update|alert|exclusive|rt(?:\s+@\w+)?)\s*[:!|–-]+\s*", re.IGNORECASE
)
_TAIL = re.compile(
    r"(?:[\s,;.]+(?:(?:pls|please)\s+)?(?:rt|share|retweet|repost)(?:\s+if\s+you\s+(?:care|agree))?)?(?:\s+[#@]\w+)+\s*$",
    re.IGNORECASE,
)
_TAGS = re.compile(r"(?<!\w)#(?=[^\W\d])")
_PICTURES = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d\U0001f1e6-\U0001f1ff]+")
_SHOUTS = re.compile(r"([!?])\1+")
_LEAST_LETTERS = 8


def plain_statement(text: str) -> str:
    """
    Return a query without what a post or Markdown adds to its words; as it is where nothing would be left.

    >>> plain_statement("**Karel Morvath** was [sacked](https://a.example/) !!!")
    'Karel Morvath was sacked !'
    """
    plain = _LINK.sub(r"\1", text)
    plain = _ADDRESS.sub(" ", plain)
    for _ in range(2):
        plain = _MARKUP.sub(r"\2", plain)
    plain = _PICTURES.sub(" ", _HEADING.sub("", plain))
    plain = _TAIL.sub("", _LEAD.sub("", plain))
    plain = " ".join(_SHOUTS.sub(r"\1", _TAGS.sub("", plain)).split())
    return plain if LETTERS.search(plain) else text


def recased(statement: str, texts: Iterable[str]) -> str:
    """
    Give a statement that is all in capitals, or has none, the capitals that its words have inside some texts.

    :param texts: Articles that may be about it; without any, or for a statement in both cases, it stays as it is.
    """
    letters = [character for character in statement if character.isalpha()]
    if len(letters) < _LEAST_LETTERS or not (all(map(str.isupper, letters)) or not any(map(str.isupper, letters))):
        return statement
    forms: Counter[tuple[str, str]] = Counter()
    for text in texts:
        for match in LETTERS.finditer(text):
            opens = match.start() == 0 or text[: match.start()].rstrip("\"“‘'( \n")[-1:] in {".", "!", "?", ""}
            forms[match.group().casefold(), match.group()] += 1 if opens else 3
    best: dict[str, str] = {}
    for (word, written), _ in sorted(forms.items(), key=lambda one: one[1]):
        best[word] = written
    said = LETTERS.sub(lambda match: best.get(match.group().casefold(), match.group().lower()), statement)
    return said[:1].upper() + said[1:]
