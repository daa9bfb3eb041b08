"""Examples read by a model, in batches, with progress."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from models.evidence import EvidenceModel, EvidenceReading
from training.data.examples import Example

_CHUNK = 256
Item = TypeVar("Item")
Say = Callable[[str], None]


def read_examples(model: EvidenceModel, examples: Sequence[Example], *, say: Say, what: str) -> list[EvidenceReading]:
    """
    Read all examples.

    :param what: Named in the line that `say` gets now and then.
    """
    readings: list[EvidenceReading] = []
    for start in range(0, len(examples), _CHUNK):
        part = examples[start : start + _CHUNK]
        readings += model.read([(example.query, example.passage) for example in part])
        say(f"{what}: {len(readings)} of {len(examples)}")
    return readings


def spread(items: Sequence[Item], limit: int) -> list[Item]:
    """
    Choose at most so many items, spread evenly.

    :param limit: 0: all of them.
    """
    if not limit or len(items) <= limit:
        return list(items)
    return [items[index * len(items) // limit] for index in range(limit)]
