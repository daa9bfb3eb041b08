"""Score the likeliest replies of a model."""

from collections.abc import Sequence
from statistics import fmean

from training.chat.lesson import Judge, Judged, Lesson
from training.chat.record import Figures
from training.chat.sampling import Sampler


def measure(name: str, sampler: Sampler, lessons: Sequence[Lesson], judge: Judge, *, together: int) -> Figures:
    """
    Let a model reply once to each lesson and average the judgements.

    :param lessons: Not empty.
    """
    texts = sampler.likeliest(lessons, together=together)
    return summarise(name, [judge(lesson, [text])[0] for lesson, text in zip(lessons, texts, strict=True)])


def summarise(name: str, judged: Sequence[Judged]) -> Figures:
    """
    Average judgements.

    :param judged: Not empty.
    """
    readable = [one for one in judged if one.scores]
    names = list(readable[0].scores) if readable else []
    return Figures(
        model=name,
        n=len(judged),
        sound=fmean(not one.fault for one in judged),
        value=fmean(one.value for one in judged),
        scores={name: fmean(one.scores[name] for one in readable) for name in names},
        readable=len(readable),
    )
