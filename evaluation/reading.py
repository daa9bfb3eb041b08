"""`looksy evaluate reader`: SQuAD questions to the shipped reader, or another system's predictions."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.paths import MODELS
from core.progress import Progress, ignore_progress
from core.settings import Settings
from evaluation.formats.squad import read_answers, read_no_answer, read_squad
from evaluation.reports.models import Report
from evaluation.runs.execute import Answered, PredictionFailedError
from evaluation.runs.fingerprint import hash_files
from evaluation.runs.folder import RunFolder
from evaluation.runs.models import DataInfo
from evaluation.session import RunPlan, run_task
from evaluation.tasks.reader import TASK, ReaderItem, ReaderOutput
from models.evidence import EvidenceModel

Predict = Callable[[ReaderItem], Answered]


@dataclass(frozen=True)
class ReaderOptions:
    """What to measure, and how."""

    predictions: Path | None = None
    """Score these instead of asking the reader."""
    no_answer: Path | None = None
    """No-answer probabilities beside them, for the best threshold."""
    threshold: float = 0.0
    """The reader declines if the no-answer score is above this."""
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
    answerable_only = all(question.answers for question in questions)
    if options.predictions is not None:
        predict = _saved(options.predictions, options.no_answer)
        system = f"predictions in {options.predictions.name}"
    else:
        predict = _shipped(settings, threshold=float("inf") if answerable_only else options.threshold)
        system = "reader" if answerable_only else f"reader, declines above {options.threshold:g}"
    plan = RunPlan(
        title=f"Reading: {system}, on {path.name}",
        data=DataInfo(path=str(path), sha256=hash_files([path]), items=len(questions), format="SQuAD"),
        items=[ReaderItem(id=one.id, text=one.question, answers=one.answers, context=one.context) for one in questions],
        system=system,
        predict=predict,
        options={"threshold": options.threshold, "limit": options.limit},
    )
    return run_task(TASK, plan, settings, fresh=options.fresh, progress=progress)


def _shipped(settings: Settings, *, threshold: float) -> Predict:
    folder = Path(settings.reader_model) if settings.reader_model else MODELS / "evidence-minilm-l6"
    model = EvidenceModel(folder, threads=settings.threads)

    def predict(item: ReaderItem) -> Answered:
        reading = model.read([(item.text, item.context)])[0]
        span = item.context[reading.start : reading.end]
        declined = -reading.span_score > threshold
        return Answered(
            output=ReaderOutput(answer="" if declined else span, best_span=span, no_answer=-reading.span_score)
        )

    return predict


def _saved(predictions: Path, no_answer: Path | None) -> Predict:
    answers = read_answers(predictions)
    scores = read_no_answer(no_answer) if no_answer else {}

    def predict(item: ReaderItem) -> Answered:
        if item.id not in answers:
            raise PredictionFailedError(f"{predictions.name} has no answer to this question", field=item.id)
        answer = answers[item.id]
        score = scores.get(item.id, 0.0 if answer else 1.0)
        return Answered(output=ReaderOutput(answer=answer, best_span=answer, no_answer=score))

    return predict
