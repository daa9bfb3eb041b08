"""`looksy evaluate reader`: SQuAD questions to the shipped reader, or another system's predictions."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import ConfigError
from core.progress import Progress, ignore_progress
from core.settings import ReaderKind, Settings
from evaluation.data.formats.squad import SquadQuestion, read_answers, read_no_answer, read_squad
from evaluation.reports.models import Report
from evaluation.runs.fingerprints import hash_files
from evaluation.runs.folder import RunFolder
from evaluation.runs.models import DataInfo
from evaluation.runs.predictions import Answered, PredictionFailedError
from evaluation.runs.session import RunPlan, run_task
from evaluation.tasks.reader.task import TASK, ReaderItem, ReaderOutput
from pipelines.resources import Resources

Predict = Callable[[ReaderItem], Answered]


@dataclass(frozen=True)
class ReaderOptions:
    """What to measure, and how."""

    predictions: Path | None = None
    """Score these instead of asking the reader."""
    no_answer: Path | None = None
    """No-answer probabilities beside them, for the best threshold."""
    threshold: float | None = None
    """Decline if the no-answer score is above this; None: 0 for the reader, 1 for predictions (as the official script),
    and never where every question has an answer."""
    limit: int | None = None
    fresh: bool = False


def evaluate_reader(
    path: Path, settings: Settings, options: ReaderOptions, *, progress: Progress = ignore_progress
) -> tuple[RunFolder, Report]:
    """
    Read and score.

    :param path: SQuAD 1.1 or 2.0 JSON.
    :raises InputError: If a file cannot be read; the message names the place.
    """
    questions = read_squad(path)[: options.limit]
    if options.predictions is not None:
        threshold = 1.0 if options.threshold is None else options.threshold
        predict = _saved(options.predictions, options.no_answer, threshold=threshold)
        system = f"predictions in {options.predictions.name}"
    else:
        threshold = _reader_threshold(questions, options.threshold)
        predict = _shipped(settings, threshold=threshold)
        system = "reader" if threshold == math.inf else f"reader, declines above {threshold:g}"
    asked = [file for file in (options.predictions, options.no_answer) if file is not None]
    plan = RunPlan(
        title=f"Reading: {system}, on {path.name}",
        data=DataInfo(path=str(path), sha256=hash_files([path]), items=len(questions), format="SQuAD"),
        items=[ReaderItem(id=one.id, text=one.question, answers=one.answers, context=one.context) for one in questions],
        system=system,
        predict=predict,
        options={"threshold": str(threshold), "limit": options.limit, "predictions_sha256": hash_files(asked)},
    )
    return run_task(TASK, plan, settings, fresh=options.fresh, progress=progress)


def _reader_threshold(questions: Sequence[SquadQuestion], wanted: float | None) -> float:
    if wanted is not None:
        return wanted
    return math.inf if all(question.answers for question in questions) else 0.0


def _shipped(settings: Settings, *, threshold: float) -> Predict:
    if settings.reader is not ReaderKind.ONNX:
        raise ConfigError(
            f"reader is {settings.reader.value!r}, and this measures the ONNX reader",
            field="reader",
            hint="Set LOOKSY_READER=onnx, or save that reader's answers and give them as --predictions FILE.",
        )
    model = Resources(settings).evidence_model()

    def predict(item: ReaderItem) -> Answered:
        reading = model.read([(item.text, item.context)])[0]
        span = item.context[reading.start : reading.end]
        declined = -reading.span_score > threshold
        return Answered(
            output=ReaderOutput(answer="" if declined else span, best_span=span, no_answer=-reading.span_score)
        )

    return predict


def _saved(predictions: Path, no_answer: Path | None, *, threshold: float) -> Predict:
    answers = read_answers(predictions)
    scores = read_no_answer(no_answer) if no_answer else {}

    def predict(item: ReaderItem) -> Answered:
        if item.id not in answers:
            raise PredictionFailedError(f"{predictions.name} has no answer to this question", field=item.id)
        if no_answer is not None and item.id not in scores:
            raise PredictionFailedError(f"{no_answer.name} has no number for this question", field=item.id)
        span, score = answers[item.id], scores.get(item.id)
        declined = score is not None and score > threshold
        return Answered(output=ReaderOutput(answer="" if declined else span, best_span=span, no_answer=score))

    return predict
