"""All figures of an evidence model, as its card shows them."""

import json
from pathlib import Path

from evaluation.measures.values import MeasureValue
from models.calibration import load_calibration
from models.evidence import EvidenceModel
from training.evidence.card import write_card
from training.measure.counterfactual_passages import measure_mirrors
from training.measure.minimal_pairs import measure_twins
from training.measure.questions import measure_questions
from training.measure.readings import Say
from training.measure.speed import measure_speed
from training.measure.statements import measure_statements
from training.record import BUILD, SCORES, Score


def measure(folder: Path, data: Path, *, limit: int = 0, say: Say = lambda line: None) -> list[Score]:
    """
    Measure a model on parts of the packs that training leaves out.

    :param folder: With `model.onnx` and `tokenizer.json`; `calibration.json` if there is one.
    :param data: The data root.
    :param limit: Items of each set at most; 0: all.
    """
    model = EvidenceModel(folder)
    figures: dict[str, MeasureValue] = {}
    figures |= measure_mirrors(model, load_calibration(folder), data, limit=limit, say=say)
    figures |= measure_twins(model, data, limit=limit, say=say)
    figures |= measure_statements(model, data, limit=limit, say=say)
    figures |= measure_questions(model, data, limit=limit, say=say)
    figures |= measure_speed(folder, say=say)
    return [Score(what=what, value=one.value, low=one.low, high=one.high, n=one.n) for what, one in figures.items()]


def write_scores(scores: list[Score], folder: Path) -> None:
    """Write `scores.json`, and the card anew if the folder is a build's."""
    text = json.dumps([score.model_dump() for score in scores], indent=2)
    (folder / SCORES).write_text(text + "\n", encoding="utf-8")
    if (folder / BUILD).is_file():
        write_card(folder)
