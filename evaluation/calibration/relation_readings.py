"""Judge written statements with the model alone, and write down its logits."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.types import Model
from evaluation.calibration.pairs import read_pack
from evaluation.calibration.readings_cache import kept_lines
from models.calibration import Logits
from models.evidence import EvidenceModel

logger = logging.getLogger(__name__)

LABELS = {"supports": 0, "refutes": 1, "neutral": 2}
BATCH = 64


class ReadPair(Model):
    """A statement as the model judged it against one passage."""

    group: str
    """Pairs of one passage and its mirror are never on both sides of a split."""
    label: int
    """Number in `LABELS`."""
    logits: Logits
    first: Logits | None = None
    """Of the small model, where the one that is fitted is a judge behind it."""


def written_pairs(packs: Sequence[Path]) -> Iterator[tuple[str, int, str, str]]:
    """Yield group, label, statement and passage of the development parts, mirrors included."""
    for row in (row for path in packs for row in read_pack(path) if row["split"] == "dev"):
        for statement in row["statements"]:
            yield row["id"], LABELS[statement["label"]], statement["text"], row["passage"]
            if "mirror" in row and "mirror_label" in statement:
                yield row["id"], LABELS[statement["mirror_label"]], statement["text"], row["mirror"]


def read_pairs(
    packs: Sequence[Path], model: EvidenceModel, kept: Path, *, first: EvidenceModel | None = None
) -> list[ReadPair]:
    """
    Judge what was not judged before.

    :param first: Small model that reads before this one; None: the model judges alone.
    :param kept: JSON lines of what was judged; grows as the judging goes on, so that it can be stopped and resumed.
    """
    pairs = list(written_pairs(packs))
    found = [ReadPair.model_validate_json(line) for line in kept_lines(kept)]
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.open("a", encoding="utf-8") as out:
        for start in range(len(found), len(pairs), BATCH):
            batch = pairs[start : start + BATCH]
            asked = [(statement, passage) for _, _, statement, passage in batch]
            before = [reading.relation_logits for reading in first.read(asked)] if first else [None] * len(asked)
            judged = [
                ReadPair(group=group, label=label, logits=reading.relation_logits, first=one)
                for (group, label, _, _), reading, one in zip(batch, model.read(asked), before, strict=True)
            ]
            out.write("".join(pair.model_dump_json() + "\n" for pair in judged))
            out.flush()
            found += judged
            logger.info("judged %s of %s pairs", len(found), len(pairs))
    return found
