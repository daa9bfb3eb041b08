"""A few words that tell a side from the others: the terms that are frequent in it and rare elsewhere (c-TF-IDF)."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from pipelines.reading.windows import word_stems

_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*[^\W_]")
_STOP = frozenset(
    "a about after again all also an and another any are as at be because been before being between both but by "
    "can could did do does doing done down during each even few for from had has have having he her here hers him "
    "his how i if in into is it its just last like made make many may me might more most much must my new next no "
    "nor not now of off on once one only or other our out over own per said same say says she should since so "
    "some still such than that the their them then there these they this those through to told too two under "
    "until up us very via was we were what when where which while who whom whose why will with would year years "
    "yet you your according".split()
)
WORDS = 3


def side_labels(query: str, groups: Sequence[Sequence[str]]) -> list[str]:
    """
    Label each group of texts by its own words.

    :param groups: Texts of each side, as they are.
    :returns: One label a group, of `WORDS` words at most, joined by commas; words of the query are left out.
    """
    asked = word_stems(query)
    counts = [Counter(_terms(texts, asked)) for texts in groups]
    total = Counter[str]()
    for one in counts:
        total.update(one.keys())
    return [_label(own, total, len(groups), texts) for own, texts in zip(counts, groups, strict=True)]


def _terms(texts: Sequence[str], asked: frozenset[str]) -> list[str]:
    """Return each text's words once, so that a word counts for how many texts hold it."""
    found: list[str] = []
    for text in texts:
        words = {match.group().lower() for match in _WORD.finditer(text)}
        found += sorted(word for word in words if word not in _STOP and not word_stems(word) & asked)
    return found


def _label(own: Counter[str], total: Counter[str], groups: int, texts: Sequence[str]) -> str:
    weights = {word: count * math.log(1 + groups / total[word]) for word, count in own.items()}
    best = sorted(weights, key=lambda word: (-weights[word], -len(word), word))[:WORDS]
    return ", ".join(_as_written(word, texts) for word in best) or "No words of their own"


def _as_written(word: str, texts: Sequence[str]) -> str:
    """Return a word as most of the texts write it: names keep their capitals."""
    forms = Counter(match.group() for text in texts for match in _WORD.finditer(text) if match.group().lower() == word)
    return forms.most_common(1)[0][0] if forms else word
