"""Claims as lessons: the prompt as the system asks it, and a reply that the system itself would return."""

from collections.abc import Sequence

from core.errors import InputError
from core.types import Model
from evaluation.data.formats.refuted_claims import RefutedClaim
from pipelines.generation.prompts import load_prompt
from pipelines.resources import Resources
from pipelines.systems.counter.reply_prompt import PROMPT, ReplyForm, prompt_values
from training.chat.counter.evidence import evidence_of
from training.chat.counter.judge import ClaimJudge, CounterJudge
from training.chat.lesson import Lesson


class Lessons(Model):
    """All that a build learns from."""

    lessons: tuple[Lesson, ...]
    notes: tuple[str, ...]
    """What was left out or replaced, for the card."""


def make_lessons(
    claims: Sequence[RefutedClaim], resources: Resources, *, compose: bool
) -> tuple[Lessons, CounterJudge]:
    """
    Make one lesson a claim, and the judge of replies to them.

    A person's reply is learned as the system would return it: without sentences that no quote supports, and not at all
    if it has a fault.

    :param compose: Where no good reply was given, take the best that plain code puts together.
    :raises InputError: If no claim is left.
    """
    lessons, judges = [], {}
    counts = {"quotes": 0, "refused": 0, "composed": 0, "none": 0}
    for one in claims:
        evidence = evidence_of(one, resources)
        if not evidence:
            counts["quotes"] += 1
            continue
        judge = ClaimJudge(one.claim, evidence, tone=one.tone, length=one.length, resources=resources)
        given = judge.as_returned(one.reply) if one.reply else ""
        counts["refused"] += bool(one.reply) and not given
        reply = given or (judge.composed() if compose else "")
        counts["composed" if reply else "none"] += not given
        values = prompt_values(one.claim, evidence, tone=one.tone, length=one.length)
        lessons.append(
            Lesson(
                name=one.id,
                group=" ".join(one.claim.casefold().split()),
                messages=load_prompt(PROMPT).messages(values),
                reply=ReplyForm(reply=reply).written() if reply else None,
            )
        )
        judges[one.id] = judge
    if not lessons:
        raise InputError(
            f"no quote of {len(claims)} claims can be used", field="data", hint="Quotes talk to a machine."
        )
    return Lessons(lessons=tuple(lessons), notes=_notes(counts)), CounterJudge(judges)


def _notes(counts: dict[str, int]) -> tuple[str, ...]:
    words = {
        "quotes": "claims were left out: no quote that refutes them can be used, as it talks to a machine",
        "refused": "given replies were not learned from: the system itself would refuse them",
        "composed": "claims were learned with a reply that plain code put together",
        "none": "claims had no good reply; they were sampled for only",
    }
    return tuple(f"{counts[name]} {text}." for name, text in words.items() if counts[name])
