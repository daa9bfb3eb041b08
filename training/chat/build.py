"""From lessons and a judge to an adapter: good replies, candidates, preferences, scores before and after, a card."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import fmean

from core.errors import InputError
from training.chat.base import load_base, load_tokenizer, with_adapter
from training.chat.candidates import gather
from training.chat.card import card_text
from training.chat.lesson import Judge, Judged, Lesson, Say, be_silent, hold_out
from training.chat.offline import offline_and_quiet
from training.chat.pairs import Pair, make_pairs
from training.chat.preference import learn_preferences
from training.chat.record import TUNING, Figures, Origin, StageRecord, TuningRecord
from training.chat.sampling import Sampler, prompt_tokens
from training.chat.setting import Setting
from training.chat.stage import ADAPTER, RECORD, stage_record
from training.chat.stopping import Deadline
from training.chat.supervised import learn_replies
from training.chat.workplace import CANDIDATES, MODEL, PAIRS, PREFERENCE, SUPERVISED, begin
from training.evidence.device import pick_device
from training.files import write_sums

_MEASURED = 200
"""Lessons measured on at most."""


@dataclass(frozen=True)
class Chosen:
    """The lessons of a build."""

    learned: list[Lesson]
    measured: list[Lesson]
    measured_on: str
    """For the card."""
    notes: list[str]
    """What was left out, and why."""


def choose(setting: Setting, lessons: Sequence[Lesson]) -> Chosen:
    """
    Leave out what is too long, and hold some out to measure on.

    :raises InputError: If no lesson with a reply is left to learn from.
    """
    recipe, notes = setting.recipe, []
    fitting = [
        one
        for one in lessons
        if prompt_tokens(setting.tokenizer, one, reply_tokens=recipe.reply_tokens) <= recipe.max_tokens
    ]
    too_long = len(lessons) - len(fitting)
    if too_long:
        notes.append(f"{too_long} claims were left out: longer than {recipe.max_tokens} tokens with their reply.")
        setting.say(notes[0])
    learned, held = hold_out(fitting, share=recipe.held_out, seed=recipe.seed)
    if not any(one.reply for one in learned):
        raise InputError(
            f"none of {len(lessons)} claims is left with a reply to learn from ({too_long} are too long)",
            field="data",
            hint="Give claims a `reply` that their quotes support, give more claims, or shorten their evidence.",
        )
    where = "on claims held out of training" if held else "on claims that it learned from, since none was held out"
    return Chosen(learned=learned, measured=(held or learned)[:_MEASURED], measured_on=where, notes=notes)


_LIBRARIES = ("torch", "transformers", "trl", "peft")


def build_adapter(
    origin: Origin,
    lessons: Sequence[Lesson],
    judge: Judge,
    folder: Path,
    *,
    base: Path,
    notes: Sequence[str] = (),
    minutes: float = 0,
    say: Say = be_silent,
) -> Path:
    """
    Build an adapter, or go on with building it.

    :param origin: The recipe, and hashes of all that it works on.
    :param lessons: Prompts as the system asks them, some with replies.
    :param judge: Says what a reply is worth.
    :param folder: For checkpoints, candidates, pairs and the folder `model`.
    :param base: Folder of the chat model.
    :param notes: For the card.
    :param minutes: To spend; 0: as long as it takes.
    :returns: The folder with the adapter, its tokenizer, `CARD.md`, `tuning.json` and `SHA256SUMS`.
    :raises InputError: If no lesson with a reply is left to learn from.
    :raises ConfigError: If the folder was begun with something else.
    :raises CancelledError: If the time is over; the same build goes on.
    """
    begin(folder, origin)
    with offline_and_quiet():
        setting = Setting(
            recipe=origin.recipe, base=base, tokenizer=load_tokenizer(base), deadline=Deadline(minutes), say=say
        )
        chosen = choose(setting, lessons)
        first = _supervised(setting, chosen.learned, folder)
        pairs = _pairs(setting, chosen.learned, judge, folder)
        second = _preference(setting, chosen.learned, pairs, folder) if pairs else None
        record = TuningRecord(
            origin=origin,
            lessons=len(chosen.learned),
            supervised=first,
            preference=second,
            notes=(*notes, *chosen.notes),
            measured_on=chosen.measured_on,
            figures=_figures(setting, chosen, judge, folder, stages=[SUPERVISED, *([PREFERENCE] if pairs else [])]),
            device=pick_device(),
            versions={name: version(name) for name in _LIBRARIES},
        )
        return _write(setting, record, folder)


def _supervised(setting: Setting, learned: Sequence[Lesson], folder: Path) -> StageRecord:
    done = stage_record(folder / SUPERVISED)
    if done is not None:
        return done
    setting.deadline.check("the supervised stage is not begun")
    return learn_replies(setting, learned, folder / SUPERVISED)


def _pairs(setting: Setting, learned: Sequence[Lesson], judge: Judge, folder: Path) -> list[Pair]:
    def sampler() -> Sampler:
        return _sampler(setting, folder / SUPERVISED)

    found = gather(setting, sampler, learned, judge=judge, file=folder / CANDIDATES)
    pairs = make_pairs(found, margin=setting.recipe.preference.margin)
    lines = "".join(f"{pair.model_dump_json()}\n" for pair in pairs)
    (folder / PAIRS).write_text(lines, encoding="utf-8")
    setting.say(f"pairs: {len(pairs)} of {len(found)} claims have two candidates far enough apart")
    return pairs


def _preference(setting: Setting, learned: Sequence[Lesson], pairs: Sequence[Pair], folder: Path) -> StageRecord:
    done = stage_record(folder / PREFERENCE)
    if done is not None:
        return done
    setting.deadline.check("the preference stage is not begun")
    return learn_preferences(
        setting,
        folder / SUPERVISED / ADAPTER,
        folder / PREFERENCE,
        lessons={one.name: one for one in learned},
        pairs=pairs,
    )


def _sampler(setting: Setting, stage: Path) -> Sampler:
    """Load the base model with the adapter of a finished stage."""
    model = with_adapter(load_base(setting.base), stage / ADAPTER).eval()
    return Sampler(model, setting.tokenizer, max_tokens=setting.recipe.reply_tokens)


def _figures(
    setting: Setting, chosen: Chosen, judge: Judge, folder: Path, *, stages: Sequence[str]
) -> tuple[Figures, ...]:
    """Measure the base model and each stage, one model in memory at a time."""
    together = setting.recipe.preference.claims_together
    found: list[Figures] = []
    for stage in stages:
        sampler = None  # gives back the one before
        sampler = _sampler(setting, folder / stage)
        if not found:
            with sampler.without_adapter():
                found.append(measure("base", sampler, chosen.measured, judge, together=together))
        found.append(measure(stage, sampler, chosen.measured, judge, together=together))
    for one in found:
        setting.say(f"{one.model}: {one.sound:.0%} of {one.n} replies would be returned, worth {one.value:.3f}")
    return tuple(found)


def _write(setting: Setting, record: TuningRecord, folder: Path) -> Path:
    stage = SUPERVISED if record.preference is None else PREFERENCE
    target = folder / MODEL
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder / stage / ADAPTER, target, ignore=shutil.ignore_patterns(RECORD))
    setting.tokenizer.save_pretrained(str(target))
    (target / TUNING).write_text(record.model_dump_json(indent=2) + "\n", encoding="utf-8")
    (target / "CARD.md").write_text(card_text(record), encoding="utf-8")
    write_sums(target, sorted(path.name for path in target.iterdir() if path.name != "CARD.md"))
    return target


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
