"""Sample candidates for every lesson and judge them, once; what is done is kept."""

from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import ValidationError

from core.files import replacing
from training.chat.lesson import Judge, Lesson
from training.chat.pairs import Candidates
from training.chat.sampling import Sampler
from training.chat.setting import Setting


def gather(
    setting: Setting, sampler: Callable[[], Sampler], lessons: Sequence[Lesson], *, judge: Judge, file: Path
) -> list[Candidates]:
    """
    Sample and judge candidates for every lesson, or go on with it.

    :param sampler: Loads the model; called where something is left to sample.
    :param file: JSON lines, one a lesson, in order; what it holds of whole batches is kept.
    :raises CancelledError: If the time is over; the same call goes on.
    """
    recipe = setting.recipe
    wanted = recipe.preference
    found = _read(file, lessons, together=wanted.claims_together)
    with replacing(file) as whole:
        whole.write_text("".join(f"{one.model_dump_json()}\n" for one in found), encoding="utf-8")
    if len(found) == len(lessons):
        return found
    writer = sampler()
    for first in range(len(found), len(lessons), wanted.claims_together):
        setting.deadline.check(f"candidates for {first} of {len(lessons)} claims are sampled")
        batch = lessons[first : first + wanted.claims_together]
        texts = writer.sample(
            batch, count=wanted.candidates, temperature=wanted.temperature, seed=recipe.seed + 1 + first
        )
        fresh = [
            Candidates(lesson=lesson.name, replies=tuple(replies), judged=tuple(judge(lesson, replies)))
            for lesson, replies in zip(batch, texts, strict=True)
        ]
        with file.open("a", encoding="utf-8") as out:
            out.write("".join(f"{one.model_dump_json()}\n" for one in fresh))
        found += fresh
        setting.say(f"candidates: {len(found)} of {len(lessons)} claims")
    return found


def _read(file: Path, lessons: Sequence[Lesson], *, together: int) -> list[Candidates]:
    """Return what whole batches left; a line that was not written to its end ends it."""
    found: list[Candidates] = []
    lines = file.read_text(encoding="utf-8").split("\n") if file.is_file() else []
    for line, lesson in zip(lines, lessons, strict=False):
        try:
            one = Candidates.model_validate_json(line)
        except ValidationError:
            break
        if one.lesson != lesson.name:
            break
        found.append(one)
    return found if len(found) == len(lessons) else found[: len(found) // together * together]
