"""`looksy evaluate rag`: questions to a system in each of its modes."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from core.errors import ConfigError, InputError
from core.progress import Progress, ignore_progress
from core.requests import parse_request
from core.settings import GeneratorKind, Settings
from core.types import QueryKind, Relation, Result, Status
from core.urls import article_id
from evaluation.data.formats.lines import plain_or_gzip
from evaluation.data.formats.qa_rows import QaRow, read_qa
from evaluation.measures.text.bertscore.scorer import SHIPPED, BertScorer, open_scorer
from evaluation.reports.models import Report
from evaluation.runs.ask_system import OpenEngine, answered, ask_system, open_engine
from evaluation.runs.folder import RunFolder
from evaluation.runs.predictions import Answered, PredictionFailedError
from evaluation.runs.session import RunPlan, run_task
from evaluation.tasks.rag.task import TASK, RagItem, RagOutput
from pipelines.attribution.markers import without_markers
from pipelines.contracts.evidence import RAW
from pipelines.contracts.verifier import judge_without_chat
from pipelines.engine import Engine
from pipelines.generation.reasoning import without_thoughts
from pipelines.generation.self_verification import read_reply
from pipelines.rendering.sections import cited_numbers

MODES = ("references", "contexts", "keywords", RAW)
EXTRACTIVE = "extractive"
"""Stands for the mode without a chat model, though one be set: the answer is made of the quotes."""
_UNKNOWN = re.compile(r"\W*I do not know\b", re.IGNORECASE)
"""How `configs/prompts/raw.yaml` asks for a refusal."""


@dataclass(frozen=True)
class RagOptions:
    """What to measure, and how."""

    modes: tuple[str, ...] = ()
    """Empty: every mode that the generator has."""
    system: str = "verify"
    split: str | None = None
    corpus: Path | None = None
    bertscore_model: str = SHIPPED
    """As `evaluation.measures.text.bertscore.scorer.open_scorer` takes it."""
    workers: int = 1
    repeats: int = 1
    fresh: bool = False


def evaluate_rag(
    path: Path, settings: Settings, options: RagOptions, *, progress: Progress = ignore_progress
) -> list[tuple[RunFolder, Report]]:
    """
    Answer each question in each mode, one run a mode.

    :param path: CSV or JSON lines, or a folder with `queries.jsonl` and a corpus.
    :raises InputError: If the questions cannot be read.
    :raises ConfigError: If a mode needs a chat model and none is set.
    """
    file = plain_or_gzip(path / "queries.jsonl") if path.is_dir() else path
    rows = [row for row in read_qa(file) if options.split in {None, row.split}]
    modes = _modes(settings, options)
    scorer = open_scorer(options.bertscore_model)
    done: list[tuple[RunFolder, Report]] = []
    for extractive, some in groupby(modes, key=lambda mode: mode == EXTRACTIVE):
        own = _without_chat(settings) if extractive else settings
        with open_engine(file, own, corpus=options.corpus, progress=progress) as opened:
            plans = [_plan(opened, rows, options, mode=mode, scorer=scorer) for mode in some]
            done += [run_task(TASK, plan, own, fresh=options.fresh, progress=progress) for plan in plans]
    return done


def _without_chat(settings: Settings) -> Settings:
    """Return the settings for the answer of quotes alone: no chat model writes, and none judges."""
    changed = {"generator": GeneratorKind.EXTRACTIVE, "judge": judge_without_chat(settings.judge)}
    return settings.model_copy(update=changed)


def _modes(settings: Settings, options: RagOptions) -> tuple[str, ...]:
    with_model = settings.generator is not GeneratorKind.EXTRACTIVE
    for mode in options.modes:
        if mode not in (*MODES, EXTRACTIVE):
            raise InputError(f"there is no mode {mode!r}", field="mode", hint=f"Use {', '.join(MODES)}.")
        if mode != EXTRACTIVE and not with_model:
            raise ConfigError(
                f"mode {mode} needs a chat model, and none is set",
                field="mode",
                hint="Set LOOKSY_GENERATOR=openai, LOOKSY_GENERATOR_URL and LOOKSY_GENERATOR_MODEL.",
            )
    return options.modes or (MODES if with_model else (EXTRACTIVE,))


def _plan(
    opened: OpenEngine, rows: list[QaRow], options: RagOptions, *, mode: str, scorer: BertScorer | None
) -> RunPlan[RagItem]:
    own = {name: identity for identity, name in opened.corpus.names.names.items()} if opened.corpus else {}
    ids = {name: own.get(name) or article_id(name) for row in rows for name in row.articles}
    split = f", {options.split}" if options.split else ""
    return RunPlan(
        title=f"Answers: {options.system}, {mode}, on {opened.file.name}{split}",
        data=opened.data(len(rows), "questions"),
        items=[
            RagItem(
                id=row.id,
                text=row.question,
                answers=row.answers,
                articles=tuple(ids[name] for name in row.articles),
            )
            for row in rows
        ],
        system=f"{options.system}, {mode}",
        predict=predictor(opened.engine, options, mode, scorer),
        options={"mode": mode, "split": options.split, "bertscore_model": options.bertscore_model},
        notes=tuple(_notes(opened, ids, scorer)),
        workers=options.workers,
        repeats=options.repeats,
    )


def _notes(opened: OpenEngine, ids: dict[str, str], scorer: BertScorer | None) -> Iterator[str]:
    if scorer is not None:
        yield f"BERTScore is with {scorer.name}; figures of other models cannot be compared with it."
    lost = opened.lacking(ids.values())
    names = sorted(name for name, identity in ids.items() if identity in lost)
    if names:
        yield f"{len(names)} articles that the data names are not among those searched: {', '.join(names[:3])}"


def predictor(
    engine: Engine, options: RagOptions, mode: str, scorer: BertScorer | None
) -> Callable[[RagItem], Answered]:
    """Ask the system in one mode; a failed result is a failure, not an empty answer."""

    def predict(item: RagItem) -> Answered:
        chosen = {} if mode == EXTRACTIVE else {"mode": mode}
        request = parse_request({"text": item.text, "kind": QueryKind.QUESTION, "options": chosen})
        result = ask_system(engine, options.system, request)
        if any(notice.code == "generator_fallback" for notice in result.warnings):
            raise PredictionFailedError("the chat model gave no answer; the fallback's would be scored in its place")
        output = output_of(result, raw=mode == RAW)
        if scorer is not None and item.answers:
            output = output.model_copy(update={"bertscore": scorer.score(output.answer, item.answers)})
        return answered(result, output)

    return predict


def output_of(result: Result, *, raw: bool = False) -> RagOutput:
    """
    Keep of a result what is scored: its answer, the quotes that are shown with it, and the articles that it cites.

    :param raw: Take the model's own words, since without evidence nothing passes the checks; it has no quotes.
    """
    calls = result.run.calls if result.run else ()
    reply = next((call.reply for call in calls if call.purpose == "answer" and call.reply), "")
    verified = next((call.reply for call in calls if call.purpose == "self_verification" and call.reply), None)
    said = without_thoughts(reply)
    own_words = "" if _UNKNOWN.match(said) else said
    answer = own_words if raw else (result.answer if result.status is Status.OK else "")
    references = () if raw else result.references
    cited = cited_numbers(result)
    return RagOutput(
        answer=without_markers(answer or "").strip(),
        quotes=tuple(
            quote.text
            for reference in references
            for quote in reference.quotes
            if quote.relation is not Relation.MENTIONS
        ),
        cited=tuple(reference.article_id for reference in references if reference.number in cited),
        without_evidence=raw,
        verdict=result.verdict,
        written_by=str((result.run.verdict_inputs.get("written_by") if result.run else "") or ""),
        self_verified=read_reply(without_thoughts(verified)).says_yes if verified else None,
        stage_ms=result.timings,
    )
