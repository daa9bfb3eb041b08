"""Candidates with what they are worth, and pairs of a better and a worse one."""

from collections.abc import Sequence

from core.types import Model
from training.chat.lesson import Judged


class Candidates(Model):
    """Replies sampled for one lesson."""

    lesson: str
    replies: tuple[str, ...]
    judged: tuple[Judged, ...]
    """One a reply."""


class Pair(Model):
    """Two replies to one lesson."""

    lesson: str
    chosen: str
    rejected: str
    chosen_value: float
    rejected_value: float


def make_pairs(candidates: Sequence[Candidates], *, margin: float) -> list[Pair]:
    """
    Pair the best with the worst reply to each lesson.

    :param margin: Least difference of their values.
    :returns: At most one pair a lesson: none where the best reply has a fault, or where they are too alike.
    """
    pairs = []
    for one in candidates:
        ranked = sorted(zip(one.judged, one.replies, strict=True), key=lambda item: -item[0].value)
        sound = [item for item in ranked if not item[0].fault]
        if not sound:
            continue
        (best, chosen), (worst, rejected) = sound[0], ranked[-1]
        if best.value - worst.value >= margin and best.value > worst.value:
            pairs.append(
                Pair(
                    lesson=one.lesson,
                    chosen=chosen,
                    rejected=rejected,
                    chosen_value=best.value,
                    rejected_value=worst.value,
                )
            )
    return pairs
